"""The base of all viewsets: what an address may be asked with, and what rows are answered as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.http import Http404, StreamingHttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.exceptions import ValidationError
from rest_framework.mixins import ListModelMixin
from rest_framework.pagination import BasePagination
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from registry.api.pagination import KeysetPagination, SortOrders
from registry.api.parsers_and_renderers import LinesRenderer, PlainJSONRenderer
from registry.api.query_parameters import QuerySerializer, read_fields_parameter, validate_query
from registry.api.views import RegistryAPIView, get_serializer_context
from registry.serializers.base import SparseSerializer


class RegistryViewSet(RegistryAPIView, GenericViewSet[Any]):
    """A resource of the API.

    `query_serializers` name by action what the address may ask, which is in `asked` then;
    `sort_orders` and `sort` say how a list is sorted, and `not_found` what is said of a row that is
    not there.
    """

    pagination_class: type[BasePagination] | None = KeysetPagination
    lookup_value_converter = "int"
    detail_serializer_class: ClassVar[type[BaseSerializer[Any]] | None] = None
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {}
    sort_orders: ClassVar[SortOrders]
    sort: str
    not_found: ClassVar[str | Promise] = _("There is nothing with that name.")
    asked: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Point at what cannot be asked before anything is looked for."""
        super().initial(request, *args, **kwargs)
        of = self.query_serializers.get(self.action)
        self.asked = validate_query(of, request) if of else {}

    def get_sort(self) -> str:
        """Return the name of the order that is asked for."""
        return self.asked.get("sort") or self.sort

    def get_object(self) -> Any:
        """Return the row of the address, or say in words of ours that there is none."""
        name = self.lookup_url_kwarg or self.lookup_field
        found = self.get_queryset().filter(**{self.lookup_field: self.kwargs[name]}).first()
        if found is None:
            raise Http404(self.not_found)
        return found

    def get_serializer_context(self) -> dict[str, Any]:
        """Return what serializers know: where the registry is read, and by whom."""
        return get_serializer_context(self.request)

    def get_serializer_class(self) -> type[BaseSerializer[Any]]:
        """Return what makes the JSON of a row: in a list it may say less than by itself."""
        of = None if self.action == "list" else self.detail_serializer_class
        return of or super().get_serializer_class()

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """Return what makes the JSON, with the members alone that `?fields=` asks for."""
        of = self.get_serializer_class()
        if issubclass(of, SparseSerializer):
            kwargs.setdefault("only", read_fields_parameter(self.request, of))
        return super().get_serializer(*args, **kwargs)


Renderers = list[BaseRenderer]
ROWS_PER_CHUNK: Final = 500
"""So many rows of a list that is streamed are in memory together."""


def describe_streamed_list(of: type[BaseSerializer[Any]]) -> dict[Any, Any]:
    """Return how a list is described that is read in parts, or whole, a line for each row."""
    return {
        (200, PlainJSONRenderer.media_type): of(many=True),
        (200, LinesRenderer.media_type): OpenApiTypes.STR,
    }


class StreamedListViewSet(ListModelMixin, RegistryViewSet):
    """A list that is read whole too, with `Accept: application/x-ndjson`: a row of JSON a line."""

    renderer_classes = [PlainJSONRenderer, LinesRenderer]

    def get_renderers(self) -> Renderers:
        """Return what makes the answer: lines of a list alone."""
        made = super().get_renderers()
        is_list = getattr(self, "action", None) == "list"
        return made if is_list else [each for each in made if not isinstance(each, LinesRenderer)]

    @property
    def wants_lines(self) -> bool:
        """Whether the caller takes the list as lines."""
        return isinstance(self.request.accepted_renderer, LinesRenderer)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return a part of the list, or all of it as lines."""
        if self.wants_lines:
            return self.stream_rows(self.get_queryset())
        return super().list(request, *args, **kwargs)

    def iterate_rows(self, rows: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows of a list in order, as they are read from the database."""
        if isinstance(rows, QuerySet):
            rows = rows.order_by(*self.sort_orders[self.get_sort()]).iterator(ROWS_PER_CHUNK)
        return iter(rows)

    def describe_rows(self, some: Sequence[Any]) -> dict[str, Any]:
        """Return what a serializer has to know of some rows."""
        return {}

    def stream_rows(self, rows: Iterable[Any]) -> StreamingHttpResponse:
        """Return all rows, a line each; raise `ValidationError` where a part is asked for."""
        words = gettext("Lines are the whole list: leave it out.")
        if parts := [name for name in ("page_size", "cursor") if name in self.asked]:
            raise ValidationError({name: [words] for name in parts})
        # What cannot be asked is refused before anything is sent.
        self.get_serializer()
        return StreamingHttpResponse(
            self.write_lines(self.iterate_rows(rows)), content_type=LinesRenderer.media_type
        )

    def write_lines(self, rows: Iterator[Any]) -> Iterator[bytes]:
        """Yield a line for each row."""
        renderer = LinesRenderer()
        while some := tuple(islice(rows, ROWS_PER_CHUNK)):
            context = self.get_serializer_context() | self.describe_rows(some)
            serializer = self.get_serializer(context=context)
            for each in some:
                yield renderer.render(serializer.to_representation(each)) + b"\n"


class AccountViewSet(RegistryViewSet):
    """A resource of the account of the caller: short lists, which are read whole."""

    permission_classes = [IsAuthenticated]
    pagination_class: type[BasePagination] | None = None

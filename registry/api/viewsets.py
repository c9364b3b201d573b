"""The base of all viewsets: query parameters, and the JSON of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from registry.batches import batched
from registry.serializers.base import SparseSerializer


class RegistryViewSet(RegistryAPIView, GenericViewSet[Any]):
    """A resource of the API.

    `query_serializers` names the query parameters of each action, whose values are in `asked`;
    `sort_orders` and `sort` define how a list can be sorted, and `not_found` is the message for a
    missing row.
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
        """Refuse invalid query parameters before looking anything up."""
        super().initial(request, *args, **kwargs)
        of = self.query_serializers.get(self.action)
        self.asked = validate_query(of, request) if of else {}

    def get_sort(self) -> str:
        """Return the name of the requested order."""
        return self.asked.get("sort") or self.sort

    def get_object(self) -> Any:
        """Return the row of the address, or a 404 with our own message."""
        name = self.lookup_url_kwarg or self.lookup_field
        found = self.get_queryset().filter(**{self.lookup_field: self.kwargs[name]}).first()
        if found is None:
            raise Http404(self.not_found)
        return found

    def get_serializer_context(self) -> dict[str, Any]:
        """Return the serializer context: the registry's address, and the reader."""
        return get_serializer_context(self.request)

    def get_serializer_class(self) -> type[BaseSerializer[Any]]:
        """Return the serializer of a row, which may be shorter in a list."""
        of = None if self.action == "list" else self.detail_serializer_class
        return of or super().get_serializer_class()

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """Return the serializer, reduced to the members in `?fields=`."""
        of = self.get_serializer_class()
        if issubclass(of, SparseSerializer):
            kwargs.setdefault("only", read_fields_parameter(self.request, of))
        return super().get_serializer(*args, **kwargs)


Renderers = list[BaseRenderer]
ROWS_PER_CHUNK: Final = 500
"""How many rows of a streamed list are in memory at once."""


def describe_streamed_list(of: type[BaseSerializer[Any]]) -> dict[Any, Any]:
    """Describe a list that can be read in pages, or whole with one row per line."""
    return {
        (200, PlainJSONRenderer.media_type): of(many=True),
        (200, LinesRenderer.media_type): OpenApiTypes.STR,
    }


class StreamedListViewSet(ListModelMixin, RegistryViewSet):
    """A list that can also be streamed, with `Accept: application/x-ndjson`: one row of JSON per
    line.
    """

    renderer_classes = [PlainJSONRenderer, LinesRenderer]

    def get_renderers(self) -> Renderers:
        """Return the renderers: lines are for lists only."""
        made = super().get_renderers()
        is_list = getattr(self, "action", None) == "list"
        return made if is_list else [each for each in made if not isinstance(each, LinesRenderer)]

    @property
    def wants_lines(self) -> bool:
        """Whether the caller accepts the list as lines."""
        return isinstance(self.request.accepted_renderer, LinesRenderer)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return a page of the list, or all of it as lines."""
        if self.wants_lines:
            return self.stream_rows(self.get_queryset())
        return super().list(request, *args, **kwargs)

    def iterate_rows(self, rows: QuerySet[Any]) -> Iterator[Any]:
        """Yield the rows of a list in order, as they are read from the database."""
        return rows.order_by(*self.sort_orders[self.get_sort()]).iterator(ROWS_PER_CHUNK)

    def describe_rows(self, some: Sequence[Any]) -> dict[str, Any]:
        """Return what the serializer needs to know about these rows."""
        return {}

    def stream_rows(self, rows: QuerySet[Any]) -> StreamingHttpResponse:
        """Return all rows, one per line; raise `ValidationError` if a page is requested."""
        words = gettext("Lines are the whole list: leave it out.")
        if parts := [name for name in ("page_size", "cursor") if name in self.asked]:
            raise ValidationError({name: [words] for name in parts})
        # Refuse invalid parameters before sending anything.
        self.get_serializer()
        return StreamingHttpResponse(
            self.write_lines(self.iterate_rows(rows)), content_type=LinesRenderer.media_type
        )

    def write_lines(self, rows: Iterator[Any]) -> Iterator[bytes]:
        """Yield one line per row."""
        renderer = LinesRenderer()
        for some in batched(rows, ROWS_PER_CHUNK):
            context = self.get_serializer_context() | self.describe_rows(some)
            serializer = self.get_serializer(context=context)
            for each in some:
                yield renderer.render(serializer.to_representation(each)) + b"\n"


class AccountViewSet(RegistryViewSet):
    """A resource of the caller's account: short lists, returned whole."""

    permission_classes = [IsAuthenticated]
    pagination_class: type[BasePagination] | None = None

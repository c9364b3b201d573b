"""The base of all viewsets: what an address may be asked with, and what rows are answered as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.pagination import BasePagination
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from registry.api.pagination import KeysetPagination, SortOrders
from registry.api.query_parameters import QuerySerializer, read_fields_parameter, validate_query
from registry.api.views import RegistryAPIView, get_serializer_context
from registry.serializers.base import SparseSerializer


class RegistryViewSet(RegistryAPIView, GenericViewSet[Any]):
    """A resource of the API.

    `query_serializers` name by action what the address may ask, which stands in `asked` then;
    `sort_orders` and `sort` say how a list is sorted, and `not_found` what is said of a row that is
    not there.
    """

    pagination_class: type[BasePagination] | None = KeysetPagination
    lookup_value_converter = "int"
    detail_serializer_class: ClassVar[type[BaseSerializer[Any]] | None] = None
    query_serializers: ClassVar[Mapping[str, type[QuerySerializer]]] = {}
    sort_orders: ClassVar[SortOrders]
    sort: str
    not_found: ClassVar[str | Promise] = _("There is nothing of that name.")
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


class AccountViewSet(RegistryViewSet):
    """A resource of the account of whoever asks: short lists, which are read whole."""

    permission_classes = [IsAuthenticated]
    pagination_class: type[BasePagination] | None = None

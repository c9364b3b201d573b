"""Namespaces and their versions, to read, now or as of another time."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Case, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin

from registry import selectors
from registry.api.openapi import make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.problems import refuse_invalid_form
from registry.api.query_parameters import (
    AsOfQuerySerializer,
    FieldsQuerySerializer,
    ListQuerySerializer,
    read_as_of,
)
from registry.api.viewsets import RegistryViewSet
from registry.enums import NamespaceKind, NamespaceStatus
from registry.exchange.exports.entries import make_entry
from registry.forms.filters import NAMESPACE_FILTER_CHOICES, NamespaceFilter
from registry.models import Namespace, Registration
from registry.selectors.as_of import (
    Moment,
    NamespaceAsOf,
    find_namespace_as_of,
    list_namespaces_as_of,
)
from registry.serializers.namespaces import (
    ListedNamespace,
    NamespaceDetailSerializer,
    NamespaceSerializer,
    PublishedTextSerializer,
    VersionSerializer,
)
from registry.urn import nid as nids

REGISTRANT_UNKNOWN: Final = Case(When(registrant=None, then=Value(1)), default=Value(0))
DAY_UNKNOWN: Final = Case(When(registered_on="", then=Value(1)), default=Value(0))
REGISTRANT_NAME: Final = Coalesce("registrant__name", Value(""))
NAMESPACE_ORDERS: Final[SortOrders] = {
    "nid": ("nid",),
    "-nid": ("-nid",),
    "registrant": ("registrant_unknown", "registrant_name", "nid"),
    "-registrant": ("registrant_unknown", "-registrant_name", "nid"),
    "registered": ("day_unknown", "registered_on", "nid"),
    "-registered": ("day_unknown", "-registered_on", "nid"),
}
"""The orders of the page: what is not known comes last either way."""
AS_OF: Final = "as of"
"""The one order in which namespaces are listed as of another time."""


class NamespacesQuerySerializer(ListQuerySerializer, AsOfQuerySerializer):
    """What the list of namespaces can be asked with: the filters of its page."""

    q = serializers.CharField(
        required=False, max_length=200, help_text="Words, organization or reference."
    )
    kind = serializers.MultipleChoiceField(choices=NamespaceKind.choices, required=False)
    status = serializers.MultipleChoiceField(choices=NamespaceStatus.choices, required=False)
    has = serializers.MultipleChoiceField(
        choices=list(NAMESPACE_FILTER_CHOICES["has"]), required=False
    )
    since = serializers.CharField(required=False, help_text="Registered in this year or later.")
    until = serializers.CharField(required=False, help_text="Registered in this year or before.")
    sort = make_sort_parameter(NAMESPACE_ORDERS, "nid")


class NamespaceQuerySerializer(FieldsQuerySerializer, AsOfQuerySerializer):
    """What one namespace can be asked with."""


@extend_schema_view(
    list=extend_schema(
        operation_id="namespaces",
        description="List the registered namespaces, narrowed and sorted as on their page.",
        responses=NamespaceSerializer(many=True),
    ),
    retrieve=extend_schema(
        operation_id="namespace",
        description="Read a namespace: its facts, its versions, and the text of the one in force.",
        responses=NamespaceDetailSerializer,
    ),
)
class NamespaceViewSet(ListModelMixin, RetrieveModelMixin, RegistryViewSet):
    """The registered namespaces."""

    lookup_field = "nid"
    lookup_value_converter = "str"
    query_serializers = {"list": NamespacesQuerySerializer, "retrieve": NamespaceQuerySerializer}
    serializer_class = NamespaceSerializer
    detail_serializer_class = NamespaceDetailSerializer
    sort_orders = {**NAMESPACE_ORDERS, AS_OF: ("namespace__nid",)}
    sort = "nid"

    def get_sort(self) -> str:
        """Return the order that is asked for; as of another time there is one alone."""
        return AS_OF if "as_of" in self.asked else super().get_sort()

    def get_queryset(self) -> Any:
        """Return the namespaces that the filters let through, or those registered at a time."""
        if moment := read_as_of(self.asked, "kind", "status", "page_size", "cursor"):
            return filter_namespaces_as_of(moment, self.asked)
        found = NamespaceFilter(self.request._request.GET)
        refuse_invalid_form(found.form)
        rows: QuerySet[Namespace] = found.qs
        return rows.annotate(
            registrant_unknown=REGISTRANT_UNKNOWN,
            registrant_name=REGISTRANT_NAME,
            day_unknown=DAY_UNKNOWN,
        )

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a part of the list, with what its rows are told with."""
        rows = super().paginate_queryset(queryset) or []
        return list(rows) if "as_of" in self.asked else [ListedNamespace(each) for each in rows]

    def get_object(self) -> Any:
        """Return a namespace with its texts, as it is or as it was."""
        moment = read_as_of(self.asked)
        namespace = get_namespace_or_404(self.kwargs["nid"])
        return get_namespace_as_of_or_404(namespace, moment) if moment else make_entry(namespace)


@extend_schema_view(
    list=extend_schema(
        operation_id="versions",
        description="List the published versions of a namespace, the newest first.",
        responses=VersionSerializer(many=True),
    ),
    retrieve=extend_schema(
        operation_id="version",
        description="Read one version, in force or not; what it says never changes.",
        responses=PublishedTextSerializer,
    ),
)
class VersionViewSet(ListModelMixin, RetrieveModelMixin, RegistryViewSet):
    """The versions of a namespace."""

    lookup_field = "number"
    path_parameters = (make_path_parameter("number", "Of the version."),)
    query_serializers = {"list": ListQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = VersionSerializer
    detail_serializer_class = PublishedTextSerializer
    sort_orders = {"-number": ("-number",)}
    sort = "-number"
    not_found = gettext_lazy("The namespace has no version of that number.")

    def get_queryset(self) -> QuerySet[Registration]:
        """Return the versions of the namespace."""
        return get_namespace_or_404(self.kwargs["nid"]).registrations.select_related("namespace")


def get_namespace_as_of_or_404(namespace: Namespace, moment: Moment) -> NamespaceAsOf:
    """Return a namespace as it was."""
    then = find_namespace_as_of(namespace.nid, moment)
    if then is None:
        raise Http404(_("That namespace was not registered then."))
    return then


def filter_namespaces_as_of(moment: Moment, asked: dict[str, Any]) -> list[NamespaceAsOf]:
    """Return the namespaces that were registered, by NID."""
    return [
        each
        for each in list_namespaces_as_of(moment)
        if each.namespace.kind in (asked["kind"] or NamespaceKind.values)
        and (not asked["status"] or (each.has_facts and each.namespace.status in asked["status"]))
    ]


def get_namespace_or_404(nid: str) -> Namespace:
    """Return the namespace of that NID, in any case."""
    found = selectors.find_namespace(nids.canonical(nid))
    if found is None:
        raise Http404(_("There is no registered namespace of that identifier."))
    return found

"""Namespaces and their versions, to read, now or as of another time."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Case, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import selectors
from registry.api.openapi import (
    NID_PARAMETER,
    READING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    make_sort_parameter,
    paginate_queryset,
    paginate_rows,
)
from registry.api.problems import describe_problems, refuse_invalid_form
from registry.api.query_parameters import (
    AsOfQuerySerializer,
    FieldsQuerySerializer,
    ListQuerySerializer,
    read_as_of,
    serialize_sparsely,
    validate_query,
)
from registry.api.views import RegistryAPIView
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

VERSION_NUMBER_PARAMETER: Final = make_path_parameter("number", "Of the version.")
REGISTRANT_UNKNOWN: Final = Case(When(registrant=None, then=Value(1)), default=Value(0))
DAY_UNKNOWN: Final = Case(When(registered_on="", then=Value(1)), default=Value(0))
REGISTRANT_NAME: Final = Coalesce("registrant__name", Value(""))
NAMESPACE_ORDERS: Final = {
    "nid": (SortKey("nid"),),
    "-nid": (SortKey("nid", descends=True),),
    "registrant": (SortKey(REGISTRANT_UNKNOWN), SortKey(REGISTRANT_NAME), SortKey("nid")),
    "-registrant": (
        SortKey(REGISTRANT_UNKNOWN),
        SortKey(REGISTRANT_NAME, descends=True),
        SortKey("nid"),
    ),
    "registered": (SortKey(DAY_UNKNOWN), SortKey("registered_on"), SortKey("nid")),
    "-registered": (SortKey(DAY_UNKNOWN), SortKey("registered_on", descends=True), SortKey("nid")),
}
"""The orders of the page: what is not known comes last either way."""


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


class NamespacesView(RegistryAPIView):
    """The registered namespaces."""

    @extend_schema(
        operation_id="namespaces",
        parameters=[NamespacesQuerySerializer],
        responses={200: make_list_serializer(NamespaceSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the registered namespaces, narrowed and sorted as on their page."""
        asked = validate_query(NamespacesQuerySerializer, request)
        if moment := read_as_of(asked, "kind", "status", "page_size", "cursor"):
            return make_namespaces_response_as_of(request, asked, moment)
        found = NamespaceFilter(request._request.GET)
        refuse_invalid_form(found.form)
        rows: QuerySet[Namespace] = found.qs
        part = paginate_queryset(rows, NAMESPACE_ORDERS, asked, "nid")
        listed = part.with_rows([ListedNamespace(each) for each in part.rows])
        return make_page_response(request, listed, NamespaceSerializer)


class NamespaceView(RegistryAPIView):
    """One namespace."""

    @extend_schema(
        operation_id="namespace",
        parameters=[NID_PARAMETER, NamespaceQuerySerializer],
        responses={200: NamespaceDetailSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read a namespace: its facts, its versions, and the text of the one in force."""
        moment = read_as_of(validate_query(NamespaceQuerySerializer, request))
        namespace = get_namespace_or_404(nid)
        shown = get_namespace_as_of_or_404(namespace, moment) if moment else make_entry(namespace)
        return Response(serialize_sparsely(request, shown, NamespaceDetailSerializer))


class VersionsView(RegistryAPIView):
    """The versions of a namespace."""

    @extend_schema(
        operation_id="versions",
        parameters=[NID_PARAMETER, ListQuerySerializer],
        responses={
            200: make_list_serializer(VersionSerializer),
            **describe_problems(*READING_PROBLEMS),
        },
    )
    def get(self, request: Request, nid: str) -> Response:
        """List the published versions of a namespace, the newest first."""
        asked = validate_query(ListQuerySerializer, request)
        found = get_namespace_or_404(nid).registrations.select_related("namespace")
        part = paginate_queryset(
            found, {"-number": (SortKey("number", descends=True),)}, asked, "-number"
        )
        return make_page_response(request, part, VersionSerializer)


class VersionView(RegistryAPIView):
    """One version of a namespace."""

    @extend_schema(
        operation_id="version",
        parameters=[NID_PARAMETER, VERSION_NUMBER_PARAMETER, FieldsQuerySerializer],
        responses={200: PublishedTextSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, nid: str, number: int) -> Response:
        """Read one version, in force or not; what it says never changes."""
        validate_query(FieldsQuerySerializer, request)
        version = get_version_or_404(nid, number)
        return Response(serialize_sparsely(request, version, PublishedTextSerializer))


def get_namespace_as_of_or_404(namespace: Namespace, moment: Moment) -> NamespaceAsOf:
    """Return a namespace as it was."""
    then = find_namespace_as_of(namespace.nid, moment)
    if then is None:
        raise Http404(_("That namespace was not registered then."))
    return then


def make_namespaces_response_as_of(
    request: Request, asked: dict[str, Any], moment: Moment
) -> Response:
    """List the namespaces that were registered, by NID; a cursor holds the last NID."""
    every = [
        each
        for each in list_namespaces_as_of(moment)
        if each.namespace.kind in (asked["kind"] or NamespaceKind.values)
        and (not asked["status"] or (each.has_facts and each.namespace.status in asked["status"]))
    ]
    part = paginate_rows(every, lambda each: each.namespace.nid, asked)
    return make_page_response(request, part, NamespaceSerializer)


def get_namespace_or_404(nid: str) -> Namespace:
    """Return the namespace of that NID, in any case."""
    found = selectors.find_namespace(nids.canonical(nid))
    if found is None:
        raise Http404(_("There is no registered namespace of that identifier."))
    return found


def get_version_or_404(nid: str, number: int) -> Registration:
    """Return one version of a namespace."""
    found = Registration.objects.filter(namespace=get_namespace_or_404(nid), number=number)
    version = found.select_related("namespace").first()
    if version is None:
        raise Http404(_("The namespace has no version of that number."))
    return version

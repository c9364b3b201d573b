"""Namespaces and their versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Case, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import selectors
from registry.api.input_serializers import (
    ContactInputSerializer,
    CorrectionInputSerializer,
    clean_form,
)
from registry.api.openapi import make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.permissions import MayKeepRecords, MayReadContacts
from registry.api.problems import describe_problems, refuse_invalid_form
from registry.api.query_parameters import (
    MAX_LISTED_CHARACTERS,
    FieldsQuerySerializer,
    ListQuerySerializer,
)
from registry.api.views import get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet, StreamedListViewSet, describe_streamed_list
from registry.enums import NamespaceKind, NamespaceStatus
from registry.exchange.exports.entries import find_entry
from registry.exchange.records import confirm_contact, correct_record, withdraw_contact
from registry.forms.filters import NAMESPACE_FILTER_CHOICES, NamespaceFilter
from registry.forms.imported_records import (
    ConfirmContactForm,
    CorrectionForm,
    list_understood_texts,
)
from registry.models import Erratum, ImportedRecord, Namespace, Registration
from registry.presenters.imported_records import list_given_contacts
from registry.serializers.base import JSONObject
from registry.serializers.imported_records import (
    ImportedRecordSerializer,
    ImportedTextSerializer,
    RecordContactSerializer,
)
from registry.serializers.namespaces import (
    ErratumSerializer,
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
"""The sort orders of the page; unknown values always come last."""
UNREGISTERED: Final = gettext_lazy("No namespace with that identifier is registered.")


class NamespacesQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of namespaces: the filters of its page."""

    q = serializers.CharField(
        required=False, max_length=200, help_text="Words, organization or reference."
    )
    kind = serializers.MultipleChoiceField(choices=NamespaceKind.choices, required=False)
    status = serializers.MultipleChoiceField(choices=NamespaceStatus.choices, required=False)
    has = serializers.MultipleChoiceField(
        choices=list(NAMESPACE_FILTER_CHOICES["has"]), required=False
    )
    registrant = serializers.IntegerField(
        required=False, min_value=1, help_text="The id of the organization that holds them."
    )
    nid = serializers.CharField(
        required=False,
        max_length=MAX_LISTED_CHARACTERS,
        help_text="These alone, with commas between; one that is not registered is left out.",
    )
    since = serializers.CharField(required=False, help_text="Registered in this year or later.")
    until = serializers.CharField(required=False, help_text="Registered in this year or before.")
    sort = make_sort_parameter(NAMESPACE_ORDERS, "nid")


@extend_schema_view(
    list=extend_schema(
        operation_id="namespaces",
        description="List the registered namespaces, narrowed and sorted as on their page.\n\nWith "
        "`Accept: application/x-ndjson` they all come, one a line, while they are read.",
        responses=describe_streamed_list(NamespaceSerializer),
    ),
    retrieve=extend_schema(
        operation_id="namespace",
        description="Read a namespace: its facts, its versions, and the text of the one in force.",
        responses=NamespaceDetailSerializer,
    ),
)
class NamespaceViewSet(RetrieveModelMixin, StreamedListViewSet):
    """The registered namespaces."""

    lookup_field = "nid"
    lookup_value_converter = "str"
    query_serializers = {"list": NamespacesQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = NamespaceSerializer
    detail_serializer_class = NamespaceDetailSerializer
    sort_orders = NAMESPACE_ORDERS
    sort = "nid"

    def get_queryset(self) -> QuerySet[Namespace]:
        """Return the namespaces that match the filters."""
        found = NamespaceFilter(self.request._request.GET)
        refuse_invalid_form(found.form)
        rows: QuerySet[Namespace] = found.qs
        return rows.annotate(
            registrant_unknown=REGISTRANT_UNKNOWN,
            registrant_name=REGISTRANT_NAME,
            day_unknown=DAY_UNKNOWN,
        )

    def iterate_rows(self, rows: Any) -> Iterator[Any]:
        """Yield the rows of a list as their serializer expects them."""
        return map(ListedNamespace, super().iterate_rows(rows))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page of the list, with what its rows need to be serialized."""
        return [ListedNamespace(each) for each in super().paginate_queryset(queryset) or []]

    def get_object(self) -> Any:
        """Return a namespace with its texts."""
        entry = find_entry(nids.canonical(self.kwargs["nid"]))
        if entry is None:
            raise Http404(UNREGISTERED)
        return entry


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
    not_found = gettext_lazy("The namespace has no version with that number.")

    def get_queryset(self) -> QuerySet[Registration]:
        return get_namespace_or_404(self.kwargs["nid"]).registrations.select_related("namespace")


@extend_schema_view(
    list=extend_schema(
        operation_id="errata",
        description="List the errata of an entry that the registrar shows, the newest first.",
        responses=ErratumSerializer(many=True),
    )
)
class ErratumViewSet(ListModelMixin, RegistryViewSet):
    """The errata of a namespace; readers report them on its page."""

    query_serializers = {"list": ListQuerySerializer}
    serializer_class = ErratumSerializer
    sort_orders = {"-sent": ("-sent_at", "-pk")}
    sort = "-sent"

    def get_queryset(self) -> QuerySet[Erratum]:
        shown = get_namespace_or_404(self.kwargs["nid"]).errata.filter(is_shown=True)
        return shown.select_related("namespace")


@extend_schema_view(
    list=extend_schema(
        operation_id="records",
        description="List what was read of the documents of record of a namespace, the newest "
        "reading first.",
        responses=ImportedRecordSerializer(many=True),
    ),
    retrieve=extend_schema(
        operation_id="record",
        description="Read one record: the text as found, and how it was understood.",
        responses=ImportedTextSerializer,
    ),
)
class ImportedRecordViewSet(ListModelMixin, RetrieveModelMixin, RegistryViewSet):
    """What was read from the documents of record of a namespace."""

    lookup_field = "number"
    path_parameters = (make_path_parameter("number", "Of the record."),)
    query_serializers = {"list": ListQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = ImportedRecordSerializer
    detail_serializer_class = ImportedTextSerializer
    sort_orders = {"-number": ("-number",)}
    sort = "-number"
    not_found = gettext_lazy("The namespace has no imported record with that number.")

    def get_queryset(self) -> QuerySet[ImportedRecord]:
        namespace = get_namespace_or_404(self.kwargs["nid"])
        return namespace.imported_records.select_related("namespace", "document")

    @extend_schema(
        operation_id="record_correct",
        request=CorrectionInputSerializer,
        responses={201: ImportedTextSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"], permission_classes=[MayKeepRecords])
    def correct(self, request: Request, nid: str, number: int) -> Response:
        """Correct how a text is understood, as the registrar; this creates a new record."""
        record = self.get_object()
        said = validate_input(CorrectionInputSerializer, request)
        changes = {
            name: value if isinstance(value, str) else "\n".join(value)
            for name, value in said.get("template", {}).items()
        }
        typed = {**list_understood_texts(record), **changes, "reason": said.get("reason", "")}
        form = CorrectionForm(typed, record=record)
        refuse_invalid_form(form)
        corrected = correct_record(
            record,
            actor=require_person(request),
            changes=form.changes,
            reason=form.cleaned_data["reason"],
        )
        context = {"site": get_site_url(request)}
        return Response(ImportedTextSerializer(corrected, context=context).data, 201)

    @extend_schema(
        operation_id="record_contacts",
        request=None,
        responses={200: RecordContactSerializer(many=True), **describe_problems(403)},
    )
    @action(detail=True, methods=["get"], permission_classes=[MayReadContacts])
    def contacts(self, request: Request, nid: str, number: int) -> Response:
        """List the mail addresses that a record gives, as the registrar."""
        return Response(self.describe_contacts(self.get_object()))

    @extend_schema(
        operation_id="record_contact_confirm",
        request=ContactInputSerializer,
        responses=RecordContactSerializer(many=True),
    )
    @contacts.mapping.post
    def confirm_address(self, request: Request, nid: str, number: int) -> Response:
        """Have an address from a record notified of requests, as the registrar."""
        record = self.get_object()
        said = validate_input(ContactInputSerializer, request)
        typed = {"address": said.get("address", ""), "source": said.get("how", "")}
        confirmed = clean_form(ConfirmContactForm(typed))
        confirm_contact(record, actor=require_person(request), **confirmed)
        return Response(self.describe_contacts(record))

    @extend_schema(
        operation_id="record_contact_withdraw",
        request=ContactInputSerializer,
        responses=RecordContactSerializer(many=True),
    )
    @contacts.mapping.delete
    def withdraw_address(self, request: Request, nid: str, number: int) -> Response:
        """Stop notifying a confirmed address, as the registrar."""
        record = self.get_object()
        said = validate_input(ContactInputSerializer, request)
        address = said.get("address", "")
        contact = record.namespace.record_contacts.filter(address=address).first()
        if contact is None:
            raise Http404(_("That address was not confirmed."))
        withdraw_contact(contact, actor=require_person(request))
        return Response(self.describe_contacts(record))

    def describe_contacts(self, record: ImportedRecord) -> list[JSONObject]:
        """Return the addresses from a record as the API presents them."""
        return list(RecordContactSerializer.serialize_each(list_given_contacts(record)))


def get_namespace_or_404(nid: str) -> Namespace:
    """Return the namespace of that NID, whatever its case."""
    found = selectors.find_namespace(nids.canonical(nid))
    if found is None:
        raise Http404(UNREGISTERED)
    return found

"""NIDs held back, IANA's references, disputes and agreements."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import (
    contact_confirmations,
    entry_links,
    held_nids,
    namespace_records,
)
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    ReasonInputSerializer,
    YesNoField,
    clean_form,
)
from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.permissions import KeepsEntries, MayKeepEntries
from registry.api.problems import describe_problems
from registry.api.query_parameters import FieldsQuerySerializer, ListQuerySerializer
from registry.api.views import RegistryAPIView, get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.enums import DisputeKind, HoldGround
from registry.exchange.exports.entries import make_entry
from registry.forms.office import (
    DisputeForm,
    EndingForm,
    HoldAppealAnswerForm,
    HoldAppealForm,
    HoldForm,
    IanaReferenceForm,
    RenewHoldForm,
)
from registry.models import Dispute, HeldNid, Namespace, User
from registry.selectors.entry_faults import (
    EntryFaultKind,
    faulty_entries,
    list_faulty_entries,
)
from registry.selectors.held_nids import list_holds
from registry.serializers.base import build_url
from registry.serializers.namespaces import NamespaceDetailSerializer
from registry.serializers.office import (
    DisputeSerializer,
    FaultyEntrySerializer,
    HeldNidSerializer,
)
from registry.urn import nid as nids

HOLD_ORDERS: Final[SortOrders] = {"-held": ("-held_at", "-pk"), "nid": ("nid", "pk")}


class HoldsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of holds."""

    nid = serializers.CharField(required=False, max_length=40, help_text="In any case.")
    sort = make_sort_parameter(HOLD_ORDERS, "-held")


class SourcedInputSerializer(InputSerializer):
    """Input that names its source."""

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """Return the fields; `source` is a reserved word of the framework."""
        return {**super().get_fields(), "source": FreeTextField(help_text="Where it is recorded.")}


class RenewalInputSerializer(SourcedInputSerializer):
    """The grounds for a hold, and until when it lasts."""

    reasons = FreeTextField(help_text="What was ordered or directed; public.")
    until = serializers.DateField(help_text="At most a year from today.")


class HoldInputSerializer(RenewalInputSerializer):
    """A NID to hold back."""

    nid = FreeTextField()
    ground = serializers.ChoiceField(HoldGround.choices)


class EndingInputSerializer(InputSerializer):
    """How it ended; public."""

    ending = FreeTextField()


class AppealAnswerInputSerializer(InputSerializer):
    """The standards body's answer."""

    lifts = YesNoField(help_text="Whether the NID is not held back any more.")
    answer = FreeTextField(help_text="Reasons; public.")


@extend_schema_view(
    list=extend_schema(
        operation_id="held_nids",
        description="List the NIDs that are held back, or were, the newest first.",
        responses=HeldNidSerializer(many=True),
    )
)
class HeldNidViewSet(ListModelMixin, RegistryViewSet):
    """NIDs held back."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    path_parameters = (make_path_parameter("id", "The id of the hold."),)
    query_serializers = {"list": HoldsQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = HeldNidSerializer
    sort_orders = HOLD_ORDERS
    sort = "-held"
    not_found = gettext_lazy("There is no hold with that id.")

    def get_queryset(self) -> QuerySet[HeldNid]:
        found = list_holds()
        if nid := self.asked.get("nid"):
            return found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()
        return found

    @extend_schema(
        operation_id="held_nid_hold", request=HoldInputSerializer, responses=HeldNidSerializer
    )
    def create(self, request: Request) -> Response:
        """Hold back a NID, as the registrar or the standards body."""
        actor = require_hold_officer(request)
        said = clean_form(HoldForm(validate_input(HoldInputSerializer, request)))
        return self.respond(held_nids.hold_nid(actor=actor, **said), 201)

    @extend_schema(operation_id="held_nid", responses=HeldNidSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read a hold."""
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="held_nid_renew",
        parameters=[IF_MATCH_PARAMETER],
        request=RenewalInputSerializer,
        responses=HeldNidSerializer,
    )
    @action(detail=True, methods=["post"])
    def renew(self, request: Request, pk: int) -> Response:
        """Extend a hold, citing a new document."""
        actor, hold = require_hold_officer(request), self.get_object()
        require_if_match(request, make_hold_mark(hold))
        said = {**validate_input(RenewalInputSerializer, request), "seen": hold.until}
        held_nids.renew_hold(hold, actor=actor, **clean_form(RenewHoldForm(said)))
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="held_nid_end",
        request=EndingInputSerializer,
        responses={200: HeldNidSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def end(self, request: Request, pk: int) -> Response:
        """Release the NID; the list keeps why it was held back."""
        actor, hold = require_hold_officer(request), self.get_object()
        said = clean_form(EndingForm(validate_input(EndingInputSerializer, request)))
        held_nids.end_hold(hold, actor=actor, **said)
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="held_nid_appeal",
        request=ReasonInputSerializer,
        responses={200: HeldNidSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def appeal(self, request: Request, pk: int) -> Response:
        """Appeal to the standards body against the hold; once until it is renewed."""
        actor, hold = require_person(request), self.get_object()
        if not permissions.may_appeal_holds(actor):
            raise PermissionDenied(
                _("Anyone with a confirmed email address can appeal, except the standards body.")
            )
        said = validate_input(ReasonInputSerializer, request)
        reasons = clean_form(HoldAppealForm({"reasons": said.get("reason", "")}))
        held_nids.appeal_hold(hold, actor=actor, **reasons)
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="held_nid_answer",
        request=AppealAnswerInputSerializer,
        responses={200: HeldNidSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def answer(self, request: Request, pk: int) -> Response:
        """Answer the appeal, as the standards body."""
        actor, hold = require_person(request), self.get_object()
        if not permissions.may_answer_hold_appeals(actor):
            raise PermissionDenied(_("Only the standards body can answer appeals."))
        said = clean_form(
            HoldAppealAnswerForm(validate_input(AppealAnswerInputSerializer, request))
        )
        held_nids.answer_hold_appeal(hold, actor=actor, **said)
        return self.respond(self.get_object())

    def respond(self, hold: HeldNid, status: int = 200) -> Response:
        """Return a hold, with the mark that changes when it is renewed."""
        headers = {"ETag": make_etag(make_hold_mark(hold))}
        if status == 201:
            headers["Location"] = build_url(
                get_site_url(self.request), "api:held-nid-detail", hold.pk
            )
        return Response(self.get_serializer(hold).data, status, headers=headers)


def make_hold_mark(hold: HeldNid) -> str:
    """Return the mark that changes when a hold is renewed."""
    return hold.until.strftime("%Y%m%d")


def require_hold_officer(request: Request) -> User:
    """Return the caller, if they may hold back NIDs."""
    actor = require_person(request)
    if not permissions.may_hold_nids(actor):
        raise PermissionDenied(_("Only the registrar or the standards body can hold back NIDs."))
    return actor


class DisputeInputSerializer(SourcedInputSerializer):
    """A dispute or an agreement between parties."""

    kind = serializers.ChoiceField(DisputeKind.choices)
    parties = FreeTextField(help_text="Between whom.")
    text = FreeTextField(help_text="What it is about; public.")


@extend_schema_view(
    list=extend_schema(
        operation_id="disputes",
        description="List the disputes and agreements about a namespace, the newest first.",
        responses=DisputeSerializer(many=True),
    )
)
class DisputeViewSet(ListModelMixin, RegistryViewSet):
    """Disputes and agreements about one namespace."""

    permission_classes = [IsAuthenticatedOrReadOnly, MayKeepEntries]
    path_parameters = (make_path_parameter("id", "The id of the dispute or agreement."),)
    query_serializers = {"list": ListQuerySerializer}
    serializer_class = DisputeSerializer
    sort_orders = {"-recorded": ("-recorded_at", "-pk")}
    sort = "-recorded"
    not_found = gettext_lazy("The namespace has no dispute or agreement with that id.")

    def get_queryset(self) -> QuerySet[Dispute]:
        """Return what is recorded about the namespace."""
        return get_namespace_or_404(self.kwargs["nid"]).disputes.select_related("namespace")

    @extend_schema(
        operation_id="dispute_record", request=DisputeInputSerializer, responses=DisputeSerializer
    )
    def create(self, request: Request, nid: str) -> Response:
        """Record a dispute or an agreement, as the registrar; it blocks nothing."""
        namespace = get_namespace_or_404(nid)
        said = clean_form(DisputeForm(validate_input(DisputeInputSerializer, request)))
        recorded = namespace_records.record_dispute(
            namespace, actor=require_person(request), **said
        )
        return Response(self.get_serializer(recorded).data, 201)

    @extend_schema(
        operation_id="dispute_end",
        request=EndingInputSerializer,
        responses={200: DisputeSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def end(self, request: Request, nid: str, pk: int) -> Response:
        """Record the outcome, as the registrar; the record stays."""
        said = clean_form(EndingForm(validate_input(EndingInputSerializer, request)))
        namespace_records.end_dispute(self.get_object(), actor=require_person(request), **said)
        return Response(self.get_serializer(self.get_object()).data)


class IanaReferenceInputSerializer(InputSerializer):
    """The identifier that IANA knows the entry by."""

    iana_reference = FreeTextField(help_text="A ticket or an address; empty to take it away.")


class IanaReferenceView(RegistryAPIView):
    """IANA's reference of one namespace."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(operation_id="iana_reference", responses=NamespaceDetailSerializer)
    def get(self, request: Request, nid: str) -> Response:
        """Read the namespace, with the ETag that entering a reference requires."""
        return respond_with_namespace(request, get_namespace_or_404(nid))

    @extend_schema(
        operation_id="iana_reference_enter",
        parameters=[IF_MATCH_PARAMETER],
        request=IanaReferenceInputSerializer,
        responses=NamespaceDetailSerializer,
    )
    def put(self, request: Request, nid: str) -> Response:
        """Enter the identifier that IANA knows the namespace by, as the registrar."""
        actor, namespace = require_person(request), get_namespace_or_404(nid)
        if not permissions.may_keep_entries(actor):
            raise PermissionDenied(MayKeepEntries.message)
        seen = namespace.iana_reference
        require_if_match(request, make_iana_reference_mark(namespace))
        said = {**validate_input(IanaReferenceInputSerializer, request), "seen": seen}
        entered = clean_form(IanaReferenceForm(said))["iana_reference"]
        namespace_records.set_iana_reference(namespace, entered, actor=actor, seen=seen)
        return respond_with_namespace(request, get_namespace_or_404(nid))


def respond_with_namespace(request: Request, namespace: Namespace) -> Response:
    """Return a namespace, with the mark that changes with its IANA reference."""
    context = {"site": get_site_url(request), "reader": request.user}
    told = NamespaceDetailSerializer(make_entry(namespace), context=context).data
    return Response(told, headers={"ETag": make_etag(make_iana_reference_mark(namespace))})


def make_iana_reference_mark(namespace: Namespace) -> str:
    """Return the mark by which an outdated view of the reference is recognised."""
    return hashlib.sha256(namespace.iana_reference.encode()).hexdigest()[:20]


class ContactSeenSerializer(InputSerializer):
    """The correct contact, as it was read."""

    contact = FreeTextField(help_text="As the namespace says it.")


class ContactConfirmationView(RegistryAPIView):
    """Confirmation of a namespace's contact."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(
        operation_id="contact_confirm",
        request=ContactSeenSerializer,
        responses=NamespaceDetailSerializer,
    )
    def post(self, request: Request, nid: str) -> Response:
        """Confirm the contact you read, as a delegate of the holder; a letter asks each year."""
        actor, namespace = require_person(request), get_namespace_or_404(nid)
        if not permissions.may_confirm_contact(actor, namespace):
            raise PermissionDenied(_("The contact is confirmed by those who act for the holder."))
        seen = validate_input(ContactSeenSerializer, request).get("contact", "")
        contact_confirmations.confirm_contact(namespace, actor=actor, seen=seen)
        return respond_with_namespace(request, get_namespace_or_404(nid))


class FaultsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of faulty entries."""

    fault = serializers.ChoiceField(
        [(kind.value, kind.value) for kind in EntryFaultKind], required=False
    )


class EntryFaultViewSet(ListModelMixin, RegistryViewSet):
    """Faults in entries."""

    permission_classes = [KeepsEntries]
    query_serializers = {"list": FaultsQuerySerializer}
    serializer_class = FaultyEntrySerializer
    sort_orders = {"nid": ("nid",)}
    sort = "nid"

    def get_queryset(self) -> QuerySet[Any]:
        """Return the namespaces with a fault, or with one kind of fault."""
        kind = self.asked.get("fault")
        return faulty_entries(EntryFaultKind(kind) if kind else None)

    def paginate_queryset(self, queryset: Any) -> Any:
        """Return a page of the list, each namespace with its faults."""
        return list_faulty_entries(super().paginate_queryset(queryset) or [])

    @extend_schema(operation_id="entry_faults", responses=FaultyEntrySerializer(many=True))
    def list(self, request: Request) -> Response:
        """List the namespaces whose entry lacks something, for the registrar."""
        return super().list(request)


class LinkCheckView(RegistryAPIView):
    """The links of one entry."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(operation_id="links_check", request=None, responses={202: None})
    def post(self, request: Request, nid: str) -> Response:
        """Have the links of an entry checked, as the registrar; `entry-faults` has the results."""
        actor, namespace = require_person(request), get_namespace_or_404(nid)
        if not permissions.may_keep_entries(actor):
            raise PermissionDenied(MayKeepEntries.message)
        entry_links.request_link_check(namespace, actor=actor)
        return Response(status=202)

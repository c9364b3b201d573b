"""NIDs held back, IANA's references, disputes and agreements."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import (
    contact_confirmations,
    entry_links,
    namespace_records,
)
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import IF_MATCH_PARAMETER
from registry.api.permissions import KeepsEntries, MayKeepEntries
from registry.api.query_parameters import ListQuerySerializer
from registry.api.views import RegistryAPIView, get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.exchange.exports.entries import make_entry
from registry.forms.office import (
    IanaReferenceForm,
)
from registry.models import Namespace
from registry.selectors.entry_faults import (
    EntryFaultKind,
    faulty_entries,
    list_faulty_entries,
)
from registry.serializers.namespaces import NamespaceDetailSerializer
from registry.serializers.office import (
    FaultyEntrySerializer,
)


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

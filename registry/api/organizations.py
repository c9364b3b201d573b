"""Organizations: reading them, their website, who acts for them, and how people come to."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions, selectors
from registry.actions import delegates, organization_proofs
from registry.actions.organization_proofs import find_website_domain
from registry.api.co_editors import MailAddressInputSerializer
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import InputSerializer, clean_form
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.problems import describe_problems
from registry.api.query_parameters import (
    MAX_LISTED_CHARACTERS,
    FieldsQuerySerializer,
    ListQuerySerializer,
    split_listed,
)
from registry.api.views import get_request_or_404, require_person, validate_input
from registry.api.viewsets import RegistryViewSet, StreamedListViewSet, describe_streamed_list
from registry.enums import EvidenceKind, ProofMethod
from registry.forms.organization_evidence import OrganizationEvidenceForm
from registry.forms.organizations import DelegateForm, ProofForm, WebsiteForm
from registry.models import DelegateChange, Organization, User
from registry.presenters.organizations import list_delegates, list_holder_proof_addresses
from registry.selectors.organizations import filter_organizations_by_words
from registry.serializers.holder import DelegateChangeSerializer
from registry.serializers.organizations import (
    DelegateSerializer,
    OrganizationDetailSerializer,
    OrganizationSerializer,
    ProofSerializer,
)

ORGANIZATION_ID_PARAMETER: Final = make_path_parameter("id", "The id of the organization.")
MAYBE_ID: Final = re.compile("[0-9]{1,18}", re.ASCII)
ORGANIZATION_ORDERS: Final[SortOrders] = {
    "name": ("lower_name", "pk"),
    "-name": ("-lower_name", "pk"),
}


class OrganizationsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of organizations."""

    q = serializers.CharField(required=False, max_length=100, help_text="Words of the name.")
    id = serializers.CharField(
        required=False,
        max_length=MAX_LISTED_CHARACTERS,
        help_text="These alone, with commas between; one that is not there is left out.",
    )
    sort = make_sort_parameter(ORGANIZATION_ORDERS, "name")

    def validate_id(self, text: str) -> set[int]:
        ids = split_listed(text)
        if not all(MAYBE_ID.fullmatch(each) for each in ids):
            raise serializers.ValidationError(_("These are not ids with commas between."))
        return set(map(int, ids))


class WebsiteInputSerializer(InputSerializer):
    """The website of an organization."""

    website = serializers.CharField(max_length=200)
    source = serializers.CharField(  # type: ignore[assignment]
        required=False,
        max_length=300,
        help_text="Where it is known from; needed where the organization holds a namespace.",
    )


class EvidenceInputSerializer(InputSerializer):
    """Another name, a public identifier or another body, and where that is known from."""

    kind = serializers.ChoiceField(EvidenceKind.choices)
    value = serializers.CharField(
        max_length=200, help_text="The name, the address of the identifier, or the other's name."
    )
    source = serializers.CharField(required=False, max_length=300)  # type: ignore[assignment]
    withdraw = serializers.BooleanField(
        default=False,
        help_text="Takes back what was recorded; `value` is then as in `evidence`.",
    )


class RemovalInputSerializer(InputSerializer):
    """Confirms that the person removing a delegate knows the consequences."""

    knows_last = serializers.BooleanField(
        default=False, help_text="That nobody is left to act for the organization."
    )


class ProofInputSerializer(InputSerializer):
    """How a person will prove that they act for an organization."""

    method = serializers.ChoiceField(
        [each for each in ProofMethod.choices if each[0] != ProofMethod.WORD]
    )
    address = serializers.EmailField(
        required=False, max_length=254, help_text="Where the letter goes, of a proof by mail."
    )
    request = serializers.CharField(
        required=False, max_length=14, help_text="The request it shall speak for alone."
    )


class RequestReferenceInputSerializer(InputSerializer):
    """The request that somebody supports."""

    request = serializers.CharField(max_length=14, help_text="Its reference, in any case.")
    round = serializers.IntegerField(
        min_value=1, help_text="The number of the round that you read; your word is for that."
    )


@extend_schema_view(
    list=extend_schema(
        operation_id="organizations",
        description="List the organizations, those alone whose name has every word of `q`.\n\nWith "
        "`Accept: application/x-ndjson` they all come, one a line, while they are read.",
        responses=describe_streamed_list(OrganizationSerializer),
    )
)
class OrganizationViewSet(StreamedListViewSet):
    """The registrant bodies."""

    path_parameters = (ORGANIZATION_ID_PARAMETER,)
    query_serializers = {"list": OrganizationsQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = OrganizationSerializer
    detail_serializer_class = OrganizationDetailSerializer
    sort_orders = ORGANIZATION_ORDERS
    sort = "name"
    not_found = gettext_lazy("There is no organization with that id.")

    def get_queryset(self) -> QuerySet[Organization]:
        """Return the organizations of a list, or those the caller may see."""
        if self.action == "list":
            found = filter_organizations_by_words(
                selectors.public_organizations(), self.asked.get("q", "")
            ).annotate(lower_name=Lower("name"))
            return found.filter(pk__in=self.asked["id"]) if "id" in self.asked else found
        return selectors.organizations_visible_to(self.request.user)

    @extend_schema(operation_id="organization", responses=OrganizationDetailSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read an organization: what it holds and asks for, and who acts for it."""
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="organization_website",
        parameters=[IF_MATCH_PARAMETER],
        request=WebsiteInputSerializer,
        responses=OrganizationDetailSerializer,
    )
    def partial_update(self, request: Request, pk: int) -> Response:
        """Enter the website of an organization, as the registrar; proofs are based on it."""
        actor, organization = require_person(request), self.get_object()
        if not permissions.may_set_website(actor):
            raise PermissionDenied(
                _("Only the registrar can enter the website of an organization.")
            )
        require_if_match(request, make_website_mark(organization))
        said = {**validate_input(WebsiteInputSerializer, request), "seen": organization.website}
        form = WebsiteForm(said, organization=organization)
        organization_proofs.set_website(organization, actor=actor, **clean_form(form))
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="organization_evidence",
        request=EvidenceInputSerializer,
        responses={201: OrganizationDetailSerializer},
    )
    @action(detail=True, methods=["post"])
    def evidence(self, request: Request, pk: int) -> Response:
        """Record another name, an identifier or another body, as an officer; or take it back.

        Of a body that holds a namespace or is recognised it counts once a second officer has
        recorded the same.
        """
        actor, organization = require_person(request), self.get_object()
        if not permissions.may_record_evidence(actor, organization):
            raise PermissionDenied(
                _("Only a registrar or the standards body records that, without a part in it.")
            )
        said = validate_input(EvidenceInputSerializer, request)
        form = OrganizationEvidenceForm(said, organization=organization)
        clean_form(form)
        form.perform(actor)
        return Response(self.get_serializer(self.get_object()).data, 201)

    def respond(self, organization: Organization) -> Response:
        """Return an organization; only its website can be changed."""
        headers = {"ETag": make_etag(make_website_mark(organization))}
        return Response(self.get_serializer(organization).data, headers=headers)

    @extend_schema(
        operation_id="proof_ask", request=ProofInputSerializer, responses={201: ProofSerializer}
    )
    @action(detail=True, methods=["post"])
    def proofs(self, request: Request, pk: int) -> Response:
        """Ask to act for an organization, or for one request only; the answer says what to do."""
        actor, organization = require_person(request), self.get_object()
        said = validate_input(ProofInputSerializer, request)
        asked = get_request_or_404(request, said.pop("request")) if "request" in said else None
        chosen = clean_form(
            ProofForm(
                said,
                domain=find_website_domain(organization),
                addresses=list_holder_proof_addresses(organization),
            )
        )
        proof = organization_proofs.request_proof(
            organization,
            actor,
            ProofMethod(chosen["method"]),
            address=chosen["address"],
            registration_request=asked,
        )
        return Response(ProofSerializer(proof).data, 201)

    @extend_schema(
        operation_id="proof_agree",
        request=RequestReferenceInputSerializer,
        responses={201: ProofSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def agree(self, request: Request, pk: int) -> Response:
        """Support a round of another person's request, as one who acts for the organization."""
        actor, organization = require_person(request), self.get_object()
        said = validate_input(RequestReferenceInputSerializer, request)
        asked = get_request_or_404(request, said["request"])
        proof = organization_proofs.give_consent(
            organization, asked, actor=actor, seen=said["round"]
        )
        proof.refresh_from_db()
        return Response(ProofSerializer(proof).data, 201)


class DelegateViewSet(RegistryViewSet):
    """The people who act for an organization."""

    pagination_class = None
    lookup_url_kwarg = "delegate"
    path_parameters = (
        ORGANIZATION_ID_PARAMETER,
        make_path_parameter("delegate", "The id of the delegate."),
    )

    @extend_schema(
        operation_id="delegates",
        responses={200: DelegateSerializer(many=True), **describe_problems(403)},
    )
    def list(self, request: Request, pk: int) -> Response:
        """Read who acts for an organization, as one of them or as the registrar."""
        organization = get_organization_or_404(request, pk)
        if not permissions.may_see_delegates(require_person(request), organization):
            words = _("Only its delegates and the registrar can see who acts for %(organization)s.")
            raise PermissionDenied(words % {"organization": organization})
        return make_delegates_response(organization)

    @extend_schema(
        operation_id="delegate_name",
        request=MailAddressInputSerializer,
        responses={201: DelegateSerializer(many=True), 202: DelegateChangeSerializer},
    )
    def create(self, request: Request, pk: int) -> Response:
        """Add a delegate of an organization, by the mail address of their account.

        If it holds a namespace, the answer is a change to be confirmed with a code.
        """
        organization = require_may_name_delegates(
            require_person(request), get_organization_or_404(request, pk)
        )
        said = clean_form(DelegateForm(validate_input(MailAddressInputSerializer, request)))
        named = delegates.name_delegate(
            organization, said["address"], actor=require_person(request)
        )
        if isinstance(named, DelegateChange):
            return Response(DelegateChangeSerializer(named).data, 202)
        return make_delegates_response(organization, 201)

    @extend_schema(
        operation_id="delegate_remove",
        request=RemovalInputSerializer,
        responses={202: DelegateChangeSerializer, 204: None},
    )
    @action(detail=True, methods=["post"])
    def remove(self, request: Request, pk: int, delegate: int) -> Response:
        """Remove a delegate, or yourself.

        If the organization holds a namespace, removing another delegate is a change to be confirmed
        with a code.
        """
        actor, organization = require_person(request), get_organization_or_404(request, pk)
        found = User.objects.speaking_for(organization).filter(pk=delegate).first()
        if found is None or not permissions.may_see_delegates(actor, organization):
            raise Http404(_("No delegate of this organization has that id."))
        if found != actor:
            require_may_name_delegates(actor, organization)
        knows = validate_input(RemovalInputSerializer, request)["knows_last"]
        change = delegates.remove_delegate(organization, found, actor=actor, knows_last=knows)
        if change:
            return Response(DelegateChangeSerializer(change).data, 202)
        return Response(status=204)


def get_organization_or_404(request: Request, pk: int) -> Organization:
    found = selectors.organizations_visible_to(request.user).filter(pk=pk).first()
    if found is None:
        raise Http404(OrganizationViewSet.not_found)
    return found


def make_website_mark(organization: Organization) -> str:
    """Return the mark, at the start of the ETag, that changes with the website."""
    return hashlib.sha256(organization.website.encode()).hexdigest()[:12]


def require_may_name_delegates(actor: User, organization: Organization) -> Organization:
    """Return the organization, if the caller may decide who acts for it."""
    if not permissions.may_name_delegates(actor, organization):
        words = _("Only the delegates of %(organization)s can say who acts for it.")
        raise PermissionDenied(words % {"organization": organization})
    return organization


def make_delegates_response(organization: Organization, status: int = 200) -> Response:
    """Return who acts for an organization."""
    found = list_delegates(organization)
    return Response(list(DelegateSerializer.serialize_each(found)), status)

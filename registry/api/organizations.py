"""Organizations: reading them, their website, who acts for them, and how people come to."""

from __future__ import annotations

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
from registry.actions import domain_proofs
from registry.api.input_serializers import InputSerializer, clean_form
from registry.api.openapi import make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.query_parameters import (
    MAX_LISTED_CHARACTERS,
    FieldsQuerySerializer,
    ListQuerySerializer,
    split_listed,
)
from registry.api.views import require_person, validate_input
from registry.api.viewsets import StreamedListViewSet, describe_streamed_list
from registry.enums import EvidenceKind, SpeakerBasis
from registry.forms.organization_evidence import OrganizationEvidenceForm
from registry.forms.organizations import ProofForm
from registry.models import Organization
from registry.models.speaker import DOMAIN_BASES
from registry.selectors.organizations import filter_organizations_by_words
from registry.serializers.organizations import (
    OrganizationDetailSerializer,
    OrganizationSerializer,
)
from registry.serializers.speakers import ProofSerializer

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


class EvidenceInputSerializer(InputSerializer):
    """Another name, a public identifier or another body, and where that is known from."""

    kind = serializers.ChoiceField(EvidenceKind.choices)
    value = serializers.CharField(
        max_length=200, help_text="The name, the address of the identifier, or the other's name."
    )
    source = serializers.CharField(required=False, max_length=300)  # type: ignore[assignment]
    since = serializers.DateField(
        required=False, help_text="Of a website: since when its domain is the organization's."
    )
    withdraw = serializers.BooleanField(
        default=False,
        help_text="Takes back what was recorded; `value` is then as in `evidence`.",
    )


class ProofInputSerializer(InputSerializer):
    """How a person will prove that they act for an organization."""

    method = serializers.ChoiceField([(basis, basis.label) for basis in DOMAIN_BASES])
    address = serializers.EmailField(
        required=False, max_length=254, help_text="Where the letter goes, of a proof by mail."
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
        return Response(self.get_serializer(self.get_object()).data)

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

    @extend_schema(
        operation_id="proof_ask", request=ProofInputSerializer, responses={201: ProofSerializer}
    )
    @action(detail=True, methods=["post"])
    def proofs(self, request: Request, pk: int) -> Response:
        """Ask to prove by its domain that you act for an organization; the answer says how."""
        actor, organization = require_person(request), self.get_object()
        answers = validate_input(ProofInputSerializer, request)
        chosen = clean_form(
            ProofForm(
                answers,
                domain=domain_proofs.find_website_domain(organization),
                addresses=domain_proofs.list_proof_addresses(organization),
            )
        )
        proof = domain_proofs.request_proof(
            organization, actor, SpeakerBasis(chosen["method"]), address=chosen["address"]
        )
        return Response(ProofSerializer(proof).data, 201)


def get_organization_or_404(request: Request, pk: int) -> Organization:
    found = selectors.organizations_visible_to(request.user).filter(pk=pk).first()
    if found is None:
        raise Http404(OrganizationViewSet.not_found)
    return found

"""Organizations: reading them, their website, and who acts for them."""

from __future__ import annotations

import hashlib
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions, selectors
from registry.actions import delegates, organization_proofs
from registry.api.co_editors import MailAddressInputSerializer
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import InputSerializer, clean_form
from registry.api.openapi import (
    EDITING_PROBLEMS,
    IDEMPOTENCY_KEY_PARAMETER,
    IF_MATCH_PARAMETER,
    READING_PROBLEMS,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    make_sort_parameter,
    paginate_queryset,
)
from registry.api.problems import describe_problems
from registry.api.query_parameters import (
    FieldsQuerySerializer,
    ListQuerySerializer,
    serialize_sparsely,
    validate_query,
)
from registry.api.views import (
    RegistryAPIView,
    require_person,
    validate_input,
)
from registry.forms.organizations import DelegateForm, WebsiteForm
from registry.models import Organization, User
from registry.presenters.organizations import list_delegates
from registry.serializers.organizations import (
    DelegateSerializer,
    OrganizationDetailSerializer,
    OrganizationSerializer,
)

ORGANIZATION_ID_PARAMETER: Final = make_path_parameter("id", "The id of the organization.")
ORGANIZATION_ORDERS: Final = {
    "name": (SortKey(Lower("name")), SortKey("pk")),
    "-name": (SortKey(Lower("name"), descends=True), SortKey("pk")),
}


class OrganizationsQuerySerializer(ListQuerySerializer):
    """What the list of organizations can be asked with."""

    q = serializers.CharField(required=False, max_length=100, help_text="Words of the name.")
    sort = make_sort_parameter(ORGANIZATION_ORDERS, "name")


class OrganizationsView(RegistryAPIView):
    """The registrant bodies."""

    @extend_schema(
        operation_id="organizations",
        parameters=[OrganizationsQuerySerializer],
        responses={
            200: make_list_serializer(OrganizationSerializer),
            **describe_problems(400, 401),
        },
    )
    def get(self, request: Request) -> Response:
        """List the organizations, those alone whose name has every word of `q`."""
        asked = validate_query(OrganizationsQuerySerializer, request)
        part = paginate_queryset(
            filter_by_words(asked.get("q", "")), ORGANIZATION_ORDERS, asked, "name"
        )
        return make_page_response(request, part, OrganizationSerializer)


def filter_by_words(words: str) -> QuerySet[Organization]:
    """Return the organizations whose name has every word."""
    found = selectors.public_organizations()
    for word in words.split():
        found = found.filter(name__icontains=word)
    return found


def get_organization_or_404(request: Request, pk: int) -> Organization:
    """Return the organization of that id, if whoever asks may know of it."""
    found = selectors.organizations_visible_to(request.user).filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no organization of that id."))
    return found


def make_organization_response(request: Request, pk: int, status: int = 200) -> Response:
    """Return an organization as whoever asks may see it; its website is what can be changed."""
    organization = get_organization_or_404(request, pk)
    row = serialize_sparsely(request, organization, OrganizationDetailSerializer)
    headers = {"ETag": make_etag(make_website_mark(organization))}
    return Response(row, status, headers=headers)


def make_website_mark(organization: Organization) -> str:
    """Return by what a changed website is known, as the ETag of the organization begins."""
    return hashlib.sha256(organization.website.encode()).hexdigest()[:12]


DELEGATE_ID_PARAMETER: Final = make_path_parameter("delegate", "The id of the delegate.")


class WebsiteInputSerializer(InputSerializer):
    """The website of an organization."""

    website = serializers.CharField(max_length=200)


class RemovalInputSerializer(InputSerializer):
    """That whoever takes a delegate off knows what follows."""

    knows_last = serializers.BooleanField(
        default=False, help_text="That nobody is left to act for the organization."
    )


class OrganizationView(RegistryAPIView):
    """One organization."""

    @extend_schema(
        operation_id="organization",
        parameters=[ORGANIZATION_ID_PARAMETER, FieldsQuerySerializer],
        responses={200: OrganizationDetailSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read an organization: what it holds and asks for, and who acts for it."""
        validate_query(FieldsQuerySerializer, request)
        return make_organization_response(request, pk)

    @extend_schema(
        operation_id="organization_website",
        parameters=[ORGANIZATION_ID_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=WebsiteInputSerializer,
        responses={200: OrganizationDetailSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Enter the website of an organization, as the registrar; proofs rest on it."""
        actor, organization = require_person(request), get_organization_or_404(request, pk)
        if not permissions.may_set_website(actor):
            raise PermissionDenied(_("The website of an organization is entered by the registrar."))
        require_if_match(request, make_website_mark(organization))
        said = {**validate_input(WebsiteInputSerializer, request), "seen": organization.website}
        form = WebsiteForm(said, organization=organization)
        organization_proofs.set_website(organization, actor=actor, **clean_form(form))
        return make_organization_response(request, pk)


class DelegatesView(RegistryAPIView):
    """Those who act for an organization."""

    @extend_schema(
        operation_id="delegates",
        parameters=[ORGANIZATION_ID_PARAMETER],
        responses={200: DelegateSerializer(many=True), **describe_problems(401, 403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read who acts for an organization, as one of them or as the registrar."""
        organization = get_organization_or_404(request, pk)
        if not permissions.may_see_delegates(require_person(request), organization):
            words = _(
                "Who acts for %(organization)s is for its delegates and the registrar to see."
            )
            raise PermissionDenied(words % {"organization": organization})
        return make_delegates_response(organization)

    @extend_schema(
        operation_id="delegate_name",
        parameters=[ORGANIZATION_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=MailAddressInputSerializer,
        responses={201: DelegateSerializer(many=True), **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Name somebody to act for an organization, by the mail address of their account."""
        organization = require_may_name_delegates(
            require_person(request), get_organization_or_404(request, pk)
        )
        said = clean_form(DelegateForm(validate_input(MailAddressInputSerializer, request)))
        delegates.name_delegate(organization, said["address"], actor=require_person(request))
        return make_delegates_response(organization, 201)


class DelegateView(RegistryAPIView):
    """One who acts for an organization."""

    @extend_schema(
        operation_id="delegate_remove",
        parameters=[ORGANIZATION_ID_PARAMETER, DELEGATE_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=RemovalInputSerializer,
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, pk: int, delegate: int) -> Response:
        """Take a delegate off, or yourself."""
        actor, organization = require_person(request), get_organization_or_404(request, pk)
        found = organization.delegates.filter(pk=delegate).first()
        if found is None or not permissions.may_see_delegates(actor, organization):
            raise Http404(_("No delegate of this organization has that id."))
        if found != actor:
            require_may_name_delegates(actor, organization)
        knows = validate_input(RemovalInputSerializer, request)["knows_last"]
        delegates.remove_delegate(organization, found, actor=actor, knows_last=knows)
        return Response(status=204)


def require_may_name_delegates(actor: User, organization: Organization) -> Organization:
    """Return the organization, for those who say who acts for it."""
    if not permissions.may_name_delegates(actor, organization):
        words = _("Who acts for %(organization)s is said by its delegates.")
        raise PermissionDenied(words % {"organization": organization})
    return organization


def make_delegates_response(organization: Organization, status: int = 200) -> Response:
    """Return who acts for an organization."""
    found = list_delegates(organization)
    return Response(list(DelegateSerializer.serialize_each(found)), status)

"""Organizations: their website, and who acts for them."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules
from registry.api.acts.writers import AddressSaid
from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door, heard, person, refusals_told
from registry.api.parameters import EDITING, IF_MATCH, KEY, READING, WRITING, in_path
from registry.api.problems import refusals
from registry.api.reading.organizations import ID, mark, organization_of, shown
from registry.api.said import Said, typed
from registry.api.seen import refuse_unseen
from registry.api.shapes.others import DelegateShape, OrganizationDetailShape
from registry.delegation import delegates, websites
from registry.forms.organizations import DelegateForm, WebsiteForm
from registry.models import Organization, User
from registry.pages.organization import delegates as acting
from registry.pages.told.organizations import delegate_told

DELEGATE: Final = in_path("delegate", "The id of the delegate.")


class WebsiteSaid(Said):
    """The website of an organization."""

    website = serializers.CharField(max_length=200)


class RemovalSaid(Said):
    """That whoever takes a delegate off knows what follows."""

    knows_last = serializers.BooleanField(
        default=False, help_text="That nobody is left to act for the organization."
    )


class OrganizationView(Door):
    """One organization."""

    @extend_schema(
        operation_id="organization",
        parameters=[ID, FieldsAsked],
        responses={200: OrganizationDetailShape, **refusals(*READING)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read an organization: what it holds and asks for, and who acts for it."""
        asked_with(FieldsAsked, request)
        return shown(request, pk)

    @extend_schema(
        operation_id="organization_website",
        parameters=[ID, IF_MATCH, KEY],
        request=WebsiteSaid,
        responses={200: OrganizationDetailShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Enter the website of an organization, as the registrar; proofs rest on it."""
        actor, organization = person(request), organization_of(request, pk)
        if not rules.may_say_website(actor):
            raise PermissionDenied(_("The website of an organization is entered by the registrar."))
        refuse_unseen(request, mark(organization))
        said = {**heard(WebsiteSaid, request), "seen": organization.website}
        form = WebsiteForm(said, organization=organization)
        with refusals_told():
            websites.say(organization, actor=actor, **typed(form))
        return shown(request, pk)


class DelegatesView(Door):
    """Those who act for an organization."""

    @extend_schema(
        operation_id="delegates",
        parameters=[ID],
        responses={200: DelegateShape(many=True), **refusals(401, 403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read who acts for an organization, as one of them or as the registrar."""
        organization = organization_of(request, pk)
        if not rules.may_see_delegates(person(request), organization):
            words = _(
                "Who acts for %(organization)s is for its delegates and the registrar to see."
            )
            raise PermissionDenied(words % {"organization": organization})
        return delegates_told(organization)

    @extend_schema(
        operation_id="delegate_name",
        parameters=[ID, KEY],
        request=AddressSaid,
        responses={201: DelegateShape(many=True), **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Name somebody to act for an organization, by the mail address of their account."""
        organization = named_by(person(request), organization_of(request, pk))
        said = typed(DelegateForm(heard(AddressSaid, request)))
        with refusals_told():
            delegates.name(organization, said["address"], actor=person(request))
        return delegates_told(organization, 201)


class DelegateView(Door):
    """One who acts for an organization."""

    @extend_schema(
        operation_id="delegate_remove",
        parameters=[ID, DELEGATE, KEY],
        request=RemovalSaid,
        responses={204: None, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int, delegate: int) -> Response:
        """Take a delegate off, or yourself."""
        actor, organization = person(request), organization_of(request, pk)
        found = organization.delegates.filter(pk=delegate).first()
        if found is None or not rules.may_see_delegates(actor, organization):
            raise Http404(_("No delegate of this organization has that id."))
        if found != actor:
            named_by(actor, organization)
        knows = heard(RemovalSaid, request)["knows_last"]
        with refusals_told():
            delegates.remove(organization, found, actor=actor, knows_last=knows)
        return Response(status=204)


def named_by(actor: User, organization: Organization) -> Organization:
    """Return the organization, for those who say who acts for it."""
    if not rules.may_name_delegates(actor, organization):
        words = _("Who acts for %(organization)s is said by its delegates.")
        raise PermissionDenied(words % {"organization": organization})
    return organization


def delegates_told(organization: Organization, status: int = 200) -> Response:
    """Return who acts for an organization."""
    found = acting(organization)
    return Response([delegate_told(each.person.pk, str(each.person)) for each in found], status)

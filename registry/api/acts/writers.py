"""Who writes a request beside its author: co-editors, invited and taken off."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules
from registry.api.door import Door, OwnDoor, find, heard, person, refusals_told
from registry.api.parameters import KEY, READING, REFERENCE, WRITING, in_path
from registry.api.problems import refusals
from registry.api.said import Said, typed
from registry.api.shapes.shape import Shape, line, whole
from registry.delegation import co_editors
from registry.forms.organizations import InviteForm
from registry.models import Invitation, RegistrationRequest
from registry.pages.told.written import moment

ID = in_path("id", "The id.")


class WriterShape(Shape):
    """A co-editor."""

    id = whole()
    name = line()


class InvitationShape(Shape):
    """An invitation that nobody has followed yet."""

    id = whole()
    request = line("Its reference.")
    address = line("Where it went.")
    invited_by = line()
    open_until = serializers.DateTimeField()


class WritersShape(Shape):
    """Who writes a request, and who was invited to."""

    author = line()
    co_editors = WriterShape(many=True)
    invitations = InvitationShape(many=True)


class AddressSaid(Said):
    """The mail address of somebody."""

    address = serializers.EmailField(max_length=254)


class WritersView(Door):
    """Those who write a request; to others they are not there."""

    @extend_schema(
        operation_id="writers",
        parameters=[REFERENCE],
        responses={200: WritersShape, **refusals(*READING)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read who writes a request with you, and who was invited to."""
        return Response(writers_told(written(request, reference)))


class InvitationsView(Door):
    """Invitations to write a request."""

    @extend_schema(
        operation_id="co_editor_invite",
        parameters=[REFERENCE, KEY],
        request=AddressSaid,
        responses={201: WritersShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Invite somebody to write this one request; a letter goes to the address."""
        registration_request = written(request, reference)
        said = typed(InviteForm(heard(AddressSaid, request)))
        with refusals_told():
            co_editors.invite(registration_request, said["address"], actor=person(request))
        return Response(writers_told(registration_request), 201)


class InvitationView(Door):
    """One invitation."""

    @extend_schema(
        operation_id="co_editor_take_back",
        parameters=[REFERENCE, ID, KEY],
        responses={200: WritersShape, **refusals(*WRITING)},
    )
    def delete(self, request: Request, reference: str, pk: int) -> Response:
        """Take an invitation back; its link leads nowhere from then on."""
        registration_request = written(request, reference)
        invitation = registration_request.invitations.filter(pk=pk).first()
        if invitation is None:
            raise Http404(_("There is no invitation of that id."))
        with refusals_told():
            co_editors.take_back(invitation, actor=person(request))
        return Response(writers_told(registration_request))


class CoEditorView(Door):
    """One co-editor."""

    @extend_schema(
        operation_id="co_editor_remove",
        parameters=[REFERENCE, ID, KEY],
        responses={204: None, **refusals(*WRITING)},
    )
    def delete(self, request: Request, reference: str, pk: int) -> Response:
        """Take a co-editor off, or yourself."""
        registration_request = written(request, reference)
        co_editor = registration_request.co_editors.filter(pk=pk).first()
        if co_editor is None:
            raise Http404(_("No co-editor of this request has that id."))
        with refusals_told():
            co_editors.remove(registration_request, co_editor, actor=person(request))
        return Response(status=204)


class OwnInvitationsView(OwnDoor):
    """Invitations that whoever asks can follow."""

    @extend_schema(
        operation_id="invitations",
        responses={200: InvitationShape(many=True), **refusals(401)},
    )
    def get(self, request: Request) -> Response:
        """Read the invitations that you can follow."""
        waiting = co_editors.invitations_of(person(request))
        return Response([invitation_told(each) for each in waiting])


class JoinView(OwnDoor):
    """Following an invitation."""

    @extend_schema(
        operation_id="co_editor_join",
        parameters=[ID, KEY],
        request=None,
        responses={204: None, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Follow an invitation: you are a co-editor of its request from then on."""
        actor = person(request)
        addressed = Invitation.objects.filter(address__in=co_editors.addresses_of(actor))
        invitation = addressed.select_related("registration_request").filter(pk=pk).first()
        if invitation is None:
            raise Http404(_("No invitation of that id went to you."))
        with refusals_told():
            co_editors.join(invitation, actor=actor)
        return Response(status=204)


def written(request: Request, reference: str) -> RegistrationRequest:
    """Return the request, for those who write it."""
    person(request)
    registration_request = find(request, reference)
    if not rules.may_write(request.user, registration_request):
        raise Http404(_("There is no request with that reference that you write."))
    return registration_request


def writers_told(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return who writes a request, and who was invited to."""
    waiting = registration_request.invitations.filter(closed_at=None)
    beside = registration_request.co_editors.order_by("name", "pk")
    return {
        "author": registration_request.author.name,
        "co_editors": [{"id": each.pk, "name": str(each)} for each in beside],
        "invitations": [
            invitation_told(each)
            for each in waiting.select_related("invited_by", "registration_request")
        ],
    }


def invitation_told(invitation: Invitation) -> dict[str, Any]:
    """Return an invitation; its secret is in the letter alone."""
    return {
        "id": invitation.pk,
        "request": invitation.registration_request.reference,
        "address": invitation.address,
        "invited_by": invitation.invited_by.name,
        "open_until": moment(co_editors.open_until(invitation)),
    }

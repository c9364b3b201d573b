"""Who writes a request beside its author: co-editors, invited and taken off."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import co_editors
from registry.api.input_serializers import InputSerializer, clean_form
from registry.api.openapi import (
    IDEMPOTENCY_KEY_PARAMETER,
    READING_PROBLEMS,
    REFERENCE_PARAMETER,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.problems import describe_problems
from registry.api.views import (
    AccountAPIView,
    RegistryAPIView,
    get_request_or_404,
    require_person,
    validate_input,
)
from registry.forms.organizations import InviteCoEditorForm
from registry.models import Invitation, RegistrationRequest
from registry.serializers.co_editors import InvitationSerializer, WritersSerializer

CO_EDITOR_ID_PARAMETER = make_path_parameter("id", "The id.")


class MailAddressInputSerializer(InputSerializer):
    """The mail address of somebody."""

    address = serializers.EmailField(max_length=254)


class WritersView(RegistryAPIView):
    """Those who write a request; to others they are not there."""

    @extend_schema(
        operation_id="writers",
        parameters=[REFERENCE_PARAMETER],
        responses={200: WritersSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read who writes a request with you, and who was invited to."""
        return Response(WritersSerializer(get_request_for_writers(request, reference)).data)


class InvitationsView(RegistryAPIView):
    """Invitations to write a request."""

    @extend_schema(
        operation_id="co_editor_invite",
        parameters=[REFERENCE_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=MailAddressInputSerializer,
        responses={201: WritersSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Invite somebody to write this one request; a letter goes to the address."""
        registration_request = get_request_for_writers(request, reference)
        said = clean_form(InviteCoEditorForm(validate_input(MailAddressInputSerializer, request)))
        co_editors.invite_co_editor(
            registration_request, said["address"], actor=require_person(request)
        )
        return Response(WritersSerializer(registration_request).data, 201)


class InvitationView(RegistryAPIView):
    """One invitation."""

    @extend_schema(
        operation_id="co_editor_take_back",
        parameters=[REFERENCE_PARAMETER, CO_EDITOR_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        responses={200: WritersSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, reference: str, pk: int) -> Response:
        """Take an invitation back; its link leads nowhere from then on."""
        registration_request = get_request_for_writers(request, reference)
        invitation = registration_request.invitations.filter(pk=pk).first()
        if invitation is None:
            raise Http404(_("There is no invitation of that id."))
        co_editors.revoke_invitation(invitation, actor=require_person(request))
        return Response(WritersSerializer(registration_request).data)


class CoEditorView(RegistryAPIView):
    """One co-editor."""

    @extend_schema(
        operation_id="co_editor_remove",
        parameters=[REFERENCE_PARAMETER, CO_EDITOR_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, reference: str, pk: int) -> Response:
        """Take a co-editor off, or yourself."""
        registration_request = get_request_for_writers(request, reference)
        co_editor = registration_request.co_editors.filter(pk=pk).first()
        if co_editor is None:
            raise Http404(_("No co-editor of this request has that id."))
        co_editors.remove_co_editor(registration_request, co_editor, actor=require_person(request))
        return Response(status=204)


class OwnInvitationsView(AccountAPIView):
    """Invitations that whoever asks can follow."""

    @extend_schema(
        operation_id="invitations",
        responses={200: InvitationSerializer(many=True), **describe_problems(401)},
    )
    def get(self, request: Request) -> Response:
        """Read the invitations that you can follow."""
        waiting = co_editors.invitations_open_to(require_person(request))
        return Response(list(InvitationSerializer.serialize_each(waiting)))


class InvitationAcceptanceView(AccountAPIView):
    """Following an invitation."""

    @extend_schema(
        operation_id="co_editor_join",
        parameters=[CO_EDITOR_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=None,
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Follow an invitation: you are a co-editor of its request from then on."""
        actor = require_person(request)
        addressed = Invitation.objects.filter(
            address__in=co_editors.list_confirmed_addresses(actor)
        )
        invitation = addressed.select_related("registration_request").filter(pk=pk).first()
        if invitation is None:
            raise Http404(_("No invitation of that id went to you."))
        co_editors.accept_invitation(invitation, actor=actor)
        return Response(status=204)


def get_request_for_writers(request: Request, reference: str) -> RegistrationRequest:
    """Return the request, for those who write it."""
    require_person(request)
    registration_request = get_request_or_404(request, reference)
    if not permissions.may_write(request.user, registration_request):
        raise Http404(_("There is no request with that reference that you write."))
    return registration_request

"""People who write a request with its author: inviting and removing co-editors."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import co_editors
from registry.api.input_serializers import InputSerializer, clean_form
from registry.api.openapi import make_path_parameter
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    require_person,
    validate_input,
)
from registry.api.viewsets import AccountViewSet, RegistryViewSet
from registry.forms.organizations import InviteCoEditorForm
from registry.models import Invitation, RegistrationRequest
from registry.serializers.co_editors import InvitationSerializer, WritersSerializer

CO_EDITOR_ID_PARAMETER = make_path_parameter("id", "The id.")


class MailAddressInputSerializer(InputSerializer):
    """The mail address of a person."""

    address = serializers.EmailField(max_length=254)


class WritersView(RegistryAPIView):
    """The people who write a request; others get 404."""

    @extend_schema(operation_id="writers", responses=WritersSerializer)
    def get(self, request: Request, reference: str) -> Response:
        """Read who writes a request with you, and who is invited to."""
        return Response(WritersSerializer(get_request_for_writers(request, reference)).data)


class InvitationViewSet(RegistryViewSet):
    """Invitations to write a request."""

    path_parameters = (CO_EDITOR_ID_PARAMETER,)

    @extend_schema(
        operation_id="co_editor_invite",
        request=MailAddressInputSerializer,
        responses=WritersSerializer,
    )
    def create(self, request: Request, reference: str) -> Response:
        """Invite somebody to write this one request; a letter goes to the address."""
        registration_request = get_request_for_writers(request, reference)
        said = clean_form(InviteCoEditorForm(validate_input(MailAddressInputSerializer, request)))
        co_editors.invite_co_editor(
            registration_request, said["address"], actor=require_person(request)
        )
        return Response(WritersSerializer(registration_request).data, 201)

    @extend_schema(operation_id="co_editor_take_back", responses={200: WritersSerializer})
    def destroy(self, request: Request, reference: str, pk: int) -> Response:
        """Withdraw an invitation; its link stops working."""
        registration_request = get_request_for_writers(request, reference)
        invitation = registration_request.invitations.filter(pk=pk).first()
        if invitation is None:
            raise Http404(_("There is no invitation with that id."))
        co_editors.revoke_invitation(invitation, actor=require_person(request))
        return Response(WritersSerializer(registration_request).data)


class CoEditorViewSet(RegistryViewSet):
    """The co-editors of a request."""

    path_parameters = (CO_EDITOR_ID_PARAMETER,)

    @extend_schema(operation_id="co_editor_remove", responses={204: None})
    def destroy(self, request: Request, reference: str, pk: int) -> Response:
        """Remove a co-editor, or yourself."""
        registration_request = get_request_for_writers(request, reference)
        co_editor = registration_request.co_editors.filter(pk=pk).first()
        if co_editor is None:
            raise Http404(_("No co-editor of this request has that id."))
        co_editors.remove_co_editor(registration_request, co_editor, actor=require_person(request))
        return Response(status=204)


@extend_schema_view(
    list=extend_schema(
        operation_id="invitations",
        description="Read the invitations that you can follow.",
        responses=InvitationSerializer(many=True),
    )
)
class OwnInvitationViewSet(ListModelMixin, AccountViewSet):
    """Invitations that the caller can accept."""

    path_parameters = (CO_EDITOR_ID_PARAMETER,)
    serializer_class = InvitationSerializer
    not_found = gettext_lazy("No invitation of that id went to you.")

    def get_queryset(self) -> QuerySet[Invitation]:
        """Return open invitations, or all that were ever sent to one of the caller's addresses."""
        somebody = require_person(self.request)
        if self.action == "list":
            return co_editors.invitations_open_to(somebody)
        addresses = co_editors.list_confirmed_addresses(somebody)
        return Invitation.objects.filter(address__in=addresses).select_related(
            "registration_request"
        )

    @extend_schema(operation_id="co_editor_join", request=None, responses={204: None})
    @action(detail=True, methods=["post"])
    def join(self, request: Request, pk: int) -> Response:
        """Accept an invitation: you become a co-editor of its request."""
        co_editors.accept_invitation(self.get_object(), actor=require_person(request))
        return Response(status=204)


def get_request_for_writers(request: Request, reference: str) -> RegistrationRequest:
    """Return the request, if the caller writes it."""
    require_person(request)
    registration_request = get_request_or_404(request, reference)
    if not permissions.may_write(request.user, registration_request):
        raise Http404(_("You do not write a request with that reference."))
    return registration_request

"""The JSON of a request's authors, and of invitations to become one."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.actions.co_editors import find_invitation_expiry
from registry.models import Invitation, RegistrationRequest, User
from registry.serializers.base import (
    JSONObject,
    OutputSerializer,
    format_datetime,
    integer_field,
    text_field,
)


class WriterSerializer(OutputSerializer[User]):
    """A co-editor."""

    id = integer_field()
    name = text_field(source="*")


class InvitationSerializer(OutputSerializer[Invitation]):
    """An invitation that nobody has accepted yet."""

    id = integer_field()
    request = text_field("Its reference.", source="registration_request.reference")
    address = text_field("Where it went.")
    invited_by = text_field(source="invited_by.name")
    open_until = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DateTimeField())
    def get_open_until(self, invitation: Invitation) -> str:
        """Return until when its link works; only the letter contains the secret."""
        return format_datetime(find_invitation_expiry(invitation))


class WritersSerializer(OutputSerializer[RegistrationRequest]):
    """The authors of a request, and the invitations."""

    author = text_field(source="author.name")
    co_editors = serializers.SerializerMethodField()
    invitations = serializers.SerializerMethodField()

    @extend_schema_field(WriterSerializer(many=True))
    def get_co_editors(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the authors besides the first."""
        beside = registration_request.co_editors.order_by("name", "pk")
        return list(WriterSerializer.serialize_each(beside))

    @extend_schema_field(InvitationSerializer(many=True))
    def get_invitations(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the pending invitations."""
        waiting = registration_request.invitations.filter(closed_at=None)
        found = waiting.select_related("invited_by", "registration_request")
        return list(InvitationSerializer.serialize_each(found))

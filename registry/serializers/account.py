"""The JSON of an account: the caller, their tokens, and what they follow."""

from __future__ import annotations

from rest_framework import serializers

from registry.enums import LetterDelivery, TokenScope
from registry.models import Follow, Token, User
from registry.serializers.base import (
    OutputSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)


class AccountSerializer(OutputSerializer[User]):
    """The caller's account."""

    name = text_field()
    email = text_field()
    roles = serializers.SerializerMethodField(help_text="What the registry made you.")
    delivery = serializers.ChoiceField(LetterDelivery.choices)
    has_shortcuts = serializers.BooleanField()

    def get_roles(self, somebody: User) -> list[str]:
        """Return the roles, sorted by name."""
        return sorted(somebody.roles)


class TokenSerializer(OutputSerializer[Token]):
    """A token; its secret was shown only when it was created."""

    key = serializers.UUIDField(source="form_key")
    name = text_field("What it is for.")
    created = serializers.DateTimeField()
    expiry = serializers.DateTimeField(allow_null=True)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(TokenScope.choices), help_text="What it may be used for."
    )
    last_used_at = serializers.DateTimeField(
        allow_null=True, help_text="To within five minutes; null where it was never used."
    )


class FollowSerializer(OutputSerializer[Follow]):
    """Something that is followed: a request, a NID, or everything if both are null."""

    id = integer_field()
    request = nullable_text_field(
        "The reference of a request.", source="registration_request.reference"
    )
    nid = nullable_text_field()
    since = serializers.DateTimeField()

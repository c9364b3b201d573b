"""What a person says of themselves, and their tokens."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.door import OwnDoor, heard, person
from registry.api.parameters import EDITING, IF_MATCH, KEY, WRITING, in_path
from registry.api.problems import refusals
from registry.api.said import Said, Text, typed
from registry.api.seen import etag, refuse_unseen
from registry.api.shapes.shape import Shape, line, texts
from registry.choices import Delivery
from registry.forms.account import ProfileForm
from registry.models import Token, User
from registry.pages.told.written import moment
from registry.queries import shown_anew


class AccountShape(Shape):
    """Who asks."""

    name = line()
    email = line()
    roles = texts("What the registry made you.")
    delivery = serializers.ChoiceField(Delivery.choices)
    has_shortcuts = serializers.BooleanField()


class AccountSaid(Said):
    """How a person wants to be called and told; what is left out stays as it is."""

    name = Text()
    delivery = serializers.ChoiceField(Delivery.choices, required=False)
    has_shortcuts = serializers.BooleanField(required=False)


class TokenShape(Shape):
    """A token; what opens with it was shown when it was made, and never again."""

    key = serializers.UUIDField()
    name = line("What it is for.")
    created = serializers.DateTimeField()
    expiry = serializers.DateTimeField(allow_null=True)


class AccountView(OwnDoor):
    """The account of whoever asks."""

    @extend_schema(operation_id="account", responses={200: AccountShape, **refusals(401)})
    def get(self, request: Request) -> Response:
        """Read who you are here, and what you are called and told."""
        return told(person(request))

    @extend_schema(
        operation_id="account_change",
        parameters=[IF_MATCH, KEY],
        request=AccountSaid,
        responses={200: AccountShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request) -> Response:
        """Change your name, or when you want to read letters about what you follow."""
        somebody = person(request)
        refuse_unseen(request, mark(somebody))
        stays = {name: getattr(somebody, name) for name in ProfileForm.base_fields}
        said = typed(ProfileForm({**stays, **heard(AccountSaid, request)}))
        for name, value in said.items():
            setattr(somebody, name, value)
        with transaction.atomic():
            somebody.save(update_fields=list(said))
            # The name stands on public pages.
            shown_anew()
        return told(somebody)


class TokensView(OwnDoor):
    """The tokens of whoever asks. They are made on the page alone: no token makes another."""

    @extend_schema(operation_id="tokens", responses={200: TokenShape(many=True), **refusals(401)})
    def get(self, request: Request) -> Response:
        """Read which tokens you have."""
        tokens = Token.objects.filter(user=person(request))
        return Response([token_told(each) for each in tokens])


class TokenView(OwnDoor):
    """One token."""

    @extend_schema(
        operation_id="token_revoke",
        parameters=[
            in_path(
                "key", "Of the token.", OpenApiTypes.UUID, "8e03978e-40d5-43e8-bc93-6894a57f9324"
            ),
            KEY,
        ],
        responses={204: None, **refusals(*WRITING)},
    )
    def delete(self, request: Request, key: str) -> Response:
        """Take a token back; programs that use it are refused from then on."""
        deleted, _rows = Token.objects.filter(user=person(request), form_key=key).delete()
        if not deleted:
            raise Http404(_("You have no token of that key."))
        return Response(status=204)


def told(somebody: User) -> Response:
    """Return who asks."""
    data = {
        "name": somebody.name,
        "email": somebody.email,
        "roles": sorted(somebody.roles),
        "delivery": somebody.delivery,
        "has_shortcuts": somebody.has_shortcuts,
    }
    return Response(data, headers={"ETag": etag(mark(somebody))})


def mark(somebody: User) -> str:
    """Return by what a changed profile is known."""
    said: list[Any] = [getattr(somebody, name) for name in ProfileForm.base_fields]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def token_told(token: Token) -> dict[str, Any]:
    """Return a token without what opens with it."""
    return {
        "key": str(token.form_key),
        "name": token.name,
        "created": moment(token.created),
        "expiry": moment(token.expiry),
    }

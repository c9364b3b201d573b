"""The account of whoever asks: profile, tokens, and what they follow."""

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
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry.actions import follows
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import (
    EDITING_PROBLEMS,
    IDEMPOTENCY_KEY_PARAMETER,
    IF_MATCH_PARAMETER,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.problems import describe_problems
from registry.api.views import (
    AccountAPIView,
    require_person,
    validate_input,
)
from registry.enums import LetterDelivery
from registry.forms.account import ProfileForm
from registry.models import Token, User
from registry.selectors import raise_registry_version
from registry.serializers.account import AccountSerializer, FollowSerializer, TokenSerializer


class AccountInputSerializer(InputSerializer):
    """How a person wants to be called and told; what is left out stays as it is."""

    name = FreeTextField()
    delivery = serializers.ChoiceField(LetterDelivery.choices, required=False)
    has_shortcuts = serializers.BooleanField(required=False)


class AccountView(AccountAPIView):
    """The account of whoever asks."""

    @extend_schema(
        operation_id="account", responses={200: AccountSerializer, **describe_problems(401)}
    )
    def get(self, request: Request) -> Response:
        """Read who you are here, and what you are called and told."""
        return make_account_response(require_person(request))

    @extend_schema(
        operation_id="account_change",
        parameters=[IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=AccountInputSerializer,
        responses={200: AccountSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request) -> Response:
        """Change your name, or when you want to read letters about what you follow."""
        somebody = require_person(request)
        require_if_match(request, make_profile_mark(somebody))
        stays = {name: getattr(somebody, name) for name in ProfileForm.base_fields}
        said = clean_form(ProfileForm({**stays, **validate_input(AccountInputSerializer, request)}))
        for name, value in said.items():
            setattr(somebody, name, value)
        with transaction.atomic():
            somebody.save(update_fields=list(said))
            # The name stands on public pages.
            raise_registry_version()
        return make_account_response(somebody)


class TokensView(AccountAPIView):
    """The tokens of whoever asks. They are made on the page alone: no token makes another."""

    @extend_schema(
        operation_id="tokens", responses={200: TokenSerializer(many=True), **describe_problems(401)}
    )
    def get(self, request: Request) -> Response:
        """Read which tokens you have."""
        tokens = Token.objects.filter(user=require_person(request))
        return Response(list(TokenSerializer.serialize_each(tokens)))


class TokenView(AccountAPIView):
    """One token."""

    @extend_schema(
        operation_id="token_revoke",
        parameters=[
            make_path_parameter(
                "key", "Of the token.", OpenApiTypes.UUID, "8e03978e-40d5-43e8-bc93-6894a57f9324"
            ),
            IDEMPOTENCY_KEY_PARAMETER,
        ],
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, key: str) -> Response:
        """Take a token back; programs that use it are refused from then on."""
        deleted, _rows = Token.objects.filter(user=require_person(request), form_key=key).delete()
        if not deleted:
            raise Http404(_("You have no token of that key."))
        return Response(status=204)


def make_account_response(somebody: User) -> Response:
    """Return who asks."""
    headers = {"ETag": make_etag(make_profile_mark(somebody))}
    return Response(AccountSerializer(somebody).data, headers=headers)


def make_profile_mark(somebody: User) -> str:
    """Return by what a changed profile is known."""
    said: list[Any] = [getattr(somebody, name) for name in ProfileForm.base_fields]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


class FollowInputSerializer(InputSerializer):
    """What is to be followed; everything where neither is said."""

    request = serializers.CharField(required=False, max_length=14)
    nid = serializers.CharField(required=False, max_length=32)


class FollowsView(AccountAPIView):
    """What whoever asks follows."""

    @extend_schema(
        operation_id="follows",
        responses={200: FollowSerializer(many=True), **describe_problems(401)},
    )
    def get(self, request: Request) -> Response:
        """Read what you follow."""
        followed = follows.follows_of(require_person(request))
        return Response(list(FollowSerializer.serialize_each(followed)))

    @extend_schema(
        operation_id="follow",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=FollowInputSerializer,
        responses={201: FollowSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Follow a request, a NID or everything; letters go to your address."""
        somebody, said = require_person(request), validate_input(FollowInputSerializer, request)
        if len(said) > 1:
            raise ValidationError(_("Name a request or a NID, and not both."))
        thing = follows.find_follow_target(said.get("request", ""), said.get("nid", ""))
        if thing is None:
            words = _("There is nothing of that name to follow.")
            raise ValidationError({name: [words] for name in said})
        watch = follows.start_following(somebody, thing)
        return Response(FollowSerializer(watch).data, 201)


class FollowView(AccountAPIView):
    """One thing that is followed."""

    @extend_schema(
        operation_id="unfollow",
        parameters=[make_path_parameter("id", "Its id."), IDEMPOTENCY_KEY_PARAMETER],
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Follow something no longer."""
        deleted, _rows = require_person(request).follows.filter(pk=pk).delete()
        if not deleted:
            raise Http404(_("You follow nothing of that id."))
        return Response(status=204)

"""The caller's account: profile, tokens, and what they follow."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.mixins import DestroyModelMixin, ListModelMixin
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from registry.actions import follows
from registry.actions.account_security import revoke_token
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.views import RegistryAPIView, require_person, validate_input
from registry.api.viewsets import AccountViewSet
from registry.enums import LetterDelivery
from registry.forms.account import ProfileForm
from registry.models import Follow, Token, User
from registry.rate_limits import find_network_prefix
from registry.selectors import raise_registry_version
from registry.serializers.account import AccountSerializer, FollowSerializer, TokenSerializer


class AccountInputSerializer(InputSerializer):
    """A person's name and notification settings; fields left out stay as they are."""

    name = FreeTextField()
    delivery = serializers.ChoiceField(LetterDelivery.choices, required=False)
    has_shortcuts = serializers.BooleanField(required=False)


class AccountView(RegistryAPIView):
    """The caller's account."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="account", responses=AccountSerializer)
    def get(self, request: Request) -> Response:
        """Read your profile and your notification settings."""
        return make_account_response(require_person(request))

    @extend_schema(
        operation_id="account_change",
        parameters=[IF_MATCH_PARAMETER],
        request=AccountInputSerializer,
        responses=AccountSerializer,
    )
    def patch(self, request: Request) -> Response:
        """Change your name, or how often you get letters about what you follow."""
        somebody = require_person(request)
        require_if_match(request, make_profile_mark(somebody))
        stays = {name: getattr(somebody, name) for name in ProfileForm.base_fields}
        profile = {**stays, **validate_input(AccountInputSerializer, request)}
        said = clean_form(ProfileForm(profile, person=somebody))
        for name, value in said.items():
            setattr(somebody, name, value)
        with transaction.atomic():
            somebody.save(update_fields=list(said))
            # Public pages show the name.
            raise_registry_version()
        return make_account_response(somebody)


def make_account_response(somebody: User) -> Response:
    """Return the caller's account."""
    headers = {"ETag": make_etag(make_profile_mark(somebody))}
    return Response(AccountSerializer(somebody).data, headers=headers)


def make_profile_mark(somebody: User) -> str:
    """Return the mark by which a changed profile is recognised."""
    said: list[Any] = [getattr(somebody, name) for name in ProfileForm.base_fields]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


@extend_schema_view(
    list=extend_schema(
        operation_id="tokens",
        description="Read which tokens you have.",
        responses=TokenSerializer(many=True),
    ),
    destroy=extend_schema(
        operation_id="token_revoke",
        description="Take a token back; programs that use it are refused from then on.",
        responses={204: None},
    ),
)
class TokenViewSet(ListModelMixin, DestroyModelMixin, AccountViewSet):
    """The caller's tokens. They are created only on the site: no token can create another."""

    lookup_field = "form_key"
    lookup_url_kwarg = "key"
    lookup_value_converter = "uuid"
    path_parameters = (
        make_path_parameter(
            "key", "Of the token.", OpenApiTypes.UUID, "8e03978e-40d5-43e8-bc93-6894a57f9324"
        ),
    )
    serializer_class = TokenSerializer
    not_found = gettext_lazy("You have no token with that key.")

    def get_queryset(self) -> QuerySet[Token]:
        return Token.objects.filter(user=require_person(self.request))

    def perform_destroy(self, instance: Token) -> None:
        """Revoke the token, as the page does."""
        network = find_network_prefix(self.request.META)
        revoke_token(require_person(self.request), instance.form_key, network=network)


class FollowInputSerializer(InputSerializer):
    """What to follow: a request, a NID, or everything."""

    request = serializers.CharField(required=False, max_length=14)
    nid = serializers.CharField(required=False, max_length=32)
    everything = serializers.BooleanField(
        required=False, help_text="True, to follow whatever happens here."
    )


@extend_schema_view(
    list=extend_schema(
        operation_id="follows",
        description="Read what you follow.",
        responses=FollowSerializer(many=True),
    ),
    destroy=extend_schema(
        operation_id="unfollow",
        description="Follow something no longer.",
        responses={204: None},
    ),
)
class FollowViewSet(ListModelMixin, DestroyModelMixin, AccountViewSet):
    """What the caller follows."""

    path_parameters = (make_path_parameter("id", "Its id."),)
    serializer_class = FollowSerializer
    not_found = gettext_lazy("You follow nothing with that id.")

    def get_queryset(self) -> QuerySet[Follow]:
        return follows.follows_of(require_person(self.request))

    @extend_schema(operation_id="follow", request=FollowInputSerializer, responses=FollowSerializer)
    def create(self, request: Request) -> Response:
        """Follow a request, a NID or everything; letters go to your address."""
        somebody, said = require_person(request), validate_input(FollowInputSerializer, request)
        if len(said) != 1 or said.get("everything") is False:
            raise ValidationError(
                _("Say one of these: “request”, “nid”, or “everything”, which is true then.")
            )
        thing = follows.find_follow_target(said.get("request", ""), said.get("nid", ""))
        if thing is None:
            words = _("There is nothing with that name to follow.")
            raise ValidationError({name: [words] for name in said})
        watch = follows.start_following(somebody, thing)
        return Response(FollowSerializer(watch).data, 201)

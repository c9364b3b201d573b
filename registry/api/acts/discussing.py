"""Notes among experts, and moderation of the public discussion."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules
from registry.api.asked import ListAsked, asked_with
from registry.api.door import Door, find, heard, person, refusals_told
from registry.api.listing import Key, listed, part_of
from registry.api.parameters import KEY, REFERENCE, WRITING, in_path
from registry.api.problems import refusals
from registry.api.said import Said, Text, WhySaid, typed
from registry.api.shapes.requests import MessageShape
from registry.api.shapes.shape import list_of
from registry.choices import Audience
from registry.discussion import messages, moderation
from registry.forms.discussion import HideForm, NoteForm, ShowForm
from registry.models import RegistrationRequest
from registry.pages.told.parts import message_told

NUMBER: Final = in_path("number", "Of the message.")
ORDERS: Final = {"number": (Key("number"),)}


class NoteSaid(Said):
    """A note among experts."""

    text = Text()
    key = serializers.UUIDField(
        required=False, help_text="Made by the program: sent twice, one note is written."
    )


class NotesView(Door):
    """What experts write for each other about a request."""

    @extend_schema(
        operation_id="notes",
        parameters=[REFERENCE, ListAsked],
        responses={200: list_of(MessageShape), **refusals(400, 401, 403, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the notes among experts, as one who may judge the request."""
        asked = asked_with(ListAsked, request)
        reader = person(request)
        notes = conferring(request, reference).messages.filter(audience=Audience.EXPERTS)
        part = part_of(notes.select_related("answers", "hidden_by"), ORDERS, asked, "number")
        return listed(request, part, lambda each: message_told(each, reader), MessageShape)

    @extend_schema(
        operation_id="note_write",
        parameters=[REFERENCE, KEY],
        request=NoteSaid,
        responses={201: MessageShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Write a note for the experts who may judge the request."""
        author = person(request)
        registration_request = conferring(request, reference)
        said = typed(NoteForm({"key": uuid.uuid4(), **heard(NoteSaid, request)}))
        with refusals_told():
            written = messages.note(registration_request, author=author, **said)
        return Response(message_told(written, author), 201)


def conferring(request: Request, reference: str) -> RegistrationRequest:
    """Return the request, for experts who may judge it alone."""
    registration_request = find(request, reference)
    if not rules.may_confer(request.user, registration_request):
        raise PermissionDenied(messages.among_experts())
    return registration_request


class ModerationView(Door):
    """A message taken from the eyes of readers, or shown again."""

    acts: ClassVar[dict[str, Any]] = {
        "hide": (HideForm, moderation.hide),
        "show": (ShowForm, moderation.show),
    }

    @extend_schema(
        operation_id="message_moderate",
        parameters=[
            REFERENCE,
            NUMBER,
            OpenApiParameter("act", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(acts)),
            KEY,
        ],
        request=WhySaid,
        responses={200: MessageShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, reference: str, number: int, act: str) -> Response:
        """Hide a message from readers, or show it again, with a reason they can read."""
        moderator = person(request)
        message = find(request, reference).messages.public().filter(number=number).first()
        if message is None:
            raise Http404(_("There is no message with this number."))
        if not rules.may_moderate(moderator):
            raise PermissionDenied(moderation.for_moderators())
        form, do = self.acts[act]
        said = typed(form(heard(WhySaid, request)))
        with refusals_told():
            do(message, moderator=moderator, **said)
        message.refresh_from_db()
        return Response(message_told(message, moderator))

"""Recognition for the fast track: asked for, and answered by the standards body (6.3)."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries, recognition, rules
from registry.api.asked import ListAsked, asked_with
from registry.api.door import Door, find, heard, person, refusals_told
from registry.api.listing import Key, listed, part_of
from registry.api.parameters import KEY, REFERENCE, WRITING, in_path
from registry.api.problems import InTheWay, refusals
from registry.api.said import Said, Text, typed
from registry.api.shapes.others import RecognitionShape
from registry.api.shapes.shape import list_of
from registry.forms.direction import RecognitionForm
from registry.forms.statement import StatementForm
from registry.models import Recognition
from registry.pages.told.organizations import recognition_told

ID: Final = in_path("id", "The id.")
ORDERS: Final = {"asked": (Key("asked_at"), Key("pk"))}
ANSWERS: Final = [("recognise", "Recognise"), ("refuse_recognition", "Refuse")]


class RecognitionsAsked(ListAsked):
    """What the list can be asked with."""

    pending = serializers.BooleanField(
        default=None,
        allow_null=True,
        help_text="Only those that wait for an answer, or the others.",
    )


class StatementSaid(Said):
    """What kind of body asks."""

    statement = Text()


class RecognitionSaid(Said):
    """The answer of the standards body."""

    verb = serializers.ChoiceField(ANSWERS)
    recognised_on = serializers.DateField(required=False, help_text="Not asked for a refusal.")
    comment = Text(help_text="Where it is recorded, or the reasons of a refusal; public.")


class RecognitionsView(Door):
    """What bodies have asked, and what was answered."""

    @extend_schema(
        operation_id="recognitions",
        parameters=[RecognitionsAsked],
        responses={200: list_of(RecognitionShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List what bodies have asked of the standards body, the longest waiting first."""
        asked = asked_with(RecognitionsAsked, request)
        visible = queries.recognitions_visible_to(request.user)
        found = visible.select_related("organization", "decided_by")
        if asked["pending"] is not None:
            found = found.filter(is_granted__isnull=asked["pending"])
        part = part_of(found, ORDERS, asked, "asked")
        return listed(request, part, recognition_told, RecognitionShape)


class AskView(Door):
    """Asking for recognition."""

    @extend_schema(
        operation_id="recognition_ask",
        parameters=[REFERENCE, KEY],
        request=StatementSaid,
        responses={201: RecognitionShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Ask that the organization of a request be recognised, as its registrant."""
        actor, registration_request = person(request), find(request, reference)
        if not rules.is_registrant(actor, registration_request):
            raise PermissionDenied(_("Asking for recognition is for the registrant."))
        statement = typed(StatementForm(heard(StatementSaid, request)))["statement"]
        with refusals_told():
            asked = recognition.ask(registration_request.organization, actor, statement)
        return Response(recognition_told(asked), 201)


class AnswerView(Door):
    """The answer of the standards body."""

    @extend_schema(
        operation_id="recognition_answer",
        parameters=[ID, KEY],
        request=RecognitionSaid,
        responses={200: RecognitionShape, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Recognise a body for the fast track, or refuse to, as the standards body."""
        actor, asked = person(request), recognition_of(pk)
        if obstacle := recognition.why_not(asked, actor):
            raise PermissionDenied(obstacle)
        if asked.is_granted is not None:
            raise InTheWay(_("It is answered already."))
        said = typed(RecognitionForm(heard(RecognitionSaid, request)))
        with refusals_told():
            if said["verb"] == "recognise":
                day, source = said["recognised_on"], said["comment"]
                recognition.recognise(asked, actor=actor, recognised_on=day, source=source)
            else:
                recognition.refuse(asked, actor=actor, reasons=said["comment"])
        return Response(recognition_told(asked))


def recognition_of(pk: int) -> Recognition:
    """Return what a body asked."""
    every = Recognition.objects.select_related("organization", "asked_by", "decided_by")
    found = every.filter(pk=pk).first()
    if found is None:
        raise Http404(_("Nothing of that id was asked."))
    return found

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

from registry import permissions, selectors
from registry.actions import recognition
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import (
    IDEMPOTENCY_KEY_PARAMETER,
    REFERENCE_PARAMETER,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    make_page_response,
    paginate_queryset,
)
from registry.api.problems import Conflict, describe_problems
from registry.api.query_parameters import ListQuerySerializer, validate_query
from registry.api.serializers import RecognitionSerializer, make_list_serializer
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    require_person,
    translate_refusals,
    validate_input,
)
from registry.forms.direction import RecognitionForm, RecognitionStatementForm
from registry.models import Recognition
from registry.serializers.organizations import serialize_recognition

RECOGNITION_ID_PARAMETER: Final = make_path_parameter("id", "The id.")
RECOGNITION_ORDERS: Final = {"asked": (SortKey("asked_at"), SortKey("pk"))}
RECOGNITION_ANSWERS: Final = [("recognise", "Recognise"), ("refuse_recognition", "Refuse")]


class RecognitionsQuerySerializer(ListQuerySerializer):
    """What the list can be asked with."""

    pending = serializers.BooleanField(
        default=None,
        allow_null=True,
        help_text="Only those that wait for an answer, or the others.",
    )


class StatementInputSerializer(InputSerializer):
    """What kind of body asks."""

    statement = FreeTextField()


class RecognitionInputSerializer(InputSerializer):
    """The answer of the standards body."""

    verb = serializers.ChoiceField(RECOGNITION_ANSWERS)
    recognised_on = serializers.DateField(required=False, help_text="Not asked for a refusal.")
    comment = FreeTextField(help_text="Where it is recorded, or the reasons of a refusal; public.")


class RecognitionsView(RegistryAPIView):
    """What bodies have asked, and what was answered."""

    @extend_schema(
        operation_id="recognitions",
        parameters=[RecognitionsQuerySerializer],
        responses={200: make_list_serializer(RecognitionSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List what bodies have asked of the standards body, the longest waiting first."""
        asked = validate_query(RecognitionsQuerySerializer, request)
        visible = selectors.recognitions_visible_to(request.user)
        found = visible.select_related("organization", "decided_by")
        if asked["pending"] is not None:
            found = found.filter(is_granted__isnull=asked["pending"])
        part = paginate_queryset(found, RECOGNITION_ORDERS, asked, "asked")
        return make_page_response(request, part, serialize_recognition, RecognitionSerializer)


class RecognitionRequestView(RegistryAPIView):
    """Asking for recognition."""

    @extend_schema(
        operation_id="recognition_ask",
        parameters=[REFERENCE_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=StatementInputSerializer,
        responses={201: RecognitionSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Ask that the organization of a request be recognised, as its registrant."""
        actor, registration_request = (
            require_person(request),
            get_request_or_404(request, reference),
        )
        if not permissions.is_registrant(actor, registration_request):
            raise PermissionDenied(_("Asking for recognition is for the registrant."))
        statement = clean_form(
            RecognitionStatementForm(validate_input(StatementInputSerializer, request))
        )["statement"]
        with translate_refusals():
            asked = recognition.request_recognition(
                registration_request.organization, actor, statement
            )
        return Response(serialize_recognition(asked), 201)


class RecognitionAnswerView(RegistryAPIView):
    """The answer of the standards body."""

    @extend_schema(
        operation_id="recognition_answer",
        parameters=[RECOGNITION_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=RecognitionInputSerializer,
        responses={200: RecognitionSerializer, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Recognise a body for the fast track, or refuse to, as the standards body."""
        actor, asked = require_person(request), get_recognition_or_404(pk)
        if obstacle := recognition.explain_no_recognition(asked, actor):
            raise PermissionDenied(obstacle)
        if asked.is_granted is not None:
            raise Conflict(_("It is answered already."))
        said = clean_form(RecognitionForm(validate_input(RecognitionInputSerializer, request)))
        with translate_refusals():
            if said["verb"] == "recognise":
                day, source = said["recognised_on"], said["comment"]
                recognition.grant_recognition(asked, actor=actor, recognised_on=day, source=source)
            else:
                recognition.refuse_recognition(asked, actor=actor, reasons=said["comment"])
        return Response(serialize_recognition(asked))


def get_recognition_or_404(pk: int) -> Recognition:
    """Return what a body asked."""
    every = Recognition.objects.select_related("organization", "asked_by", "decided_by")
    found = every.filter(pk=pk).first()
    if found is None:
        raise Http404(_("Nothing of that id was asked."))
    return found

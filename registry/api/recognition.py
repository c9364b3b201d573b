"""Recognition of organizations, and the proofs by which people come to speak for one."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions, selectors
from registry.actions import domain_proofs, recognition
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    clean_form,
)
from registry.api.openapi import make_path_parameter
from registry.api.problems import Conflict, describe_problems
from registry.api.query_parameters import ListQuerySerializer
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    require_person,
    validate_input,
)
from registry.api.viewsets import RegistryViewSet
from registry.forms.direction import RecognitionForm, RecognitionStatementForm
from registry.models import Recognition, Speaker
from registry.serializers.organizations import RecognitionSerializer
from registry.serializers.speakers import ProofSerializer

RECOGNITION_ANSWERS: Final = [
    ("recognise", "Recognise"),
    ("refuse_recognition", "Refuse"),
    ("withdraw_recognition", "Take back, once it is recognised"),
]


class RecognitionsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list."""

    pending = serializers.BooleanField(
        default=None,
        allow_null=True,
        help_text="Only those that wait for an answer, or the others.",
    )


class StatementInputSerializer(InputSerializer):
    """What kind of body is asking."""

    statement = FreeTextField()


class RecognitionInputSerializer(InputSerializer):
    """The answer of the standards body."""

    verb = serializers.ChoiceField(RECOGNITION_ANSWERS)
    recognised_on = serializers.DateField(required=False, help_text="For `recognise` alone.")
    comment = FreeTextField(help_text="Where it is recorded, or your reasons; public.")


class SecretInputSerializer(InputSerializer):
    """The secret that came by mail."""

    secret = serializers.CharField(max_length=100)


@extend_schema_view(
    list=extend_schema(
        operation_id="recognitions",
        description="List what bodies have asked of the standards body, the longest waiting first.",
        responses=RecognitionSerializer(many=True),
    )
)
class RecognitionViewSet(ListModelMixin, RegistryViewSet):
    """Requests for recognition, and the answers."""

    path_parameters = (make_path_parameter("id", "The id."),)
    query_serializers = {"list": RecognitionsQuerySerializer}
    serializer_class = RecognitionSerializer
    sort_orders = {"asked": ("asked_at", "pk")}
    sort = "asked"
    not_found = gettext_lazy("Nothing with that id was asked.")

    def get_queryset(self) -> QuerySet[Recognition]:
        """Return the requested part of a list, or everything that can be answered."""
        if self.action != "list":
            return Recognition.objects.select_related("organization", "asked_by", "decided_by")
        visible = selectors.recognitions_visible_to(self.request.user)
        found = visible.select_related("organization", "decided_by")
        pending = self.asked["pending"]
        return found if pending is None else found.filter(is_granted__isnull=pending)

    @extend_schema(
        operation_id="recognition_answer",
        request=RecognitionInputSerializer,
        responses={200: RecognitionSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def answer(self, request: Request, pk: int) -> Response:
        """Recognise a body for the fast track, refuse to, or take it back, as the standards body.

        Who asks again for a body whose recognition was taken back makes a new request.
        """
        actor, asked = require_person(request), self.get_object()
        if obstacle := recognition.explain_no_recognition(asked, actor):
            raise PermissionDenied(obstacle)
        answer = validate_input(RecognitionInputSerializer, request)
        if answer["verb"] not in recognition.list_possible_answers(asked):
            raise Conflict(_("It has already been answered."))
        said = clean_form(RecognitionForm(answer, asked=asked))
        if said["verb"] == "recognise":
            day, source = said["recognised_on"], said["comment"]
            recognition.grant_recognition(asked, actor=actor, recognised_on=day, source=source)
        elif said["verb"] == "refuse_recognition":
            recognition.refuse_recognition(asked, actor=actor, reasons=said["comment"])
        else:
            recognition.withdraw_recognition(asked, actor=actor, reasons=said["comment"])
        return Response(RecognitionSerializer(asked).data)


class RecognitionRequestView(RegistryAPIView):
    """Asking for recognition."""

    @extend_schema(
        operation_id="recognition_ask",
        request=StatementInputSerializer,
        responses={201: RecognitionSerializer},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Ask for the recognition of a request's organization, as its registrant."""
        actor, registration_request = (
            require_person(request),
            get_request_or_404(request, reference),
        )
        if not permissions.is_registrant(actor, registration_request):
            raise PermissionDenied(_("Asking for recognition is for the registrant."))
        statement = clean_form(
            RecognitionStatementForm(validate_input(StatementInputSerializer, request))
        )["statement"]
        asked = recognition.request_recognition(registration_request.organization, actor, statement)
        return Response(RecognitionSerializer(asked).data, 201)


@extend_schema_view(
    retrieve=extend_schema(
        operation_id="proof",
        description="Read what has to be done for a proof you asked for, and whether it stands.",
        responses=ProofSerializer,
    )
)
class ProofViewSet(RetrieveModelMixin, RegistryViewSet):
    """The proofs that the caller has started."""

    lookup_url_kwarg = "number"
    path_parameters = (make_path_parameter("number", "The id of the proof."),)
    serializer_class = ProofSerializer
    not_found = gettext_lazy("You have requested no proof with that id.")

    def get_queryset(self) -> QuerySet[Speaker]:
        proofs = Speaker.objects.select_related("organization", "person").exclude(domain="")
        return proofs.filter(person=require_person(self.request))

    @extend_schema(
        operation_id="proof_look",
        request=None,
        responses={202: ProofSerializer, **describe_problems(400, 415)},
    )
    @action(detail=True, methods=["post"], answers_once=False)
    def look(self, request: Request, number: int) -> Response:
        """Have the registry check the record or the file of a proof.

        The result is in the proof once `is_pending` is false: read it again at `Location`.
        """
        # Every attempt counts, so none is rolled back or replayed.
        domain_proofs.request_proof_check(self.get_object())
        return self.build_answer(request, number)

    @extend_schema(
        operation_id="proof_confirm",
        request=SecretInputSerializer,
        responses={202: ProofSerializer},
    )
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, number: int) -> Response:
        """Confirm the proof with the secret that came by mail.

        The result is in the proof once `is_pending` is false: read it again at `Location`.
        """
        said = validate_input(SecretInputSerializer, request)
        domain_proofs.confirm_proof(self.get_object(), said["secret"])
        return self.build_answer(request, number)

    def build_answer(self, request: Request, number: int) -> Response:
        """Return the proof as it is now, and where its result will be."""
        path = reverse("api:proof-detail", args=[number])
        headers = {"Location": request.build_absolute_uri(path)}
        return Response(ProofSerializer(self.get_object()).data, 202, headers=headers)

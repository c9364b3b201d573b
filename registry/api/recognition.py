"""Recognition of organizations, and the proofs by which people come to speak for one."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions, selectors
from registry.actions import organization_proofs, recognition
from registry.actions.organization_proofs import find_website_domain
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
from registry.api.organizations import ORGANIZATION_ID_PARAMETER, get_organization_or_404
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    paginate_queryset,
)
from registry.api.problems import Conflict, describe_problems
from registry.api.query_parameters import ListQuerySerializer, validate_query
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    require_person,
    validate_input,
)
from registry.enums import ProofMethod
from registry.forms.direction import RecognitionForm, RecognitionStatementForm
from registry.forms.organizations import ProofForm
from registry.models import Proof, Recognition
from registry.serializers.organizations import ProofSerializer, RecognitionSerializer

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
        return make_page_response(request, part, RecognitionSerializer)


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
        asked = recognition.request_recognition(registration_request.organization, actor, statement)
        return Response(RecognitionSerializer(asked).data, 201)


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
        if said["verb"] == "recognise":
            day, source = said["recognised_on"], said["comment"]
            recognition.grant_recognition(asked, actor=actor, recognised_on=day, source=source)
        else:
            recognition.refuse_recognition(asked, actor=actor, reasons=said["comment"])
        return Response(RecognitionSerializer(asked).data)


def get_recognition_or_404(pk: int) -> Recognition:
    """Return what a body asked."""
    every = Recognition.objects.select_related("organization", "asked_by", "decided_by")
    found = every.filter(pk=pk).first()
    if found is None:
        raise Http404(_("Nothing of that id was asked."))
    return found


PROOF_ID_PARAMETER: Final = make_path_parameter("number", "The id of the proof.")


class ProofInputSerializer(InputSerializer):
    """How somebody proves to act for an organization."""

    method = serializers.ChoiceField(
        [each for each in ProofMethod.choices if each[0] != ProofMethod.WORD]
    )
    address = serializers.EmailField(
        required=False, max_length=254, help_text="Where the letter goes, of a proof by mail."
    )
    request = serializers.CharField(
        required=False, max_length=14, help_text="The request it shall speak for alone."
    )


class SecretInputSerializer(InputSerializer):
    """What came by mail."""

    secret = serializers.CharField(max_length=100)


class RequestReferenceInputSerializer(InputSerializer):
    """Which request somebody stands behind."""

    request = serializers.CharField(max_length=14, help_text="Its reference, in any case.")
    round = serializers.IntegerField(
        min_value=1, help_text="The number of the round that you read; your word is for that."
    )


class ProofsView(RegistryAPIView):
    """Proofs to act for an organization."""

    @extend_schema(
        operation_id="proof_ask",
        parameters=[ORGANIZATION_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=ProofInputSerializer,
        responses={201: ProofSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ask to act for an organization, or for one request alone; the answer says what to do."""
        actor, organization = require_person(request), get_organization_or_404(request, pk)
        said = validate_input(ProofInputSerializer, request)
        asked = get_request_or_404(request, said.pop("request")) if "request" in said else None
        chosen = clean_form(ProofForm(said, domain=find_website_domain(organization)))
        proof = organization_proofs.request_proof(
            organization,
            actor,
            ProofMethod(chosen["method"]),
            address=chosen["address"],
            registration_request=asked,
        )
        return Response(ProofSerializer(proof).data, 201)


class ProofView(RegistryAPIView):
    """One proof of whoever asks."""

    @extend_schema(
        operation_id="proof",
        parameters=[PROOF_ID_PARAMETER],
        responses={200: ProofSerializer, **describe_problems(401, 404)},
    )
    def get(self, request: Request, number: int) -> Response:
        """Read what has to be done for a proof you asked for, and whether it stands."""
        return Response(ProofSerializer(get_own_proof_or_404(request, number)).data)


class ProofLookUpView(RegistryAPIView):
    """Having a proof looked for: every attempt counts, so none is undone or answered twice."""

    answers_once = False

    @extend_schema(
        operation_id="proof_look",
        parameters=[PROOF_ID_PARAMETER],
        request=None,
        responses={202: ProofSerializer, **describe_problems(400, 401, 403, 404, 409, 415, 429)},
    )
    def post(self, request: Request, number: int) -> Response:
        """Have the registry look for the record or the file of a proof.

        What it found stands in the proof once `is_pending` is false: read it again at `Location`.
        """
        proof = get_own_proof_or_404(request, number)
        organization_proofs.request_proof_check(proof)
        location = {"Location": request.build_absolute_uri(reverse("api:proof", args=[number]))}
        return Response(
            ProofSerializer(get_own_proof_or_404(request, number)).data, 202, headers=location
        )


class ProofConfirmationView(RegistryAPIView):
    """The answer to the letter of a proof."""

    @extend_schema(
        operation_id="proof_confirm",
        parameters=[PROOF_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=SecretInputSerializer,
        responses={200: ProofSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, number: int) -> Response:
        """Give back the secret that came by mail."""
        proof, said = (
            get_own_proof_or_404(request, number),
            validate_input(SecretInputSerializer, request),
        )
        organization_proofs.confirm_proof(proof, said["secret"])
        return Response(ProofSerializer(get_own_proof_or_404(request, number)).data)


class DelegateAgreementView(RegistryAPIView):
    """The word of a delegate."""

    @extend_schema(
        operation_id="proof_agree",
        parameters=[ORGANIZATION_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=RequestReferenceInputSerializer,
        responses={201: ProofSerializer, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Stand behind a round of somebody else's request, as one who acts for the organization."""
        actor, organization = require_person(request), get_organization_or_404(request, pk)
        said = validate_input(RequestReferenceInputSerializer, request)
        asked = get_request_or_404(request, said["request"])
        proof = organization_proofs.give_consent(
            organization, asked, actor=actor, seen=said["round"]
        )
        proof.refresh_from_db()
        return Response(ProofSerializer(proof).data, 201)


def get_own_proof_or_404(request: Request, number: int) -> Proof:
    """Return a proof that whoever asks has asked for."""
    asked = Proof.objects.select_related("organization", "person", "registration_request")
    found = asked.filter(pk=number, person=require_person(request)).first()
    if found is None:
        raise Http404(_("You have asked for no proof of that id."))
    return found

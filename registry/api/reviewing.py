"""The work of experts: checklist, rota, absences, and standing conflicts of interest."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import DestroyModelMixin, ListModelMixin
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import advisers, conflicts_of_interest, expert_assignment, remarks
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import FreeTextField, InputSerializer, clean_form
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.permissions import IsExpert, IsOfficer
from registry.api.problems import Conflict, describe_problems
from registry.api.query_parameters import FieldsQuerySerializer
from registry.api.requests import RequestDetailSerializer, make_request_response
from registry.api.views import RegistryAPIView, get_request_or_404, require_person, validate_input
from registry.api.viewsets import AccountViewSet, RegistryViewSet
from registry.enums import ChecklistChoice
from registry.forms.review import AbsenceForm, AdviserForm, ConflictOfInterestForm
from registry.models import Absence, ConflictOfInterest, RegistrationRequest, Round, User
from registry.presenters.review import load_expert_checklist
from registry.presenters.reviewers import explain_no_decision
from registry.selectors.checklist import list_questions
from registry.selectors.experts import coming_absences, list_expert_terms
from registry.serializers.reviewing import (
    AbsenceSerializer,
    ChecklistSerializer,
    ConflictSerializer,
    ExpertSerializer,
)


class ChecklistInputSerializer(InputSerializer):
    """Answers, by the names of the questions; questions left out stay as they are."""

    answers = serializers.DictField(child=serializers.ChoiceField(ChecklistChoice.choices))


class ChecklistView(RegistryAPIView):
    """The caller's checklist, as an expert on the request."""

    @extend_schema(
        operation_id="checklist",
        responses={200: ChecklistSerializer, **describe_problems(403)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read the questions you have to judge, and your answers; the ETag identifies the round."""
        expert = require_person(request)
        last = get_round_to_judge(expert, reference)
        return make_checklist_response(last, expert)

    @extend_schema(
        operation_id="checklist_answer",
        parameters=[IF_MATCH_PARAMETER],
        request=ChecklistInputSerializer,
        responses=ChecklistSerializer,
    )
    def patch(self, request: Request, reference: str) -> Response:
        """Answer questions about the round you read; public once you decide."""
        expert = require_person(request)
        last = get_round_to_judge(expert, reference)
        require_if_match(request, last.number)
        answers = validate_input(ChecklistInputSerializer, request)["answers"]
        known = {each.slug for each in list_questions(last.registration_request)}
        if unknown := answers.keys() - known:
            words = _("There is no question with this name.")
            raise serializers.ValidationError(
                {f"answers.{name}": [words] for name in sorted(unknown)}
            )
        _kept, form = load_expert_checklist(
            last.registration_request, last, expert, {**answers, "round_number": last.number}
        )
        said = clean_form(form)
        remarks.answer_checklist(last.registration_request, actor=expert, **said)
        return make_checklist_response(last, expert)


def get_round_to_judge(expert: User, reference: str) -> Round:
    """Return the last round, for an expert on the request while it is in review."""
    public = RegistrationRequest.objects.public()
    registration_request = public.filter(reference=reference.upper()).first()
    if registration_request is None:
        raise Http404(_("There is no public request with that reference."))
    if not permissions.may_remark(expert, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, expert))
    last = registration_request.rounds.sent().latest("number")
    last.registration_request = registration_request
    return last


def make_checklist_response(last: Round, expert: User) -> Response:
    """Return the questions with the answers so far."""
    members = ChecklistSerializer(last, context={"reader": expert}).data
    return Response(members, headers={"ETag": make_etag(last.number)})


class RotaView(RegistryAPIView):
    """The rota."""

    @extend_schema(
        operation_id="request_rota",
        parameters=[IF_MATCH_PARAMETER],
        request=None,
        responses=RequestDetailSerializer,
    )
    def post(self, request: Request, reference: str) -> Response:
        """Assign the next expert on the rota to the request, as the lead."""
        lead, registration_request = require_person(request), get_request_or_404(request, reference)
        if not permissions.may_lead(lead, registration_request):
            raise PermissionDenied(_("The rota is for a lead expert who is not party to it."))
        require_if_match(request, registration_request.revision)
        assign_rota_expert(registration_request, lead)
        return make_request_response(request, reference)


def assign_rota_expert(registration_request: RegistrationRequest, lead: User) -> None:
    """Have the rota choose an expert; raise `Conflict` if none is available."""
    event = expert_assignment.assign_next_expert(
        registration_request, actor=lead, seen=registration_request.revision
    )
    if event is None:
        raise Conflict(
            _("The rota finds no expert who can judge it. Name one, or take it yourself.")
        )


class AdviserInputSerializer(InputSerializer):
    """Whom to invite, and what to ask them."""

    address = serializers.EmailField(max_length=254)
    comment = FreeTextField(help_text="Public.")


class AdviserInvitationView(RegistryAPIView):
    """Invitations to advise in public."""

    @extend_schema(
        operation_id="adviser_invite",
        request=AdviserInputSerializer,
        responses=RequestDetailSerializer,
    )
    def post(self, request: Request, reference: str) -> Response:
        """Invite the owner of a mail address to advise in public, as the lead."""
        lead, registration_request = require_person(request), get_request_or_404(request, reference)
        if not permissions.may_lead(lead, registration_request):
            raise PermissionDenied(advisers.explain_no_invitation())
        said = clean_form(AdviserForm(validate_input(AdviserInputSerializer, request)))
        advisers.invite_adviser(registration_request, lead=lead, **said)
        return make_request_response(request, reference)


class AbsenceInputSerializer(InputSerializer):
    """The first and the last day."""

    first_day = serializers.DateField()
    last_day = serializers.DateField()


class ConflictInputSerializer(InputSerializer):
    """The organization concerned."""

    organization = serializers.IntegerField(help_text="The id of the organization.")
    reason = FreeTextField(help_text="Public.")


@extend_schema_view(
    list=extend_schema(
        operation_id="absences",
        description="Read on which days you are away, as an expert.",
        responses={200: AbsenceSerializer(many=True), **describe_problems(403)},
    ),
    destroy=extend_schema(
        operation_id="absence_end",
        description="Take days away out again.",
        responses={204: None},
    ),
)
class AbsenceViewSet(ListModelMixin, DestroyModelMixin, AccountViewSet):
    """The caller's days away."""

    permission_classes = [IsAuthenticated, IsOfficer]
    path_parameters = (make_path_parameter("id", "Its id."),)
    serializer_class = AbsenceSerializer
    not_found = gettext_lazy("You have noted no absence with that id.")

    def get_queryset(self) -> QuerySet[Absence]:
        """Return future days away, or all that can be removed."""
        expert = require_person(self.request)
        is_list = self.action == "list"
        return coming_absences(expert) if is_list else expert.absences.all()

    @extend_schema(
        operation_id="absence_note",
        request=AbsenceInputSerializer,
        responses=AbsenceSerializer,
    )
    def create(self, request: Request) -> Response:
        """Record days on which you are away; the rota skips you on them."""
        said = clean_form(AbsenceForm(validate_input(AbsenceInputSerializer, request)))
        absence = expert_assignment.add_absence(require_person(request), **said)
        return Response(AbsenceSerializer(absence).data, 201)


@extend_schema_view(
    list=extend_schema(
        operation_id="conflicts",
        description="Read which conflicts of interest you declared, as an expert.",
        responses={200: ConflictSerializer(many=True), **describe_problems(403)},
    ),
    destroy=extend_schema(
        operation_id="conflict_end",
        description="End a declared conflict; the journal keeps that there was one.",
        responses={204: None},
    ),
)
class ConflictViewSet(ListModelMixin, DestroyModelMixin, AccountViewSet):
    """The caller's conflicts of interest."""

    permission_classes = [IsAuthenticated, IsExpert]
    path_parameters = (make_path_parameter("id", "Its id."),)
    serializer_class = ConflictSerializer
    not_found = gettext_lazy("You have declared no conflict with that id.")

    def get_queryset(self) -> QuerySet[ConflictOfInterest]:
        return require_person(self.request).conflicts.select_related("organization")

    def perform_destroy(self, instance: ConflictOfInterest) -> None:
        conflicts_of_interest.end_conflict(instance)

    @extend_schema(
        operation_id="conflict_declare",
        request=ConflictInputSerializer,
        responses=ConflictSerializer,
    )
    def create(self, request: Request) -> Response:
        """Declare a conflict: you will not judge requests of that organization."""
        somebody = require_person(request)
        said = clean_form(
            ConflictOfInterestForm(
                validate_input(ConflictInputSerializer, request), expert=somebody
            )
        )
        declared = conflicts_of_interest.declare_conflict(somebody, **said)
        return Response(ConflictSerializer(declared).data, 201)


@extend_schema_view(
    list=extend_schema(
        operation_id="experts",
        description="Read who the designated experts are today, and since when.",
        responses=ExpertSerializer(many=True),
    )
)
class ExpertViewSet(ListModelMixin, RegistryViewSet):
    """The designated experts, as everyone may know them."""

    pagination_class = None
    query_serializers = {"list": FieldsQuerySerializer}
    serializer_class = ExpertSerializer

    def get_queryset(self) -> Any:
        """Return them by name."""
        return list_expert_terms()

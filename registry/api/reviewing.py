"""The work of experts: checklist, rota, absences, and standing conflicts of interest."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import conflicts_of_interest, expert_assignment, remarks
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
    REFERENCE_PARAMETER,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.problems import Conflict, describe_problems
from registry.api.requests import RequestDetailSerializer, make_request_response
from registry.api.views import (
    AccountAPIView,
    RegistryAPIView,
    get_request_or_404,
    require_person,
    validate_input,
)
from registry.enums import ChecklistChoice
from registry.forms.review import AbsenceForm, ConflictOfInterestForm
from registry.models import (
    RegistrationRequest,
    Round,
    User,
)
from registry.presenters import workload
from registry.presenters.review_decision import load_expert_checklist
from registry.presenters.reviewers import explain_no_decision
from registry.serializers.reviewing import (
    AbsenceSerializer,
    ChecklistSerializer,
    ConflictSerializer,
)


class ChecklistInputSerializer(InputSerializer):
    """Answers, by the names of the questions; what is left out stays as it is."""

    answers = serializers.DictField(child=serializers.ChoiceField(ChecklistChoice.choices))


class ChecklistView(RegistryAPIView):
    """The checklist of whoever asks, as an expert on the request."""

    @extend_schema(
        operation_id="checklist",
        parameters=[REFERENCE_PARAMETER],
        responses={200: ChecklistSerializer, **describe_problems(401, 403, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read what your expert eye is asked, and what you answered; its ETag is the round."""
        expert = require_person(request)
        last = get_round_to_judge(expert, reference)
        return make_checklist_response(last, expert)

    @extend_schema(
        operation_id="checklist_answer",
        parameters=[REFERENCE_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=ChecklistInputSerializer,
        responses={200: ChecklistSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request, reference: str) -> Response:
        """Answer questions about the round you read; public once you decide."""
        expert = require_person(request)
        last = get_round_to_judge(expert, reference)
        require_if_match(request, last.number)
        answers = validate_input(ChecklistInputSerializer, request)["answers"]
        known = {each.slug for each in remarks.list_questions(last.registration_request)}
        if unknown := answers.keys() - known:
            words = _("There is no question of this name.")
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
    """Return the last round, for an expert on the request while it is reviewed."""
    public = workload.annotate_for_queue(expert, RegistrationRequest.objects.public())
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
        parameters=[REFERENCE_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=None,
        responses={200: RequestDetailSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Put the next expert of the rota on the request, as the lead."""
        lead, registration_request = require_person(request), get_request_or_404(request, reference)
        if not permissions.may_lead(lead, registration_request):
            raise PermissionDenied(_("The rota is for a lead expert who is not party to it."))
        require_if_match(request, registration_request.revision)
        assign_rota_expert(registration_request, lead)
        return make_request_response(request, reference)


def assign_rota_expert(registration_request: RegistrationRequest, lead: User) -> None:
    """Have the rota name an expert; raise `Conflict` where it finds nobody."""
    event = expert_assignment.assign_next_expert(
        registration_request, actor=lead, seen=registration_request.revision
    )
    if event is None:
        raise Conflict(_("The rota finds nobody who could judge it. Name an expert, or take it."))


AVAILABILITY_ID_PARAMETER: Final = make_path_parameter("id", "Its id.")


class AbsenceInputSerializer(InputSerializer):
    """From which day to which."""

    first_day = serializers.DateField()
    last_day = serializers.DateField()


class ConflictInputSerializer(InputSerializer):
    """With which organization."""

    organization = serializers.IntegerField(help_text="The id of the organization.")
    reason = FreeTextField(help_text="Public.")


class AbsencesView(AccountAPIView):
    """Days away of whoever asks."""

    @extend_schema(
        operation_id="absences",
        responses={200: AbsenceSerializer(many=True), **describe_problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Read on which days you are away, as an expert."""
        absences = expert_assignment.coming_absences(require_expert_role(request))
        return Response(list(AbsenceSerializer.serialize_each(absences)))

    @extend_schema(
        operation_id="absence_note",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=AbsenceInputSerializer,
        responses={201: AbsenceSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Note days on which you are away; the rota passes you over on them."""
        somebody = require_expert_role(request)
        said = clean_form(AbsenceForm(validate_input(AbsenceInputSerializer, request)))
        absence = expert_assignment.add_absence(somebody, **said)
        return Response(AbsenceSerializer(absence).data, 201)


class AbsenceView(AccountAPIView):
    """Some days away."""

    @extend_schema(
        operation_id="absence_end",
        parameters=[AVAILABILITY_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Take days away out again."""
        deleted, _rows = require_expert_role(request).absences.filter(pk=pk).delete()
        if not deleted:
            raise Http404(_("You noted no days of that id."))
        return Response(status=204)


class ConflictsView(AccountAPIView):
    """Conflicts of interest of whoever asks."""

    @extend_schema(
        operation_id="conflicts",
        responses={200: ConflictSerializer(many=True), **describe_problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Read which conflicts of interest you declared, as an expert."""
        standing = require_expert_role(request).conflicts.select_related("organization")
        return Response(list(ConflictSerializer.serialize_each(standing)))

    @extend_schema(
        operation_id="conflict_declare",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=ConflictInputSerializer,
        responses={201: ConflictSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Declare a conflict: no request of that organization is yours to judge."""
        somebody = require_expert_role(request)
        said = clean_form(
            ConflictOfInterestForm(
                validate_input(ConflictInputSerializer, request), expert=somebody
            )
        )
        declared = conflicts_of_interest.declare_conflict(somebody, **said)
        return Response(ConflictSerializer(declared).data, 201)


class ConflictView(AccountAPIView):
    """One conflict of interest."""

    @extend_schema(
        operation_id="conflict_end",
        parameters=[AVAILABILITY_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        responses={204: None, **describe_problems(*WRITING_PROBLEMS)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """End a declared conflict; the journal keeps that there was one."""
        conflict = require_expert_role(request).conflicts.filter(pk=pk).first()
        if conflict is None:
            raise Http404(_("You declared no conflict of that id."))
        conflicts_of_interest.end_conflict(conflict)
        return Response(status=204)


def require_expert_role(request: Request) -> User:
    """Return who asks, if they are an expert."""
    somebody = require_person(request)
    if not permissions.is_expert(somebody):
        raise PermissionDenied(_("This is for designated experts."))
    return somebody

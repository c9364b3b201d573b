"""The checklist of an expert, and the rota of the lead."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules
from registry.api.door import Door, find, heard, person, refusals_told
from registry.api.parameters import EDITING, IF_MATCH, KEY, REFERENCE
from registry.api.problems import InTheWay, refusals
from registry.api.requests.views import shown
from registry.api.said import Said, typed
from registry.api.seen import etag, refuse_unseen
from registry.api.shapes.requests import RequestDetailShape
from registry.api.shapes.shape import Shape, line, whole
from registry.choices import Answer
from registry.models import RegistrationRequest, Round, User
from registry.pages import workload
from registry.pages.next_step import why_not
from registry.pages.reading import of_expert
from registry.reviewing import checklist, rota


class QuestionShape(Shape):
    """A question of the checklist, and what the expert answered so far."""

    question = line("Its name.")
    text = line()
    answer = serializers.ChoiceField(Answer.choices, allow_null=True)


class ChecklistShape(Shape):
    """What an expert answered about a round; private until they decide."""

    round = whole()
    questions = QuestionShape(many=True)


class ChecklistSaid(Said):
    """Answers, by the names of the questions; what is left out stays as it is."""

    answers = serializers.DictField(child=serializers.ChoiceField(Answer.choices))


class ChecklistView(Door):
    """The checklist of whoever asks, as an expert on the request."""

    @extend_schema(
        operation_id="checklist",
        parameters=[REFERENCE],
        responses={200: ChecklistShape, **refusals(401, 403, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read what your expert eye is asked, and what you answered; its ETag is the round."""
        expert = person(request)
        last = judged(expert, reference)
        return told(last, expert)

    @extend_schema(
        operation_id="checklist_answer",
        parameters=[REFERENCE, IF_MATCH, KEY],
        request=ChecklistSaid,
        responses={200: ChecklistShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, reference: str) -> Response:
        """Answer questions about the round you read; public once you decide."""
        expert = person(request)
        last = judged(expert, reference)
        refuse_unseen(request, last.number)
        answers = heard(ChecklistSaid, request)["answers"]
        known = {each.slug for each in checklist.questions(last.registration_request)}
        if unknown := answers.keys() - known:
            words = _("There is no question of this name.")
            raise serializers.ValidationError(
                {f"answers.{name}": [words] for name in sorted(unknown)}
            )
        _kept, form = of_expert(
            last.registration_request, last, expert, {**answers, "round_number": last.number}
        )
        said = typed(form)
        with refusals_told():
            checklist.answer(last.registration_request, actor=expert, **said)
        return told(last, expert)


def judged(expert: User, reference: str) -> Round:
    """Return the last round, for an expert on the request while it is reviewed."""
    public = workload.for_queue(expert, RegistrationRequest.objects.public())
    registration_request = public.filter(reference=reference.upper()).first()
    if registration_request is None:
        raise Http404(_("There is no public request with that reference."))
    if not rules.may_remark(expert, registration_request):
        raise PermissionDenied(why_not(registration_request, expert))
    last = registration_request.rounds.sent().latest("number")
    last.registration_request = registration_request
    return last


def told(last: Round, expert: User) -> Response:
    """Return the questions with the answers so far."""
    answers = checklist.answered(last, expert)
    questions: list[dict[str, Any]] = [
        {"question": each.slug, "text": str(each.text), "answer": answers.get(each.slug)}
        for each in checklist.questions(last.registration_request)
    ]
    data = {"round": last.number, "questions": questions}
    return Response(data, headers={"ETag": etag(last.number)})


class RotaView(Door):
    """The rota."""

    @extend_schema(
        operation_id="request_rota",
        parameters=[REFERENCE, IF_MATCH, KEY],
        request=None,
        responses={200: RequestDetailShape, **refusals(*EDITING)},
    )
    def post(self, request: Request, reference: str) -> Response:
        """Put the next expert of the rota on the request, as the lead."""
        lead, registration_request = person(request), find(request, reference)
        if not rules.may_lead(lead, registration_request):
            raise PermissionDenied(_("The rota is for a lead expert who is not party to it."))
        refuse_unseen(request, registration_request.revision)
        ask(registration_request, lead)
        return shown(request, reference)


def ask(registration_request: RegistrationRequest, lead: User) -> None:
    """Have the rota name an expert; raise `InTheWay` where it finds nobody."""
    with refusals_told():
        event = rota.assign(registration_request, actor=lead, seen=registration_request.revision)
    if event is None:
        raise InTheWay(_("The rota finds nobody who could judge it. Name an expert, or take it."))

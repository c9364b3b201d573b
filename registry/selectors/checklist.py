"""The checklist of a round: which questions it asks, and what an expert has answered."""

from __future__ import annotations

from typing import Final

from registry.enums import ChangeKind, RequestPath
from registry.models import ChecklistAnswer, RegistrationRequest, Round, User
from registry.template.checklist import ChecklistQuestion, QuestionScope, select_questions

SCOPE_BY_PATH: Final = {
    RequestPath.COMMUNITY: QuestionScope.FORMAL,
    RequestPath.FAST_TRACK: QuestionScope.FAST_TRACK,
    RequestPath.INFORMAL: QuestionScope.INFORMAL,
}


def list_questions(registration_request: RegistrationRequest) -> tuple[ChecklistQuestion, ...]:
    """Return the questions that apply to a request; none if it only changes facts."""
    if registration_request.changes_facts:
        return ()
    is_new = registration_request.change == ChangeKind.NEW
    return select_questions(
        SCOPE_BY_PATH[RequestPath(registration_request.path)],
        QuestionScope.NEW if is_new else QuestionScope.REVISION,
    )


def read_checklist_answers(last: Round, expert: User) -> dict[str, str]:
    """Return what `expert` has answered about a round so far, by question."""
    answers = ChecklistAnswer.objects.filter(round=last, expert=expert)
    return dict(answers.values_list("question", "answer"))


def list_unanswered_questions(
    registration_request: RegistrationRequest, last: Round, expert: User
) -> list[ChecklistQuestion]:
    """Return the questions that `expert` has not answered about the last round."""
    answered = read_checklist_answers(last, expert)
    return [each for each in list_questions(registration_request) if each.slug not in answered]

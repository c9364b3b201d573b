"""The checklist of an expert: which questions a request is asked, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from registry import rules
from registry.choices import Change, Path
from registry.models import ChecklistAnswer, RegistrationRequest, Round, User
from registry.reviewing import remarks
from registry.template.checklist import Asked, Question, asked_of
from registry.workflow import Refused

PATHS = {
    Path.COMMUNITY: Asked.FORMAL,
    Path.FAST_TRACK: Asked.FAST_TRACK,
    Path.INFORMAL: Asked.INFORMAL,
}


def questions(registration_request: RegistrationRequest) -> tuple[Question, ...]:
    """Return the questions that apply to a request; none where it changes facts alone."""
    if registration_request.changes_facts:
        return ()
    is_new = registration_request.change == Change.NEW
    return asked_of(PATHS[Path(registration_request.path)], Asked.NEW if is_new else Asked.REVISION)


def answered(last: Round, expert: User) -> dict[str, str]:
    """Return what `expert` answered about a round so far, by question."""
    answers = ChecklistAnswer.objects.filter(round=last, expert=expert)
    return dict(answers.values_list("question", "answer"))


def answer(
    registration_request: RegistrationRequest,
    *,
    actor: User,
    round_number: int,
    answers: Mapping[str, str],
) -> dict[str, str]:
    """Keep answers, and return all there are; they are private until the expert decides.

    Raises `Superseded` when the next round has arrived, `Refused` to who does not judge it.
    """
    with transaction.atomic():
        held = remarks.hold(registration_request)
        last = remarks.read_round(held, round_number)
        if not rules.may_remark(actor, held):
            raise Refused(_("The checklist is for an expert on the request, while it is reviewed."))
        for question, given in answers.items():
            ChecklistAnswer.objects.update_or_create(
                round=last, expert=actor, question=question, defaults={"answer": given}
            )
    return answered(last, actor)

"""What an expert has before them: a text with its remarks, the checklist, and the decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from registry import rules, workflow
from registry.forms.checklist import ChecklistForm
from registry.forms.review import DecisionForm
from registry.models import RegistrationRequest, Round, User
from registry.pages.deciding import Checklist, points
from registry.pages.dossier import Dossier
from registry.reviewing import checklist
from registry.workflow import Transition
from registry.workflow.step import Step
from registry.workflow.words import Words

DECISIONS: Final = ("request_changes", "approve", "report", "decline", "advise")


@dataclass(frozen=True, slots=True)
class Reading:
    """One request as `person` reads it."""

    person: User
    registration_request: RegistrationRequest
    dossier: Dossier
    offers: list[tuple[Transition, Words]]
    may_remark: bool
    checklist: Checklist
    checklist_form: ChecklistForm

    @classmethod
    def of(cls, registration_request: RegistrationRequest, person: User) -> Reading:
        """Return what `person` reads of a request, and may do now."""
        dossier = Dossier.of(registration_request)
        return cls(
            person,
            registration_request,
            dossier,
            choices(registration_request, person),
            rules.may_remark(person, registration_request),
            *of_expert(registration_request, dossier.round, person),
        )

    def form(self, *args: Any, **kwargs: Any) -> DecisionForm:
        """Return the form of the decision, with what to weigh before it."""
        return DecisionForm(
            *args,
            registration_request=self.registration_request,
            offers=self.offers,
            points=points(self.dossier.remarks, self.checklist),
            **kwargs,
        )


def choices(
    registration_request: RegistrationRequest, person: User
) -> list[tuple[Transition, Words]]:
    """Return the decisions open to `person` now, each with what stands in its way, if anything."""
    step = Step(registration_request, person, comment=_("Reasons are given with the decision."))
    return [
        (transition, transition.obstacle(step))
        for transition in workflow.offers(registration_request, person)
        if transition.verb in DECISIONS
    ]


def of_expert(
    registration_request: RegistrationRequest, last: Round, person: User, typed: Any = None
) -> tuple[Checklist, ChecklistForm]:
    """Return the checklist as the expert has answered it, and its form, with what is posted."""
    questions = checklist.questions(registration_request)
    answers = checklist.answered(last, person)
    form = ChecklistForm(typed, shown=last, questions=questions, answers=answers)
    return Checklist(questions, answers), form

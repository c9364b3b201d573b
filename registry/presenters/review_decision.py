"""The decisions open to an expert, with the checklist and what to weigh before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from registry import permissions, verbs
from registry.actions import remarks
from registry.enums import RemarkWeight, State
from registry.forms.review import ChecklistForm, DecisionForm
from registry.models import RegistrationRequest, Round, User
from registry.presenters.remarks import CarriedRemark
from registry.presenters.review_context import ReviewContext
from registry.presenters.review_queue import QueueRow, build_queue_row
from registry.selectors.review_queue import find_queued_request
from registry.template.checklist import ChecklistQuestion
from registry.verbs import VerbKind
from registry.workflow import VERBS

PointText = str | Promise

MAX_NAMED_QUESTIONS: Final = 6


@dataclass(frozen=True, slots=True)
class ChecklistState:
    """The questions that are asked of a round, and which of them an expert has answered."""

    questions: Sequence[ChecklistQuestion]
    answers: Mapping[str, str]

    @property
    def count(self) -> int:
        """How many questions there are."""
        return len(self.questions)

    @property
    def unanswered(self) -> list[ChecklistQuestion]:
        """The questions without an answer."""
        return [each for each in self.questions if each.slug not in self.answers]

    @property
    def done(self) -> int:
        """How many questions are answered."""
        return self.count - len(self.unanswered)


def list_decision_points(
    remarks: Iterable[CarriedRemark], checklist: ChecklistState
) -> dict[str, tuple[PointText, ...]]:
    """Return what to weigh before each decision, by verb; none of it bars the decision."""
    still_open = [each for each in remarks if each.is_open]
    lesser = [each for each in still_open if each.remark.weight != RemarkWeight.MUST_FIX]
    before_the_end = (*link_open_remarks(lesser), *name_open_questions(checklist))
    points: dict[str, tuple[PointText, ...]] = {}
    for verb in verbs.of_kind(VerbKind.EXPERT_DECISION):
        if VERBS[verb].target == State.CHANGES_REQUESTED:
            points[verb] = tuple(link_accompanying_remarks(still_open))
        elif verbs.is_of_kind(verb, VerbKind.FAVOURABLE):
            points[verb] = before_the_end
    return points


def link_accompanying_remarks(remarks: Sequence[CarriedRemark]) -> list[SafeString]:
    """Name the open remarks, which the registrant is asked to answer."""
    if not remarks:
        return []
    words = ngettext(
        "{count} open remark goes along: {links}",
        "{count} open remarks go along: {links}",
        len(remarks),
    )
    return [format_html(words, count=len(remarks), links=link_remarks(remarks))]


def link_open_remarks(remarks: Sequence[CarriedRemark]) -> list[SafeString]:
    """Name the remarks that would stay open."""
    if not remarks:
        return []
    words = ngettext(
        "{count} remark is open: {links}",
        "{count} remarks are open: {links}",
        len(remarks),
    )
    return [format_html(words, count=len(remarks), links=link_remarks(remarks))]


def link_remarks(remarks: Iterable[CarriedRemark]) -> SafeString:
    """Return links to remarks, each named by its number, weight and section."""
    return format_html_join(
        ", ",
        '<a href="#{}">{}, {} ({})</a>',
        (
            (each.anchor, each.remark.number, each.remark.get_weight_display(), each.label)
            for each in remarks
        ),
    )


def name_open_questions(checklist: ChecklistState) -> list[SafeString]:
    """Name the questions of the checklist that have no answer; many of them by their number."""
    missing = checklist.unanswered
    if not missing:
        return []
    if len(missing) > MAX_NAMED_QUESTIONS:
        words = ngettext(
            '<a href="#checklist">{count} checklist question has no answer</a>',
            '<a href="#checklist">{count} checklist questions have no answer</a>',
            len(missing),
        )
        return [format_html(words, count=len(missing))]
    links = format_html_join(
        ", ", '<a href="#div_check_{}">{}</a>', ((each.slug, each.text) for each in missing)
    )
    words = ngettext(
        "{count} checklist question has no answer: {links}",
        "{count} checklist questions have no answer: {links}",
        len(missing),
    )
    return [format_html(words, count=len(missing), links=links)]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """One request as `person` reads it; `row` is its line of the queue."""

    person: User
    registration_request: RegistrationRequest
    row: QueueRow
    dossier: ReviewContext
    may_remark: bool
    checklist: ChecklistState
    checklist_form: ChecklistForm

    @classmethod
    def of(cls, registration_request: RegistrationRequest, person: User) -> ReviewPage:
        """Return what `person` reads of a request, and may do now."""
        queued = find_queued_request(person, registration_request)
        dossier = ReviewContext.of(queued)
        return cls(
            person,
            queued,
            build_queue_row(queued, person),
            dossier,
            permissions.may_remark(person, queued),
            *load_expert_checklist(queued, dossier.round, person),
        )

    def show_points(self, form: DecisionForm) -> None:
        """Show in the form of the decision what to weigh before it."""
        form.show_consequences(list_decision_points(self.dossier.remarks, self.checklist))


def load_expert_checklist(
    registration_request: RegistrationRequest, last: Round, person: User, typed: Any = None
) -> tuple[ChecklistState, ChecklistForm]:
    """Return the checklist as the expert has answered it, and its form, with what is posted."""
    questions = remarks.list_questions(registration_request)
    answers = remarks.read_checklist_answers(last, person)
    form = ChecklistForm(typed, shown=last, questions=questions, answers=answers)
    return ChecklistState(questions, answers), form

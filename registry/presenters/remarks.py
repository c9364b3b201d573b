"""Remarks as pages show them: the passage, their state, and which are to be answered."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from registry.enums import RemarkWeight, Role, Settlement
from registry.forms.remarks import AnswerForm
from registry.journal.event_messages import REMARK_VERBS
from registry.models import Event, RegistrationRequest, Remark, Round, User
from registry.template import Page, Template, field, page_of
from registry.template.diff import AlignmentEffort
from registry.template.passages import FollowedPassage, PassageState, PassageTracker

PASSAGE_STATEMENTS: Final = {
    PassageState.SAME: gettext_lazy("The passage has not changed."),
    PassageState.MOVED: gettext_lazy("The passage has moved."),
    PassageState.CHANGED: gettext_lazy("The passage has changed. It now says:"),
    PassageState.GONE: gettext_lazy("The passage is gone."),
}
SETTLEMENT_PHRASES: Final[dict[str, str | Promise]] = {
    Settlement.CHANGED: gettext_lazy("changed the text"),
    Settlement.EXPLAINED: gettext_lazy("explained"),
}
FIRST_MOMENT: Final = datetime.datetime.min.replace(tzinfo=datetime.UTC)
WEIGHT_TONES: Final = {
    RemarkWeight.MUST_FIX: "bad",
    RemarkWeight.ADVICE: "info",
    RemarkWeight.QUESTION: "warn",
}


@dataclass(frozen=True, slots=True)
class RemarkEntry:
    """One step in a remark's thread: by whom, what, when, and in what words."""

    who: str
    words: str | Promise
    at: datetime.datetime | None
    text: str
    roles: tuple[Role, ...] = ()


@dataclass(frozen=True, slots=True)
class CarriedRemark:
    """A remark in the current text; `found` is None if it is on a whole section."""

    remark: Remark
    made_on: Round
    shown: Round
    found: FollowedPassage | None
    thread: tuple[RemarkEntry, ...]
    may_settle: bool = False
    roles: tuple[Role, ...] = ()

    @property
    def anchor(self) -> str:
        """The fragment under which pages show it."""
        return self.remark.anchor

    @property
    def label(self) -> str:
        """The section it is on."""
        return field(self.remark.section).label

    @property
    def tone(self) -> str:
        """Its colour: by weight while it is open."""
        return WEIGHT_TONES[RemarkWeight(self.remark.weight)] if self.is_open else ""

    @property
    def is_open(self) -> bool:
        """Whether nobody has settled it."""
        return self.remark.settlement == Settlement.OPEN

    @property
    def is_question(self) -> bool:
        """Whether it is a question without an answer."""
        return self.is_open and self.remark.weight == RemarkWeight.QUESTION

    @property
    def is_dropped(self) -> bool:
        """Whether an expert withdrew it."""
        return self.remark.settlement == Settlement.DROPPED

    @property
    def is_news(self) -> bool:
        """Whether it matters to the round shown: open, or made or answered with it."""
        return (
            self.is_open
            or self.made_on == self.shown
            or self.remark.answered_in_id == self.shown.pk
        )

    @property
    def is_carried(self) -> bool:
        """Whether it was made on an earlier round."""
        return self.made_on != self.shown

    @property
    def answer_url(self) -> str:
        """Where the registrant answers it."""
        return get_answer_url(self.remark)

    @property
    def stands(self) -> str | Promise:
        """What happened to its passage since; empty for one made on this round."""
        return PASSAGE_STATEMENTS[self.found.standing] if self.found and self.is_carried else ""

    @property
    def now(self) -> str:
        """The current text of a passage that has changed."""
        changed = self.found is not None and self.found.standing is PassageState.CHANGED
        return self.found.text if self.found and changed and self.is_carried else ""


class PassageFinder:
    """Finds passages of earlier rounds in one text, caching comparisons."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.effort = AlignmentEffort()
        self.trails: dict[tuple[int, str], PassageTracker] = {}

    def find(self, remark: Remark, made_on: Round) -> FollowedPassage | None:
        """Return where the passage of `remark` is in the text; None without a passage."""
        if remark.start is None:
            return None
        key = made_on.pk, remark.section
        if key not in self.trails:
            before, now = made_on.template[remark.section], self.template[remark.section]
            self.trails[key] = PassageTracker(before, now, self.effort)
        return self.trails[key].follow(remark.quote, remark.start)


def carry_remarks(
    registration_request: RegistrationRequest,
    rounds: Sequence[Round],
    *,
    shown: Round | None = None,
    events: Iterable[Event] | None = None,
    may_settle: bool = False,
) -> list[CarriedRemark]:
    """Return the remarks of a request, each in the text of `shown`, by default the last round.

    `rounds` are those sent; `events` the journal of the request, if the page has it already.
    """
    if not rounds:
        return []
    shown = shown or rounds[-1]
    following, by_key = PassageFinder(shown.template), {each.pk: each for each in rounds}
    if events is None:
        events = registration_request.events.filter(verb__in=REMARK_VERBS)
    about: dict[int, list[Event]] = {}
    for event in events:
        if event.verb in REMARK_VERBS:
            about.setdefault(event.data["remark"], []).append(event)
    remarks = list(registration_request.remarks.select_related("author", "answered_by"))
    for remark in remarks:
        remark.round = by_key[remark.round_id]
    roles = User.objects.roles_of(
        [
            *(each.author_id for each in remarks),
            *(each.answered_by_id for each in remarks),
            *(each.actor_id for events in about.values() for each in events),
        ]
    )
    return [
        CarriedRemark(
            remark,
            by_key[remark.round_id],
            shown,
            following.find(remark, by_key[remark.round_id]),
            build_remark_thread(remark, about.get(remark.number, []), by_key, roles),
            may_settle,
            roles.get(remark.author_id, ()),
        )
        for remark in remarks
    ]


def build_remark_thread(
    remark: Remark,
    events: Iterable[Event],
    rounds: dict[int, Round],
    roles: Mapping[int, tuple[Role, ...]],
) -> tuple[RemarkEntry, ...]:
    """Return what happened to a remark after it was made, oldest first."""
    sent = {each.number: each for each in rounds.values()}
    said = [
        each
        for event in events
        for each in (
            *find_earlier_answer(event, remark, sent),
            *build_settlement_entries(event, roles.get(event.actor_id or 0, ())),
        )
    ]
    if remark.answered_in_id:
        answered_in = rounds[remark.answered_in_id]
        said.append(
            RemarkEntry(
                str(remark.answered_by),
                describe_answer(remark, remark.settlement, answered_in),
                answered_in.submitted_at,
                remark.answer,
                roles.get(remark.answered_by_id or 0, ()),
            )
        )
    return tuple(sorted(said, key=lambda each: each.at or FIRST_MOMENT))


def find_earlier_answer(
    event: Event, remark: Remark, sent: Mapping[int, Round]
) -> list[RemarkEntry]:
    """Return the answer from before a remark was reopened, as the journal keeps it."""
    told = event.data
    if event.verb != "reopen_remark" or "answered_by" not in told:
        return []
    answered_in = sent.get(told.get("round", 0))
    words = describe_answer(remark, told["settlement"], answered_in)
    at = answered_in.submitted_at if answered_in else None
    return [RemarkEntry(told["answered_by"], words, at, told["answer"])]


def describe_answer(remark: Remark, settlement: str, answered_in: Round | None) -> str | Promise:
    """Say what an answer does; if its remark was dropped later, the answering round is unknown."""
    if settlement == Settlement.CHANGED and answered_in:
        before, now = remark.round.template[remark.section], answered_in.template[remark.section]
        if before == now:
            return _("changed the text, but not in this section")
    return SETTLEMENT_PHRASES.get(settlement, _("answered"))


def build_settlement_entries(event: Event, roles: tuple[Role, ...]) -> list[RemarkEntry]:
    """Return what experts did with a remark after it was made."""
    words = {"drop_remark": _("dropped it"), "reopen_remark": _("opened it again")}
    if event.verb not in words:
        return []
    return [RemarkEntry(event.actor_name, words[event.verb], event.at, event.comment, roles)]


def get_answer_url(remark: Remark) -> str:
    """Return where the registrant answers a remark: on the page of its section."""
    page = page_of(remark.section)
    slug = remark.registration_request.slug
    return f"{reverse('requests:edit', args=[slug, page.slug])}#{remark.anchor}"


@dataclass(frozen=True, slots=True)
class RemarkToAnswer:
    """An open remark with the form for its answer, and where to write it."""

    shown: CarriedRemark
    form: AnswerForm

    @classmethod
    def of(cls, remark: Remark, form: AnswerForm) -> RemarkToAnswer:
        """Return a request's remark in the text of its draft."""
        shown = next(
            each
            for each in carry_remarks_into_draft(remark.registration_request)
            if each.remark == remark
        )
        return cls(shown, form)

    @property
    def is_answered(self) -> bool:
        """Whether an answer is prepared."""
        return bool(self.shown.remark.draft_settlement)

    @property
    def is_must(self) -> bool:
        """Whether nothing can be sent before it is answered."""
        return self.shown.remark.weight == RemarkWeight.MUST_FIX

    @property
    def url(self) -> str:
        """Where to answer it."""
        return get_answer_url(self.shown.remark)


def carry_remarks_into_draft(registration_request: RegistrationRequest) -> list[CarriedRemark]:
    """Return the remarks of a request in the text of its draft."""
    rounds = list(registration_request.rounds.order_by("number"))
    sent = [each for each in rounds if each.submitted_at]
    return carry_remarks(registration_request, sent, shown=rounds[-1])


def list_remarks_to_answer(
    registration_request: RegistrationRequest, typed: Mapping[int, AnswerForm] | None = None
) -> list[RemarkToAnswer]:
    """Return the open remarks, first those that must be answered and are not.

    `typed` has forms with what was typed, by the number of the remark; these are shown even if the
    remark has been settled meanwhile.
    """
    typed = typed or {}
    found = [
        RemarkToAnswer(each, build_remark_answer_form(each, typed))
        for each in carry_remarks_into_draft(registration_request)
        if each.is_open or each.remark.number in typed
    ]
    return sorted(found, key=lambda each: (each.is_answered, not each.is_must))


def build_remark_answer_form(
    carried_remark: CarriedRemark, typed: Mapping[int, AnswerForm]
) -> AnswerForm:
    """Return the form with what was typed, or with the prepared answer."""
    remark = carried_remark.remark
    return typed.get(remark.number) or AnswerForm(remark=remark, in_editor=True)


def select_remarks_on_page(found: Sequence[RemarkToAnswer], page: Page) -> list[RemarkToAnswer]:
    """Return the remarks on one page of the editor, oldest first."""
    here = [each for each in found if each.shown.remark.section in page.fields]
    return sorted(here, key=lambda each: each.shown.remark.number)


def count_unanswered_by_page(registration_request: RegistrationRequest) -> Counter[str]:
    """Return how many open unanswered remarks each page has, by its slug."""
    sections = registration_request.remarks.open().unanswered()
    return Counter(page_of(each).slug for each in sections.values_list("section", flat=True))

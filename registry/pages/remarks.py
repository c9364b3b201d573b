"""Remarks as pages show them: on which passage, where that stands now, and what became of it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from registry.choices import Role, Settlement, Weight
from registry.models import Event, RegistrationRequest, Remark, Round, User
from registry.telling import ON_PASSAGES
from registry.template import Template, field, page_of
from registry.template.alignment import Effort
from registry.template.passage import Found, Standing, Trail

STANDS: Final = {
    Standing.SAME: gettext_lazy("The passage is as it was."),
    Standing.MOVED: gettext_lazy("The passage has moved."),
    Standing.CHANGED: gettext_lazy("The passage has changed. It now says:"),
    Standing.GONE: gettext_lazy("The passage is no longer there."),
}
ANSWERED: Final[dict[str, str | Promise]] = {
    Settlement.CHANGED: gettext_lazy("changed the text"),
    Settlement.EXPLAINED: gettext_lazy("explained"),
}
START: Final = datetime.datetime.min.replace(tzinfo=datetime.UTC)
TONES: Final = {Weight.MUST_FIX: "bad", Weight.ADVICE: "info", Weight.QUESTION: "warn"}


@dataclass(frozen=True, slots=True)
class Said:
    """One thing said about a remark: by whom, doing what, when, in what words."""

    who: str
    words: str | Promise
    at: datetime.datetime | None
    text: str
    roles: tuple[Role, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """A remark in the text that is read now; `found` is None where it is on a whole section."""

    remark: Remark
    made_on: Round
    shown: Round
    found: Found | None
    thread: tuple[Said, ...]
    may_settle: bool = False
    roles: tuple[Role, ...] = ()

    @property
    def anchor(self) -> str:
        """The fragment at which pages show it."""
        return self.remark.anchor

    @property
    def label(self) -> str:
        """The section it is on."""
        return field(self.remark.section).label

    @property
    def tone(self) -> str:
        """How it is coloured: by its weight while it is open."""
        return TONES[Weight(self.remark.weight)] if self.is_open else ""

    @property
    def is_open(self) -> bool:
        """Whether nobody has settled it."""
        return self.remark.settlement == Settlement.OPEN

    @property
    def is_question(self) -> bool:
        """Whether it is a question without an answer."""
        return self.is_open and self.remark.weight == Weight.QUESTION

    @property
    def is_dropped(self) -> bool:
        """Whether an expert took it back."""
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
    def stands(self) -> str | Promise:
        """What has become of its passage since; nothing for one made on this round."""
        return STANDS[self.found.standing] if self.found and self.is_carried else ""

    @property
    def now(self) -> str:
        """What a passage that has changed says now."""
        changed = self.found is not None and self.found.standing is Standing.CHANGED
        return self.found.text if self.found and changed and self.is_carried else ""


class Following:
    """Finds passages of earlier rounds in one text; what was compared is compared once."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.effort = Effort()
        self.trails: dict[tuple[int, str], Trail] = {}

    def find(self, remark: Remark, made_on: Round) -> Found | None:
        """Return where the passage of `remark` stands in the text; None without a passage."""
        if remark.start is None:
            return None
        key = made_on.pk, remark.section
        if key not in self.trails:
            before, now = made_on.template[remark.section], self.template[remark.section]
            self.trails[key] = Trail(before, now, self.effort)
        return self.trails[key].follow(remark.quote, remark.start)


def carried(
    registration_request: RegistrationRequest,
    rounds: Sequence[Round],
    *,
    shown: Round | None = None,
    events: Iterable[Event] | None = None,
    may_settle: bool = False,
) -> list[Carried]:
    """Return the remarks of a request, each in the text of `shown`, by default the last round.

    `rounds` are those sent; `events` the journal of the request, where the page has it already.
    """
    if not rounds:
        return []
    shown = shown or rounds[-1]
    following, by_key = Following(shown.template), {each.pk: each for each in rounds}
    if events is None:
        events = registration_request.events.filter(verb__in=ON_PASSAGES)
    about: dict[int, list[Event]] = {}
    for event in events:
        if event.verb in ON_PASSAGES:
            about.setdefault(event.data["remark"], []).append(event)
    remarks = list(registration_request.remarks.select_related("author", "answered_by"))
    roles = User.objects.roles_of(
        [
            *(each.author_id for each in remarks),
            *(each.answered_by_id for each in remarks),
            *(each.actor_id for events in about.values() for each in events),
        ]
    )
    return [
        Carried(
            remark,
            by_key[remark.round_id],
            shown,
            following.find(remark, by_key[remark.round_id]),
            thread(remark, about.get(remark.number, []), by_key, roles),
            may_settle,
            roles.get(remark.author_id, ()),
        )
        for remark in remarks
    ]


def thread(
    remark: Remark,
    events: Iterable[Event],
    rounds: dict[int, Round],
    roles: Mapping[int, tuple[Role, ...]],
) -> tuple[Said, ...]:
    """Return what was said about a remark after it was made, the first first."""
    sent = {each.number: each.submitted_at for each in rounds.values()}
    said = [
        each
        for event in events
        for each in (
            *answer_before(event, sent),
            *settled(event, roles.get(event.actor_id or 0, ())),
        )
    ]
    if remark.answered_in_id:
        at = rounds[remark.answered_in_id].submitted_at
        said.append(
            answer(
                str(remark.answered_by),
                remark.settlement,
                at,
                remark.answer,
                roles.get(remark.answered_by_id or 0, ()),
            )
        )
    return tuple(sorted(said, key=lambda each: each.at or START))


def answer_before(event: Event, sent: dict[int, datetime.datetime | None]) -> list[Said]:
    """Return the answer that stood before a remark was opened again, as the journal keeps it."""
    told = event.data
    if event.verb != "reopen_remark" or "answered_by" not in told:
        return []
    at = sent.get(told.get("round", 0))
    return [answer(told["answered_by"], told["settlement"], at, told["answer"])]


def answer(
    who: str,
    settlement: str,
    at: datetime.datetime | None,
    text: str,
    roles: tuple[Role, ...] = (),
) -> Said:
    """Return an answer; of one whose remark was dropped later nobody knows which it was."""
    return Said(who, ANSWERED.get(settlement, _("answered")), at, text, roles)


def settled(event: Event, roles: tuple[Role, ...]) -> list[Said]:
    """Return what an expert did with a remark after it was made."""
    words = {"drop_remark": _("dropped it"), "reopen_remark": _("opened it again")}
    if event.verb not in words:
        return []
    return [Said(event.actor_name, words[event.verb], event.at, event.comment, roles)]


def edit_url(remark: Remark) -> str:
    """Return where the registrant answers a remark: on the page of its section."""
    page = page_of(remark.section)
    slug = remark.registration_request.slug
    return f"{reverse('requests:edit', args=[slug, page.slug])}#{remark.anchor}"

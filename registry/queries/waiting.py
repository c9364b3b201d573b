"""Whose turn it is, since when, promised by when, and what happens then (docs/process.md)."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.choices import State, Turn
from registry.models import RegistrationRequest
from registry.queries.deadlines import (
    ahead,
    day_of,
    first_answer_by,
    ladders,
    publication,
    strongest_due,
)
from registry.queries.standing import Standing, standings
from registry.telling import THEN

Words = str | Promise

UNTAKEN: Final = gettext_lazy(
    "The lead expert puts an expert on it, or an expert takes it; otherwise the rota names one."
)
FACTS_SENT: Final = gettext_lazy("The registrar checks the proof and enters the change.")
FACTS_DRAFT: Final = gettext_lazy(
    "Once it is sent, the request is public and the registrar checks the proof."
)

REOPENED: Final = gettext_lazy("It has ended; the registrant can reopen it.")
ENDED: Final[dict[State, Words]] = {
    State.REGISTERED: gettext_lazy("It has ended: what was asked for is published."),
    State.WITHDRAWN: REOPENED,
    State.EXPIRED: REOPENED,
    State.REFUSED: gettext_lazy("It has ended; anyone affected can appeal."),
}


@dataclass(frozen=True, slots=True)
class Dated:
    """A sentence with a day in it, written as `%(day)s`."""

    words: Words
    day: datetime.date


@dataclass(frozen=True, slots=True)
class Waiting:
    """For whom a request waits, and for how long it may.

    `who` is the role, with the names of the experts where it is theirs. `then` says what happens
    next, `otherwise` what happens if it does not; `alarm` what should never have come to be.
    """

    turn: Turn
    who: str
    since: datetime.datetime
    promised_by: datetime.date | None
    days_late: int
    then: Words
    otherwise: tuple[Dated, ...]
    alarm: str

    @property
    def is_over(self) -> bool:
        """Whether the request has ended and waits for nobody."""
        return self.turn == Turn.NOBODY

    @property
    def is_late(self) -> bool:
        """Whether the promised day is over."""
        return self.days_late > 0

    @property
    def late(self) -> str:
        """How late it is: "2 days late", empty when it is not."""
        return lateness(self.days_late)


def waiting_for(
    registration_request: RegistrationRequest, now: datetime.datetime | None = None
) -> Waiting:
    """Return for whom one request waits."""
    return waiting_for_all([registration_request], now)[registration_request.pk]


def waiting_for_all(
    requests: Sequence[RegistrationRequest], now: datetime.datetime | None = None
) -> dict[int, Waiting]:
    """Return for whom each request waits, by its key; three queries, however many they are."""
    moment = now or timezone.now()
    return {each.registration_request.pk: waiting(each, moment) for each in standings(requests)}


def waiting(standing: Standing, now: datetime.datetime) -> Waiting:
    """Put into words where a request stands."""
    promised = promised_by(standing)
    return Waiting(
        turn=standing.turn,
        who=who(standing),
        since=standing.since,
        promised_by=promised,
        days_late=days_late(promised, now),
        then=what_then(standing),
        otherwise=tuple(
            Dated(deadline.warning, deadline.day)
            for ladder in ladders(standing)
            for deadline in ahead(ladder, now)
        ),
        alarm=alarm(standing, now),
    )


def promised_by(standing: Standing) -> datetime.date | None:
    """Return what was promised; while nobody has taken it, that somebody does."""
    decided_by = standing.registration_request.promised_by
    if decided_by is None or standing.turn != Turn.LEAD:
        return decided_by
    return min(decided_by, first_answer_by(standing.since))


def days_late(promised: datetime.date | None, now: datetime.datetime | None = None) -> int:
    """Return how many days ago the promised day was over; none is late without a promise."""
    return max(0, (day_of(now or timezone.now()) - promised).days) if promised else 0


def lateness(days: int) -> str:
    """Say how late something is: "2 days late", nothing when it is not."""
    if not days:
        return ""
    return ngettext("%(days)d day late", "%(days)d days late", days) % {"days": days}


def who(standing: Standing) -> str:
    """Name the role, and the experts where it is their turn."""
    if standing.turn != Turn.EXPERTS:
        return str(standing.turn.label)
    names = listing(sorted(str(each.expert) for each in standing.experts))
    return ngettext(
        "the designated expert %(names)s", "the designated experts %(names)s", len(standing.experts)
    ) % {"names": names}


def listing(names: Iterable[str]) -> str:
    """Return names as a sentence lists them: "A", "A and B", "A, B and C"; nothing for none."""
    *others, last = list(names) or [""]
    if not others:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(others), "last": last}


def what_then(standing: Standing) -> Words:
    """Return what happens next, or what can still be done after the end."""
    registration_request, state = standing.registration_request, standing.registration_request.state
    if standing.turn == Turn.LEAD:
        return UNTAKEN
    if state in ENDED:
        return ENDED[State(state)]
    if registration_request.changes_facts and state == State.APPROVED:
        return FACTS_SENT
    if registration_request.changes_facts and state == State.DRAFT:
        return FACTS_DRAFT
    return THEN.get(State(state), "")


def approved_at(registration_request: RegistrationRequest) -> datetime.datetime | None:
    """Return when the request was approved last: from then on the clock of publishing runs."""
    approvals = registration_request.events.filter(target=State.APPROVED)
    return (
        approvals.exclude(source=State.APPROVED)
        .order_by("-number")
        .values_list("at", flat=True)
        .first()
    )


def alarm(standing: Standing, now: datetime.datetime) -> str:
    """Return the alarm about what was approved and lies there, if it has come to that."""
    if standing.registration_request.state != State.APPROVED:
        return ""
    if strongest_due(publication(standing), now) is None:
        return ""
    days = (now - standing.since).days
    return ngettext(
        "Alarm: approved %(days)d day ago, and not registered yet.",
        "Alarm: approved %(days)d days ago, and not registered yet.",
        days,
    ) % {"days": days}

"""What the clock does when nobody acts: which deadlines a request has, and what each is for.

A ladder is a row of deadlines about one wait, the stronger after the weaker; whoever was told
by the weaker is told by the stronger too. Days are days of 24 hours; a promise that names a day
is missed when that day is over.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.choices import IDLE, Reason, State
from registry.queries.standing import Standing

Words = str | Promise

EXPIRE: Final = "expire"
EXPERT: Final = (Reason.EXPERT,)
LEAD: Final = (Reason.LEAD,)
ABOVE: Final = (Reason.REGISTRAR, Reason.STANDARDS_BODY)
FRIDAY: Final = 4


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the clock acts, and by which verb of the journal.

    `since` is when the wait began that it is about. `day` is the last on which somebody can act
    before, or the one on which the clock does; `warning` says so, with `%(day)s`.
    """

    kind: str
    verb: str
    to: tuple[Reason, ...]
    since: datetime.datetime
    at: datetime.datetime
    day: datetime.date
    warning: Words


Ladder = tuple[Deadline, ...]


def ladders(standing: Standing) -> list[Ladder]:
    """Return all ladders of a request, in the order in which they matter to who must act."""
    state = standing.registration_request.state
    found: list[Ladder] = []
    if standing.is_untaken:
        found.append(first_answer(standing))
    elif state == State.IN_REVIEW:
        found.append(review(standing))
    if state == State.IN_REVIEW:
        found.append(decision(standing))
    elif state == State.APPROVED:
        found.append(publication(standing))
    elif state in {State.REPORTED, State.APPEALED}:
        found.append(direction(standing))
    if state in IDLE:
        found.append((*reminders(standing), expiry(standing)))
    elif state == State.ADVISORY:
        found.append(reminders(standing))
    return [ladder for ladder in found if ladder]


def first_answer(standing: Standing) -> Ladder:
    """Nobody takes it: the lead is told, and in the end those above."""
    since = standing.manned_since
    all_days = settings.REGISTRY_ESCALATION_DAYS["all"]
    return (
        after_day("first-answer", "alarm", LEAD, since, first_answer_by(since), UNTAKEN),
        after_days("untaken", "escalate", LEAD + ABOVE, since, all_days, TOLD_ABOVE),
    )


def review(standing: Standing) -> Ladder:
    """Experts are on it and silent: they are nudged, then the lead is told, then those above."""
    days, since = settings.REGISTRY_ESCALATION_DAYS, standing.quiet_since
    return (
        after_days("review", "nudge", EXPERT, since, days["expert"], NUDGED),
        after_days("review-lead", "escalate", EXPERT + LEAD, since, days["lead"], TOLD_LEAD),
        after_days("review-all", "escalate", EXPERT + LEAD + ABOVE, since, days["all"], TOLD_ABOVE),
    )


def decision(standing: Standing) -> Ladder:
    """The decision is late: the lead is told, who may put the date off."""
    by = standing.registration_request.promised_by
    if by is None:
        return ()
    return (after_day("decision", "escalate", EXPERT + LEAD, midnight(by), by, DECISION),)


def publication(standing: Standing) -> Ladder:
    """It was approved, and the registrar does not publish: the alarm, with a clock of its own."""
    since, to = standing.since, (Reason.REGISTRAR, *LEAD)
    days = settings.REGISTRY_PUBLISH_DAYS
    all_days = max(days, settings.REGISTRY_ESCALATION_DAYS["all"])
    return (
        after_days("publication", "alarm", to, since, days, ALARM),
        after_days("publication-all", "escalate", LEAD + ABOVE, since, all_days, TOLD_ABOVE),
    )


def direction(standing: Standing) -> Ladder:
    """The standards body does not answer a report or an appeal."""
    by = standing.registration_request.promised_by
    if by is None:
        return ()
    return (after_day("direction", "alarm", ABOVE, standing.since, by, DIRECTION),)


def reminders(standing: Standing) -> Ladder:
    """Nobody writes on: whoever writes the text is reminded."""
    to, since = (Reason.REGISTRANT,), standing.idle_since
    lapses = standing.registration_request.state in IDLE
    return tuple(
        after_days(f"reminder-{number}", "remind", to, since, days, REMINDED)
        for number, days in enumerate(sorted(settings.REGISTRY_REMINDER_DAYS), start=1)
        if days < settings.REGISTRY_EXPIRE_DAYS or not lapses
    )


def expiry(standing: Standing) -> Deadline:
    """Nobody has written on for so long that the request lapses."""
    since, days = standing.idle_since, settings.REGISTRY_EXPIRE_DAYS
    return after_days(EXPIRE, EXPIRE, (Reason.REGISTRANT,), since, days, LAPSES)


def first_answer_by(since: datetime.datetime) -> datetime.date:
    """Return the day by which somebody takes what nobody is on `since` then."""
    return working_days_after(day_of(since), settings.REGISTRY_FIRST_ANSWER_WORKING_DAYS)


def rota_is_due(standing: Standing, now: datetime.datetime) -> bool:
    """Whether the rota puts an expert on a request that nobody has taken."""
    last = working_days_after(day_of(standing.manned_since), settings.REGISTRY_ROTA_WORKING_DAYS)
    return standing.is_untaken and now >= midnight_after(last)


def ahead(ladder: Sequence[Deadline], now: datetime.datetime) -> Iterator[Deadline]:
    """Yield what is announced of a ladder: what comes next, and that the request will lapse."""
    coming = [each for each in ladder if each.at > now]
    yield from coming[:1]
    yield from (each for each in coming[1:] if each.verb == EXPIRE)


def strongest_due(ladder: Sequence[Deadline], now: datetime.datetime) -> Deadline | None:
    """Return the last deadline that is over: after a long silence one letter says it all."""
    return next((each for each in reversed(ladder) if each.at <= now), None)


def due(standing: Standing, now: datetime.datetime) -> Iterator[Deadline]:
    """Yield what the clock should have done by `now`, the strongest of each ladder."""
    for ladder in ladders(standing):
        if deadline := strongest_due(ladder, now):
            yield deadline


def after_days(
    kind: str,
    verb: str,
    to: tuple[Reason, ...],
    since: datetime.datetime,
    days: int,
    warning: Words,
) -> Deadline:
    """Return a deadline so many days after the wait began."""
    at = since + datetime.timedelta(days)
    return Deadline(kind, verb, to, since, at, day_of(at), warning)


def after_day(
    kind: str,
    verb: str,
    to: tuple[Reason, ...],
    since: datetime.datetime,
    day: datetime.date,
    warning: Words,
) -> Deadline:
    """Return a deadline that is over when `day` is."""
    return Deadline(kind, verb, to, since, midnight_after(day), day, warning)


def working_days_after(day: datetime.date, number: int) -> datetime.date:
    """Return the day so many working days later; what comes on a weekend counts from Monday."""
    while number > 0:
        day += datetime.timedelta(1)
        number -= day.weekday() <= FRIDAY
    return day


def midnight(day: datetime.date) -> datetime.datetime:
    """Return the moment at which `day` begins."""
    return timezone.make_aware(datetime.datetime.combine(day, datetime.time.min))


def midnight_after(day: datetime.date) -> datetime.datetime:
    """Return the moment at which `day` is over."""
    return midnight(day + datetime.timedelta(1))


def day_of(moment: datetime.datetime) -> datetime.date:
    """Return the day on which `moment` falls here."""
    return timezone.localdate(moment)


UNTAKEN = _("If nobody takes it by %(day)s, the lead expert is told.")
NUDGED = _("If nobody acts before %(day)s, the experts are reminded.")
TOLD_LEAD = _("If nobody acts before %(day)s, the lead expert is told.")
TOLD_ABOVE = _("If nobody acts before %(day)s, the registrar and the standards body are told.")
DECISION = _("If it is not decided by %(day)s, the lead expert is told.")
DIRECTION = _("If it is not answered by %(day)s, the standards body and the registrar are told.")
ALARM = _("If it is not published before %(day)s, the registrar and the lead expert are alarmed.")
REMINDED = _("If nobody edits it before %(day)s, a reminder is sent.")
LAPSES = _("If nobody edits it before %(day)s, the request lapses; it can be reopened then.")

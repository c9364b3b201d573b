"""The deadlines of requests, and what the scheduler does if nobody acts."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import enums
from registry.enums import IDLE_STATES, REVIEW_STATES, LetterReason, State, Turn, VerbKind
from registry.selectors.request_clock import REMINDER_KIND, RequestClock

# A ladder is a sequence of deadlines about one wait, each stronger than the one before; people
# notified by the weaker are notified by the stronger too. None ends in silence: after the last rung
# it repeats every `REGISTRY_REPEAT_DAYS`. Days are days of 24 hours; a promise that names a day is
# broken when that day is over.

Words = str | Promise

EXPERT_REASONS: Final = (LetterReason.EXPERT,)
LEAD_REASONS: Final = (LetterReason.LEAD,)
REGISTRANT_REASONS: Final = (LetterReason.REGISTRANT,)
WATCH_REASONS: Final = (LetterReason.LEAD, LetterReason.REGISTRAR)
PAUSING_REASONS: Final = {
    Turn.HOLDER: LetterReason.HOLDER,
    Turn.REGISTRAR: LetterReason.REGISTRAR,
    Turn.STANDARDS_BODY: LetterReason.STANDARDS_BODY,
}
OVERSIGHT_REASONS: Final = (LetterReason.REGISTRAR, LetterReason.STANDARDS_BODY)
FRIDAY: Final = 4
FOREVER: Final = datetime.datetime.max.replace(tzinfo=datetime.UTC)
MIN_UNANSWERED_LETTERS: Final = 3
"""How many letters go unanswered before a request on the fast track expires."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the scheduler acts on a request or a recognition, and by which verb of the journal.

    `since` is when the wait that it is about began. `day` is the last on which somebody can act
    before it, or the one on which the scheduler acts; `warning` says so, with `%(day)s`.
    """

    kind: str
    verb: str
    to: tuple[LetterReason, ...]
    since: datetime.datetime
    at: datetime.datetime
    day: datetime.date
    warning: Words

    @property
    def is_expiry(self) -> bool:
        """Whether it ends the request, instead of only reminding somebody."""
        return enums.is_verb_of_kind(self.verb, VerbKind.EXPIRY)


Escalation = tuple[Deadline, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The deadlines of one wait, in order; the last repeats, until another ladder takes over."""

    rungs: Escalation
    repeats_until: datetime.datetime = FOREVER

    def find_due(self, now: datetime.datetime) -> Deadline | None:
        """Return the last deadline that has passed: after a long silence one letter says
        everything.
        """
        due = find_strongest_due(self.rungs, now)
        if due is None or due != self.rungs[-1]:
            return due
        return self.find_repetition((now - due.at) // find_repeat_time()) or due

    def find_next_time(self, now: datetime.datetime) -> datetime.datetime | None:
        """Return when something other than now will be due; None for never."""
        times = [each.at for each in self.rungs if each.at > now]
        if (last := self.rungs[-1]).at <= now:
            repeated = self.find_repetition((now - last.at) // find_repeat_time() + 1)
            times += [repeated.at] if repeated else []
        return min(times, default=None)

    def list_coming(self, now: datetime.datetime) -> Iterator[Deadline]:
        """Yield what is announced: the next deadline, and the request's expiry."""
        coming = [each for each in self.rungs if each.at > now]
        yield from coming[:1]
        yield from (each for each in coming[1:] if each.is_expiry)
        if not coming:
            times = (now - self.rungs[-1].at) // find_repeat_time()
            if following := self.find_repetition(times + 1):
                yield following

    def find_repetition(self, times: int) -> Deadline | None:
        """Return the last rung repeated this many times, to lead and registrar too, or None."""
        last = self.rungs[-1]
        at = last.at + times * find_repeat_time()
        if times < 1 or last.is_expiry or at >= self.repeats_until:
            return None
        return replace(
            last,
            kind=f"{last.kind}-again-{times}",
            to=tuple(dict.fromkeys((*last.to, *WATCH_REASONS))),
            at=at,
            day=find_local_day(at),
            warning=WARNING_AGAIN,
        )


def find_repeat_time() -> datetime.timedelta:
    """Return the interval at which the last rung of a ladder is repeated."""
    return datetime.timedelta(settings.REGISTRY_REPEAT_DAYS)


def list_escalations(standing: RequestClock) -> list[Ladder]:
    """Return all ladders of a request, in the order in which they matter to the people who must
    act.
    """
    state = standing.registration_request.state
    if standing.is_paused:
        expiry = find_expiry(standing)
        return [Ladder(escalate_pause(standing)), *([Ladder((expiry,))] if expiry else [])]
    found: list[Ladder] = []
    if state == State.IN_REVIEW:
        decision = escalate_decision(standing)
        review = escalate_first_answer if standing.is_untaken else escalate_review
        # After the promised day, the ladder of the decision repeats for both.
        found += [Ladder(review(standing), decision[0].at if decision else FOREVER)]
        found += [Ladder(decision)]
    elif state == State.APPROVED:
        found.append(Ladder(escalate_publication(standing)))
    elif state in {State.REPORTED, State.APPEALED}:
        found.append(Ladder(escalate_direction(standing)))
    elif state == State.ADVISORY:
        # The reminders of the body continue, and reach lead and registrar too.
        untaken = escalate_first_answer(standing) if standing.is_untaken else ()
        expiry = find_expiry(standing)
        found += [Ladder(untaken, repeats_until=standing.since)]
        found += [Ladder((expiry,) if expiry else ()), Ladder(list_reminders(standing))]
    elif state in IDLE_STATES:
        found.append(Ladder((*list_reminders(standing), find_request_expiry(standing))))
    return [ladder for ladder in found if ladder.rungs]


def escalate_pause(standing: RequestClock) -> Escalation:
    """Only the holder's consent or a recognition is missing: the people who can give it are
    reminded.
    """
    days, since = settings.REGISTRY_ESCALATION_DAYS, standing.since
    to = (PAUSING_REASONS[standing.paused_for],) if standing.paused_for else ()
    return (
        set_deadline_after("pause", "remind", to, since, days["lead"], WARNING_PAUSE),
        set_deadline_after(
            "pause-all",
            "escalate",
            (*to, *LEAD_REASONS, LetterReason.REGISTRAR),
            since,
            days["all"],
            WARNING_PAUSE_OFFICES,
        ),
    )


def escalate_first_answer(standing: RequestClock) -> Escalation:
    """Nobody takes it: the lead is notified, and in the end those above."""
    since = standing.manned_since
    all_days = settings.REGISTRY_ESCALATION_DAYS["all"]
    return (
        set_deadline_on(
            "first-answer",
            "alarm",
            LEAD_REASONS,
            since,
            find_first_answer_day(since),
            WARNING_UNTAKEN,
        ),
        set_deadline_after(
            "untaken",
            "escalate",
            LEAD_REASONS + OVERSIGHT_REASONS,
            since,
            all_days,
            WARNING_OVERSIGHT,
        ),
    )


def escalate_review(standing: RequestClock) -> Escalation:
    """Its experts are silent: they are nudged, then the lead is notified, then those above."""
    days, since = settings.REGISTRY_ESCALATION_DAYS, standing.quiet_since
    return (
        set_deadline_after(
            "review", "nudge", EXPERT_REASONS, since, days["expert"], WARNING_EXPERTS
        ),
        set_deadline_after(
            "review-lead",
            "escalate",
            EXPERT_REASONS + LEAD_REASONS,
            since,
            days["lead"],
            WARNING_LEAD,
        ),
        set_deadline_after(
            "review-all",
            "escalate",
            EXPERT_REASONS + LEAD_REASONS + OVERSIGHT_REASONS,
            since,
            days["all"],
            WARNING_OVERSIGHT,
        ),
    )


def escalate_decision(standing: RequestClock) -> Escalation:
    """The decision is late: the lead is notified, who may postpone the date."""
    by = standing.registration_request.promised_by
    if by is None:
        return ()
    return (
        set_deadline_on(
            "decision",
            "escalate",
            EXPERT_REASONS + LEAD_REASONS,
            find_start_of_day(by),
            by,
            WARNING_DECISION,
        ),
    )


def escalate_publication(standing: RequestClock) -> Escalation:
    """It was approved and the registrar does not publish it: the alarm, with its own deadlines."""
    since, is_for_body = standing.since, standing.turn == Turn.STANDARDS_BODY
    offices = OVERSIGHT_REASONS if is_for_body else (LetterReason.REGISTRAR,)
    to = (*offices, *LEAD_REASONS)
    days = settings.REGISTRY_PUBLISH_DAYS
    all_days = max(days, settings.REGISTRY_ESCALATION_DAYS["all"])
    return (
        set_deadline_after("publication", "alarm", to, since, days, WARNING_ALARM),
        set_deadline_after(
            "publication-all",
            "escalate",
            LEAD_REASONS + OVERSIGHT_REASONS,
            since,
            all_days,
            WARNING_OVERSIGHT,
        ),
    )


def escalate_direction(standing: RequestClock) -> Escalation:
    """The standards body does not answer a report or an appeal."""
    by = standing.registration_request.promised_by
    if by is None:
        return ()
    return (
        set_deadline_on(
            "direction", "alarm", OVERSIGHT_REASONS, standing.since, by, WARNING_DIRECTION
        ),
    )


def list_reminders(standing: RequestClock) -> Escalation:
    """Nobody continues: the writers are reminded, in the end lead and registrar too.

    For requests that expire, reminders continue until then, so that nobody waits long without a
    letter.
    """
    since, days = standing.idle_since, sorted(settings.REGISTRY_REMINDER_DAYS)
    settled = len(days)
    if standing.registration_request.state in IDLE_STATES:
        repeat, limit = settings.REGISTRY_REPEAT_DAYS, settings.REGISTRY_EXPIRE_DAYS
        days = [day for day in (*days, *range(days[-1] + repeat, limit, repeat)) if day < limit]
    return tuple(
        set_deadline_after(
            f"{REMINDER_KIND}-{number}",
            "remind",
            REGISTRANT_REASONS if number < settled else REGISTRANT_REASONS + WATCH_REASONS,
            since,
            day,
            WARNING_REMINDER,
        )
        for number, day in enumerate(days, start=1)
    )


def list_quiet_kinds() -> list[str]:
    """Return the kinds of reminders that are never sent to the lead or the registrar."""
    settled = len(settings.REGISTRY_REMINDER_DAYS)
    return ["review", *(f"{REMINDER_KIND}-{number}" for number in range(1, settled))]


def find_expiry(standing: RequestClock) -> Deadline | None:
    """Return when the request expires if nobody acts; None if it does not, or not yet.

    One in review expires only if nothing but a consent or a recognition has been missing so long.
    """
    state = standing.registration_request.state
    if standing.is_paused:
        is_left_alone = state in REVIEW_STATES and not standing.is_nid_held
        expiry = find_request_expiry(standing)
        return replace(expiry, warning=WARNING_LAPSE_OF_PAUSE) if is_left_alone else None
    if state == State.ADVISORY:
        return find_advisory_expiry(standing)
    return find_request_expiry(standing) if state in IDLE_STATES else None


def find_request_expiry(standing: RequestClock) -> Deadline:
    """Return when the request expires because nobody has continued it."""
    since, days = standing.idle_since, settings.REGISTRY_EXPIRE_DAYS
    verb = enums.only_of_kind(VerbKind.EXPIRY)
    return set_deadline_after(verb, verb, REGISTRANT_REASONS, since, days, WARNING_LAPSE)


def find_advisory_expiry(standing: RequestClock) -> Deadline | None:
    """Return when the request of a body that answered none of three letters expires; None before.

    The body takes its own time (RFC 8141, section 6.3), so the request expires only after that many
    letters, and the body has as long to answer the last as there was between two.
    """
    if len(standing.reminded_at) < MIN_UNANSWERED_LETTERS:
        return None
    expiry = find_request_expiry(standing)
    last_answer = standing.reminded_at[MIN_UNANSWERED_LETTERS - 1] + find_repeat_time()
    at = max(expiry.at, last_answer)
    return replace(expiry, at=at, day=find_local_day(at), warning=WARNING_LAPSE_OF_BODY)


def find_first_answer_day(since: datetime.datetime) -> datetime.date:
    """Return the day by which somebody should take what has been without experts since then."""
    return add_working_days(find_local_day(since), settings.REGISTRY_FIRST_ANSWER_WORKING_DAYS)


def is_rota_due(standing: RequestClock, now: datetime.datetime) -> bool:
    """Whether the rota assigns an expert to a request that nobody has taken."""
    return standing.is_untaken and now >= find_rota_time(standing)


def find_rota_time(standing: RequestClock) -> datetime.datetime:
    """Return from when the rota assigns an expert to a request that nobody takes."""
    last = add_working_days(
        find_local_day(standing.manned_since), settings.REGISTRY_ROTA_WORKING_DAYS
    )
    return find_end_of_day(last)


def find_strongest_due(ladder: Escalation, now: datetime.datetime) -> Deadline | None:
    """Return the last deadline that has passed; None before the first."""
    return next((each for each in reversed(ladder) if each.at <= now), None)


def list_due_deadlines(standing: RequestClock, now: datetime.datetime) -> Iterator[Deadline]:
    """Yield what the scheduler should have done by `now`, the strongest of each ladder."""
    for ladder in list_escalations(standing):
        if deadline := ladder.find_due(now):
            yield deadline


def find_next_time(standing: RequestClock, now: datetime.datetime) -> datetime.datetime | None:
    """Return when something other than by `now` will be due, if nothing is done about the request.

    None if nothing ever will.
    """
    times = [ladder.find_next_time(now) for ladder in list_escalations(standing)]
    if standing.is_untaken and (rota := find_rota_time(standing)) > now:
        times.append(rota)
    return min((each for each in times if each), default=None)


def build_reminder_data(
    deadline: Deadline, now: datetime.datetime, *others: LetterReason
) -> dict[str, Any]:
    """Return what the journal says about a reminder, and whom its letters go to."""
    return {
        "to": [str(each) for each in dict.fromkeys((*deadline.to, *others))],
        "kind": deadline.kind,
        "since": deadline.since.isoformat(),
        "days": (now - deadline.since).days,
    }


def set_deadline_after(
    kind: str,
    verb: str,
    to: tuple[LetterReason, ...],
    since: datetime.datetime,
    days: int,
    warning: Words,
) -> Deadline:
    """Return a deadline a number of days after the wait began."""
    at = since + datetime.timedelta(days)
    return Deadline(kind, verb, to, since, at, find_local_day(at), warning)


def set_deadline_on(
    kind: str,
    verb: str,
    to: tuple[LetterReason, ...],
    since: datetime.datetime,
    day: datetime.date,
    warning: Words,
) -> Deadline:
    """Return a deadline that has passed when `day` is over."""
    return Deadline(kind, verb, to, since, find_end_of_day(day), day, warning)


def add_working_days(day: datetime.date, number: int) -> datetime.date:
    """Return the day this many working days later; weekends count as the following Monday."""
    while number > 0:
        day += datetime.timedelta(1)
        number -= day.weekday() <= FRIDAY
    return day


def find_start_of_day(day: datetime.date) -> datetime.datetime:
    """Return the moment at which `day` begins."""
    return timezone.make_aware(datetime.datetime.combine(day, datetime.time.min))


def find_end_of_day(day: datetime.date) -> datetime.datetime:
    """Return the moment at which `day` is over."""
    return find_start_of_day(day + datetime.timedelta(1))


def find_local_day(moment: datetime.datetime) -> datetime.date:
    """Return the local day of `moment`."""
    return timezone.localdate(moment)


WARNING_PAUSE = _("If it is not given before %(day)s, we send a reminder.")
WARNING_PAUSE_OFFICES = _(
    "If it is not given before %(day)s, the lead expert and the registrar are told."
)
WARNING_UNTAKEN = _("If nobody takes it by %(day)s, the lead expert is told.")
WARNING_EXPERTS = _("If nobody acts before %(day)s, the experts are reminded.")
WARNING_LEAD = _("If nobody acts before %(day)s, the lead expert is told.")
WARNING_OVERSIGHT = _(
    "If nobody acts before %(day)s, the registrar and the standards body are told."
)
WARNING_DECISION = _("If it is not decided by %(day)s, the lead expert is told.")
WARNING_DIRECTION = _(
    "If it is not answered by %(day)s, the standards body and the registrar are told."
)
WARNING_ALARM = _(
    "If it is not published before %(day)s, the registrar and the lead expert are alarmed."
)
WARNING_REMINDER = _("If nobody edits it before %(day)s, we send a reminder.")
WARNING_LAPSE = _(
    "If nobody edits it before %(day)s, the request expires; it can be reopened then."
)
WARNING_LAPSE_OF_PAUSE = _(
    "If it is not given and nobody on the registrant’s side acts before %(day)s, the request "
    "expires; it can be reopened then."
)
WARNING_LAPSE_OF_BODY = _(
    "If nobody from the organization keeps it open or edits it before %(day)s, the request "
    "expires; it can be reopened then."
)
WARNING_AGAIN = _("If nobody acts before %(day)s, everybody who can is reminded again.")

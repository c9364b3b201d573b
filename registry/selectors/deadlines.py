"""The deadlines of everything that waits, and what the scheduler does if nobody acts."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import enums
from registry.enums import IDLE_STATES, REVIEW_STATES, LetterReason, State, VerbKind
from registry.models.dates import Calendar
from registry.selectors.request_clock import REMINDER_KIND, RequestClock

# There is one ladder for everything that waits: a reminder to those whose turn it is and to the
# author, then to the lead too, then to the registrar and the standards body, which is repeated as
# long as it waits. Days are those of `registry.models.dates`: one on which the scheduler did not
# run counts for nothing.

Words = str | Promise

LEAD_REASONS: Final = (LetterReason.LEAD,)
REGISTRANT_REASONS: Final = (LetterReason.REGISTRANT,)
OVERSIGHT_REASONS: Final = (LetterReason.REGISTRAR, LetterReason.STANDARDS_BODY)
MIN_REMINDER_DAYS: Final = 3
"""Between two reminders about one thing."""
MIN_UNANSWERED_LETTERS: Final = 3
"""How many letters go unanswered before a request on the fast track expires."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the scheduler acts on something that waits, and by which verb of the journal.

    `since` is when the wait that it is about began. `day` is the last on which somebody can act
    before it; `warning` says so, with `%(day)s`.
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


@dataclass(frozen=True, slots=True)
class Ladder:
    """The reminders about one wait, in order, the last of which repeats."""

    rungs: tuple[Deadline, ...]
    calendar: Calendar
    reminded_at: datetime.datetime | None = None
    """When somebody was last reminded of the same thing, maybe about an earlier wait."""

    def find_passed(self, now: datetime.datetime) -> Deadline | None:
        """Return the last deadline that has passed; None before the first."""
        due = next((each for each in reversed(self.rungs) if each.at <= now), None)
        if due is None or due != self.rungs[-1]:
            return due
        times = self.calendar.count_days(due.at, now) // self.calendar.dates.repeat_days
        return self.repeat_last(times) if times else due

    def find_due(self, now: datetime.datetime) -> Deadline | None:
        """Return the deadline of which somebody has yet to be reminded.

        After a long silence one letter says everything; two are never sent within three days.
        """
        due = self.find_passed(now)
        if due is None or self.reminded_at is None:
            return due
        earliest = self.calendar.add_days(self.reminded_at, MIN_REMINDER_DAYS)
        return due if self.reminded_at < due.at and earliest <= now else None

    def find_next_time(self, now: datetime.datetime) -> datetime.datetime:
        """Return when something other than now will be due."""
        if self.reminded_at and (passed := self.find_passed(now)) and self.reminded_at < passed.at:
            return self.calendar.add_days(self.reminded_at, MIN_REMINDER_DAYS)
        return self.find_coming(now).at

    def find_coming(self, now: datetime.datetime) -> Deadline:
        """Return the first deadline after `now`."""
        if coming := next((each for each in self.rungs if each.at > now), None):
            return coming
        passed = self.calendar.count_days(self.rungs[-1].at, now)
        return self.repeat_last(passed // self.calendar.dates.repeat_days + 1)

    def repeat_last(self, times: int) -> Deadline:
        """Return the last rung repeated this many times."""
        last = self.rungs[-1]
        at = self.calendar.add_days(last.at, times * self.calendar.dates.repeat_days)
        day, kind = find_local_day(at), f"{last.kind}-again-{times}"
        return replace(last, kind=kind, at=at, day=day, warning=WARNING_AGAIN)


def build_ladder(
    since: datetime.datetime,
    calendar: Calendar,
    *,
    to: tuple[LetterReason, ...] = (),
    kind: str = REMINDER_KIND,
    reminded_at: datetime.datetime | None = None,
) -> Ladder:
    """Return the reminders of what has waited `since` then, first for `to` alone."""
    dates = calendar.dates
    watch = dict.fromkeys((*to, *LEAD_REASONS))
    steps = (
        (dates.first_reminder_days, to, WARNING_REMINDER),
        (dates.second_reminder_days, tuple(watch), WARNING_LEAD),
        (
            dates.third_reminder_days,
            tuple(dict.fromkeys((*watch, *OVERSIGHT_REASONS))),
            WARNING_OVERSIGHT,
        ),
    )
    rungs = tuple(
        set_deadline_after(f"{kind}-{number}", "remind", reasons, since, days, warning, calendar)
        for number, (days, reasons, warning) in enumerate(steps, start=1)
    )
    return Ladder(rungs, calendar, reminded_at)


def find_ladder(standing: RequestClock) -> Ladder | None:
    """Return the reminders about a request; None once it has ended.

    While experts review it, whatever they do begins the wait again, but not past the promised day.
    """
    registration_request = standing.registration_request
    state = registration_request.state
    if state in enums.END_STATES:
        return None
    since = standing.since
    if not standing.is_paused:
        if state == State.IN_REVIEW:
            since = standing.manned_since if standing.is_untaken else standing.quiet_since
            promised = registration_request.find_promised_day(standing.calendar)
            if promised and find_end_of_day(promised) < since:
                since = max(find_end_of_day(promised), standing.since)
        elif state in IDLE_STATES or state == State.ADVISORY:
            since = standing.idle_since
    return build_ladder(
        since, standing.calendar, to=REGISTRANT_REASONS, reminded_at=standing.last_reminded_at
    )


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
    since, days = standing.idle_since, standing.calendar.dates.idle_days
    verb = enums.only_of_kind(VerbKind.EXPIRY)
    return set_deadline_after(
        verb, verb, REGISTRANT_REASONS, since, days, WARNING_LAPSE, standing.calendar
    )


def find_advisory_expiry(standing: RequestClock) -> Deadline | None:
    """Return when the request of a body that answered none of three letters expires; None before.

    The body takes its own time (RFC 8141, section 6.3), so the request expires only after that many
    letters, and the body has as long to answer the last as there was between two.
    """
    if len(standing.reminded_at) < MIN_UNANSWERED_LETTERS:
        return None
    calendar, expiry = standing.calendar, find_request_expiry(standing)
    third_letter = standing.reminded_at[MIN_UNANSWERED_LETTERS - 1]
    at = max(expiry.at, calendar.add_days(third_letter, calendar.dates.repeat_days))
    return replace(expiry, at=at, day=find_local_day(at), warning=WARNING_LAPSE_OF_BODY)


def find_rota_time(standing: RequestClock) -> datetime.datetime:
    """Return from when the rota assigns an expert to a request that nobody takes."""
    days = standing.calendar.dates.first_reminder_days
    return standing.calendar.add_days(standing.manned_since, days)


def is_rota_due(standing: RequestClock, now: datetime.datetime) -> bool:
    """Whether the rota assigns an expert to a request that nobody has taken."""
    return standing.is_untaken and now >= find_rota_time(standing)


def list_due_deadlines(standing: RequestClock, now: datetime.datetime) -> Iterator[Deadline]:
    """Yield what the scheduler should do by `now`: the expiry, or else a reminder."""
    if (expiry := find_expiry(standing)) and expiry.at <= now:
        yield expiry
    elif (ladder := find_ladder(standing)) and (deadline := ladder.find_due(now)):
        yield deadline


def list_coming_deadlines(standing: RequestClock, now: datetime.datetime) -> Iterator[Deadline]:
    """Yield what is announced: the next reminder, and the request's expiry."""
    expiry = find_expiry(standing)
    if ladder := find_ladder(standing):
        coming = ladder.find_coming(now)
        if expiry is None or coming.at < expiry.at:
            yield coming
    if expiry:
        yield expiry


def find_next_time(standing: RequestClock, now: datetime.datetime) -> datetime.datetime | None:
    """Return when something other than by `now` will be due, if nothing is done about the request.

    None if nothing ever will.
    """
    times = [each.at for each in (find_expiry(standing),) if each and each.at > now]
    if ladder := find_ladder(standing):
        times.append(ladder.find_next_time(now))
    if standing.is_untaken and (rota := find_rota_time(standing)) > now:
        times.append(rota)
    return min(times, default=None)


def is_late(standing: RequestClock, now: datetime.datetime) -> bool:
    """Whether it has waited so long that others than those whose turn it is are told."""
    ladder = find_ladder(standing)
    passed = ladder.find_passed(now) if ladder else None
    return passed is not None and LetterReason.LEAD in passed.to


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
    calendar: Calendar,
) -> Deadline:
    """Return a deadline a number of days after the wait began."""
    at = calendar.add_days(since, days)
    return Deadline(kind, verb, to, since, at, find_local_day(at), warning)


def find_end_of_day(day: datetime.date) -> datetime.datetime:
    """Return the moment at which `day` is over."""
    following = day + datetime.timedelta(1)
    return timezone.make_aware(datetime.datetime.combine(following, datetime.time.min))


def find_local_day(moment: datetime.datetime) -> datetime.date:
    """Return the local day of `moment`."""
    return timezone.localdate(moment)


WARNING_REMINDER = _("If nobody acts before %(day)s, we send a reminder.")
WARNING_LEAD = _("If nobody acts before %(day)s, the lead expert is told.")
WARNING_OVERSIGHT = _(
    "If nobody acts before %(day)s, the registrar and the standards body are told."
)
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

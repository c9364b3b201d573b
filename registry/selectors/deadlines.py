"""Since when requests wait, their deadlines, and what the clock does when nobody acts."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import enums
from registry.enums import (
    IDLE_STATES,
    REVIEW_STATES,
    LetterReason,
    State,
    Turn,
    VerbKind,
    whose_turn,
)
from registry.models import Assignment, Event, RegistrationRequest, Round
from registry.models.event import EventQuerySet


@dataclass(frozen=True, slots=True)
class RequestClock:
    """Where one request stands.

    `experts` are those whose turn a review is. `since` is when it became this turn, `manned_since`
    when experts last came to the request or had all left it, `quiet_since` when those who review
    it last did something, `idle_since` when those who write it did.
    """

    registration_request: RegistrationRequest
    turn: Turn
    experts: tuple[Assignment, ...]
    since: datetime.datetime
    manned_since: datetime.datetime
    quiet_since: datetime.datetime
    idle_since: datetime.datetime

    @property
    def is_untaken(self) -> bool:
        """Whether experts are to look at it, and none is there to do so."""
        return self.registration_request.state in REVIEW_STATES and not self.experts


def read_request_clocks(requests: Sequence[RegistrationRequest]) -> Iterator[RequestClock]:
    """Yield where each of `requests` stands; three queries, however many they are."""
    reviewed = [each.pk for each in requests if each.state in REVIEW_STATES]
    came = load_assignments(reviewed) if reviewed else {}
    acted = load_last_review_acts(reviewed) if came else {}
    saved = load_last_saves([each.pk for each in requests])
    for each in requests:
        yield build_request_clock(
            each, came.get(each.pk, []), acted.get(each.pk), saved.get(each.pk)
        )


def read_request_clock(registration_request: RegistrationRequest) -> RequestClock:
    """Return where one request stands."""
    return next(read_request_clocks([registration_request]))


def build_request_clock(
    registration_request: RegistrationRequest,
    assignments: Sequence[Assignment],
    acted_at: datetime.datetime | None,
    saved_at: datetime.datetime | None,
) -> RequestClock:
    """Return where one request stands, by those who came to it and what was done last."""
    state, state_since = State(registration_request.state), registration_request.state_since
    experts = tuple(each for each in assignments if find_leaving_time(each) is None)
    turn = whose_turn(state, is_taken=bool(experts))
    manned_since = find_later(state_since, find_change_of_hands(assignments))
    return RequestClock(
        registration_request=registration_request,
        turn=turn,
        experts=experts,
        since=manned_since if state == State.IN_REVIEW else state_since,
        manned_since=manned_since,
        quiet_since=find_later(manned_since, acted_at),
        idle_since=find_later(state_since, saved_at),
    )


def load_assignments(ids: Sequence[int]) -> dict[int, list[Assignment]]:
    """Return who came to each request, those who left it too."""
    came: dict[int, list[Assignment]] = {}
    every = Assignment.objects.filter(registration_request__in=ids).with_approval()
    for each in every.select_related("expert"):
        came.setdefault(each.registration_request_id, []).append(each)
    return came


def load_last_review_acts(ids: Sequence[int]) -> dict[int, datetime.datetime]:
    """Return when somebody who reviews each request last did anything; the clock is nobody."""
    return dict(
        list_review_acts()
        .filter(registration_request__in=ids)
        .order_by()
        .values("registration_request")
        .annotate(last=Max("at"))
        .values_list("registration_request", "last")
    )


def list_review_acts() -> EventQuerySet:
    """Return what was done by those who review a request, or had its review begin anew."""
    on_it = Assignment.objects.active().filter(
        registration_request=OuterRef("registration_request"), expert=OuterRef("actor")
    )
    return Event.objects.filter(
        Q(Exists(on_it)) | Q(verb__in=enums.list_verbs_of_kind(VerbKind.BEGINS_REVIEW))
    )


def load_last_saves(ids: Sequence[int]) -> dict[int, datetime.datetime]:
    """Return when the text of each request was last saved."""
    rounds = Round.objects.filter(registration_request__in=ids).order_by()
    return dict(
        rounds.values("registration_request")
        .annotate(last=Max("saved_at"))
        .values_list("registration_request", "last")
    )


def find_leaving_time(assignment: Assignment) -> datetime.datetime | None:
    """Return when a review was no longer this expert's turn: stepped back, or approved it.

    `assignment` comes from `with_approval`.
    """
    ends = [at for at in (assignment.recused_at, vars(assignment)["approved_at"]) if at is not None]
    return min(ends) if ends else None


def find_change_of_hands(assignments: Iterable[Assignment]) -> datetime.datetime | None:
    """Return when the request last got experts where it had none, or lost the last of them."""
    stays = [(each.assigned_at, find_leaving_time(each)) for each in assignments]
    stays = [(came, left) for came, left in stays if came != left]
    steps = sorted(
        [(came, 1) for came, _left in stays]
        + [(left, -1) for _came, left in stays if left is not None],
        key=lambda step: (step[0], -step[1]),
    )
    on_it, changed = 0, None
    for at, step in steps:
        if on_it == 0 or on_it + step == 0:
            changed = at
        on_it += step
    return changed


def find_later(moment: datetime.datetime, other: datetime.datetime | None) -> datetime.datetime:
    """Return the later of two moments, the first where there is no second."""
    return moment if other is None else max(moment, other)


# A ladder is a row of deadlines about one wait, the stronger after the weaker; whoever was told
# by the weaker is told by the stronger too. Days are days of 24 hours; a promise that names a day
# is missed when that day is over.

Words = str | Promise

EXPERT_REASONS: Final = (LetterReason.EXPERT,)
LEAD_REASONS: Final = (LetterReason.LEAD,)
OVERSIGHT_REASONS: Final = (LetterReason.REGISTRAR, LetterReason.STANDARDS_BODY)
FRIDAY: Final = 4


@dataclass(frozen=True, slots=True)
class RequestDeadline:
    """When the clock acts, and by which verb of the journal.

    `since` is when the wait began that it is about. `day` is the last on which somebody can act
    before, or the one on which the clock does; `warning` says so, with `%(day)s`.
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
        """Whether the request then ends, and nobody is merely reminded."""
        return enums.is_verb_of_kind(self.verb, VerbKind.EXPIRY)


Escalation = tuple[RequestDeadline, ...]


def list_escalations(standing: RequestClock) -> list[Escalation]:
    """Return all ladders of a request, in the order in which they matter to who must act."""
    state = standing.registration_request.state
    found: list[Escalation] = []
    if standing.is_untaken:
        found.append(escalate_first_answer(standing))
    elif state == State.IN_REVIEW:
        found.append(escalate_review(standing))
    if state == State.IN_REVIEW:
        found.append(escalate_decision(standing))
    elif state == State.APPROVED:
        found.append(escalate_publication(standing))
    elif state in {State.REPORTED, State.APPEALED}:
        found.append(escalate_direction(standing))
    if state in IDLE_STATES:
        found.append((*list_reminders(standing), find_request_expiry(standing)))
    elif state == State.ADVISORY:
        found.append(list_reminders(standing))
    return [ladder for ladder in found if ladder]


def escalate_first_answer(standing: RequestClock) -> Escalation:
    """Nobody takes it: the lead is told, and in the end those above."""
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
    """Experts are on it and silent: they are nudged, then the lead is told, then those above."""
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
    """The decision is late: the lead is told, who may put the date off."""
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
    """It was approved, and the registrar does not publish: the alarm, with a clock of its own."""
    since, to = standing.since, (LetterReason.REGISTRAR, *LEAD_REASONS)
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
    """Nobody writes on: whoever writes the text is reminded."""
    to, since = (LetterReason.REGISTRANT,), standing.idle_since
    lapses = standing.registration_request.state in IDLE_STATES
    return tuple(
        set_deadline_after(f"reminder-{number}", "remind", to, since, days, WARNING_REMINDER)
        for number, days in enumerate(sorted(settings.REGISTRY_REMINDER_DAYS), start=1)
        if days < settings.REGISTRY_EXPIRE_DAYS or not lapses
    )


def find_request_expiry(standing: RequestClock) -> RequestDeadline:
    """Nobody has written on for so long that the request lapses."""
    since, days = standing.idle_since, settings.REGISTRY_EXPIRE_DAYS
    verb = enums.only_of_kind(VerbKind.EXPIRY)
    return set_deadline_after(verb, verb, (LetterReason.REGISTRANT,), since, days, WARNING_LAPSE)


def find_first_answer_day(since: datetime.datetime) -> datetime.date:
    """Return the day by which somebody takes what nobody is on `since` then."""
    return add_working_days(find_local_day(since), settings.REGISTRY_FIRST_ANSWER_WORKING_DAYS)


def is_rota_due(standing: RequestClock, now: datetime.datetime) -> bool:
    """Whether the rota puts an expert on a request that nobody has taken."""
    last = add_working_days(
        find_local_day(standing.manned_since), settings.REGISTRY_ROTA_WORKING_DAYS
    )
    return standing.is_untaken and now >= find_end_of_day(last)


def list_coming_deadlines(
    ladder: Sequence[RequestDeadline], now: datetime.datetime
) -> Iterator[RequestDeadline]:
    """Yield what is announced of a ladder: what comes next, and that the request will lapse."""
    coming = [each for each in ladder if each.at > now]
    yield from coming[:1]
    yield from (each for each in coming[1:] if each.is_expiry)


def find_strongest_due(
    ladder: Sequence[RequestDeadline], now: datetime.datetime
) -> RequestDeadline | None:
    """Return the last deadline that is over: after a long silence one letter says it all."""
    return next((each for each in reversed(ladder) if each.at <= now), None)


def list_due_deadlines(standing: RequestClock, now: datetime.datetime) -> Iterator[RequestDeadline]:
    """Yield what the clock should have done by `now`, the strongest of each ladder."""
    for ladder in list_escalations(standing):
        if deadline := find_strongest_due(ladder, now):
            yield deadline


def set_deadline_after(
    kind: str,
    verb: str,
    to: tuple[LetterReason, ...],
    since: datetime.datetime,
    days: int,
    warning: Words,
) -> RequestDeadline:
    """Return a deadline so many days after the wait began."""
    at = since + datetime.timedelta(days)
    return RequestDeadline(kind, verb, to, since, at, find_local_day(at), warning)


def set_deadline_on(
    kind: str,
    verb: str,
    to: tuple[LetterReason, ...],
    since: datetime.datetime,
    day: datetime.date,
    warning: Words,
) -> RequestDeadline:
    """Return a deadline that is over when `day` is."""
    return RequestDeadline(kind, verb, to, since, find_end_of_day(day), day, warning)


def add_working_days(day: datetime.date, number: int) -> datetime.date:
    """Return the day so many working days later; what comes on a weekend counts from Monday."""
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
    """Return the day on which `moment` falls here."""
    return timezone.localdate(moment)


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
WARNING_REMINDER = _("If nobody edits it before %(day)s, a reminder is sent.")
WARNING_LAPSE = _("If nobody edits it before %(day)s, the request lapses; it can be reopened then.")

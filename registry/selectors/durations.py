"""How long public requests stay in each state, and with each party."""

from __future__ import annotations

import datetime
import math
from array import array
from bisect import bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.core.cache import caches
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import enums
from registry.enums import END_STATES, State, Turn, VerbKind, whose_turn
from registry.models import Event
from registry.models.event import EventQuerySet

# Taken from the journal. A course begins with the first round: what came before is not public. A
# stay in a state ends with the state; a turn ends when somebody else must act, or with the state.

BY_STATE: Final = "state"
BY_TURN: Final = "turn"
WHOLE_COURSE: Final = "whole"

Track = tuple[str, str]
"""What a stay is counted under: one of the three above, and a state or a turn within it."""


class CourseStep(NamedTuple):
    """An event after which somebody else may have to act."""

    request: int
    number: int
    verb: str
    source: str
    target: str
    at: datetime.datetime
    actor: int | None


@dataclass(frozen=True, slots=True)
class StateSpell:
    """A time in which one request was in one state and waited for one party."""

    state: State
    turn: Turn
    since: datetime.datetime
    until: datetime.datetime | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """How long one request stayed; `until` is None while it does."""

    track: Track
    since: datetime.datetime
    until: datetime.datetime | None = None


def iterate_stays(last: int, requests: Collection[int] | None = None) -> Iterator[Stay]:
    """Yield the stays of public requests up to event `last`; of these `requests`, or of all."""
    events = Event.objects.filter(number__lte=last)
    if requests is not None:
        events = events.filter(registration_request__in=requests)
    people = load_assignment_data(events)
    for _request, steps in groupby(iterate_course_steps(events), key=attrgetter("request")):
        course = RequestCourse(people)
        course.follow(steps)
        yield from course.stays()


def find_moves(events: EventQuerySet) -> EventQuerySet:
    """Return the events that changed a state or a request's experts."""
    moves = ~Q(source=F("target")) | Q(verb__in=enums.list_verbs_of_kind(*COURSE_KINDS))
    return events.filter(moves, registration_request__isnull=False).exclude(target="")


def iterate_course_steps(events: EventQuerySet) -> Iterator[CourseStep]:
    """Yield these events, request by request, in order."""
    rows = (
        find_moves(events)
        .order_by("registration_request", "number")
        .values_list("registration_request", "number", "verb", "source", "target", "at", "actor")
    )
    return (CourseStep(*row) for row in rows.iterator(chunk_size=2000))


def load_assignment_data(events: EventQuerySet) -> dict[int, dict[str, Any]]:
    """Return the data of each assignment event, by its number."""
    changed = events.of_kind(VerbKind.BRINGS_EXPERT, VerbKind.TAKES_EXPERT_OFF)
    return dict(changed.order_by().values_list("number", "data"))


class RequestCourse:
    """Follows one request through its steps."""

    def __init__(self, people: dict[int, dict[str, Any]]) -> None:
        self.people = people
        self.on_it: set[int | None] = set()
        self.spells: list[StateSpell] = []
        self.state = State.DRAFT

    def follow(self, steps: Iterable[CourseStep]) -> None:
        """Divide the time since the first round into spells."""
        for step in steps:
            self.note_people(step)
            self.state = State(step.target)
            if self.state != State.DRAFT:
                self.move(step.at)

    def note_people(self, step: CourseStep) -> None:
        """Follow who is on the request."""
        named = self.people.get(step.number, {})
        if enums.is_verb_of_kind(step.verb, VerbKind.BRINGS_EXPERT):
            self.on_it.add(named.get("expert_id"))
            self.on_it.discard(named.get("leaver_id"))
        elif enums.is_verb_of_kind(step.verb, VerbKind.TAKES_EXPERT_OFF):
            leaver = named.get("leaver_id", step.actor)
            self.on_it = self.on_it - {leaver} if step.actor else set()

    def move(self, at: datetime.datetime) -> None:
        """End the current spell, and begin the next."""
        turn = whose_turn(self.state, is_taken=bool(self.on_it))
        last = self.spells[-1] if self.spells else None
        if last and last.until is None:
            if (last.state, last.turn) == (self.state, turn):
                return
            self.spells[-1] = replace(last, until=at)
        if self.state not in END_STATES:
            self.spells.append(StateSpell(self.state, turn, at))

    def stays(self) -> Iterator[Stay]:
        """Yield how long it was whose turn, how long each state lasted, and how long everything
        did.
        """
        for spell in self.spells:
            yield Stay((BY_TURN, spell.turn), spell.since, spell.until)
        for state, together in groupby(self.spells, key=attrgetter("state")):
            run = list(together)
            yield Stay((BY_STATE, state), run[0].since, run[-1].until)
        if self.spells and (self.state == State.REGISTERED or self.state not in END_STATES):
            yield Stay((WHOLE_COURSE, ""), self.spells[0].since, self.spells[-1].until)


COURSE_KINDS: Final = (VerbKind.BRINGS_EXPERT, VerbKind.TAKES_EXPERT_OFF)


def trace_spells(events: Iterable[Event]) -> list[StateSpell]:
    """Return the spells of one request, from its events in order; nothing before the first round.

    Makes no queries.
    """
    listed = list(events)
    brought = {
        event.number: event.data
        for event in listed
        if enums.is_verb_of_kind(event.verb, VerbKind.BRINGS_EXPERT, VerbKind.TAKES_EXPERT_OFF)
    }
    course = RequestCourse(brought)
    course.follow(
        CourseStep(0, each.number, each.verb, each.source, each.target, each.at, each.actor_id)
        for each in listed
        if each.target
        and (
            each.source != each.target
            or any(enums.is_verb_of_kind(each.verb, kind) for kind in COURSE_KINDS)
        )
    )
    return course.spells


LONG_STAY_PERCENT: Final = 95
ONE_DAY: Final = datetime.timedelta(1)
STAYS_CACHE_KEY: Final = "figures"
"""A cache entry: number and digest of an event, and all stays until then."""
SUMMARY_CACHE_KEY: Final = "figures-summary"
"""The same event with the figures of those stays: pages read this, and never all stays."""
MAX_MOVED_REQUESTS: Final = 500
"""If more requests moved since the last look, all stays are counted again."""

DURATION_TRACKS: Final[tuple[tuple[Track, str | Promise], ...]] = (
    *(
        ((BY_STATE, state), state.label)
        for state in (
            State.IN_REVIEW,
            State.CHANGES_REQUESTED,
            State.ADVISORY,
            State.REPORTED,
            State.APPROVED,
            State.DECLINED,
            State.APPEALED,
        )
    ),
    ((WHOLE_COURSE, ""), _("From the first round to registration")),
    *(
        ((BY_TURN, turn), turn.label)
        for turn in (
            Turn.LEAD,
            Turn.EXPERTS,
            Turn.REGISTRANT,
            Turn.BODY,
            Turn.STANDARDS_BODY,
            Turn.REGISTRAR,
        )
    ),
)


@dataclass(frozen=True, slots=True)
class EndedStays:
    """Finished stays: the days within which half of them ended, and 95 of 100."""

    number: int
    median: float | None
    percentile: float | None


@dataclass(frozen=True, slots=True)
class OngoingStays:
    """Ongoing stays: for how many days half of them have waited, and the longest."""

    number: int
    median: float | None
    longest: float | None


@dataclass(frozen=True, slots=True)
class DurationRow:
    """The figures of one state, one party, or the whole course."""

    track: Track
    label: str | Promise
    closed: EndedStays
    open: OngoingStays


@dataclass(frozen=True, slots=True)
class OpenSince:
    """When each ongoing stay began, in seconds since 1970."""

    number: int
    middle: float | None
    first: float | None

    def at(self, now: datetime.datetime) -> OngoingStays:
        """Return for how many days they have lasted."""
        median, longest = count_days_since(self.middle, now), count_days_since(self.first, now)
        return OngoingStays(self.number, median, longest)


@dataclass(frozen=True, slots=True)
class StaySummary:
    """The figures of a `StayTable`; reading them costs the same however many stays there are.

    The year None stands for all. `open_courses` says since when each open request has been open.
    """

    years: list[int]
    closed: dict[tuple[Track, int | None], EndedStays]
    open: dict[Track, OpenSince]
    open_courses: array[float]


NO_ENDED_STAYS: Final = EndedStays(0, None, None)
NO_OPEN_STAYS: Final = OpenSince(0, None, None)


@dataclass(frozen=True, slots=True)
class SortedArrays(Sequence[float]):
    """Sorted arrays as one sorted sequence: reading an item costs much the same however many there
    are, since the arrays are searched and never merged.
    """

    arrays: Sequence[array[float]]

    def __len__(self) -> int:
        return sum(map(len, self.arrays))

    def __getitem__(self, rank: Any) -> Any:
        """Return the least number of which more than `rank` are as small or smaller."""
        if rank not in range(len(self)):
            raise IndexError(rank)
        places = (bisect_right(each, rank, key=self.count_up_to) for each in self.arrays)
        found = zip(self.arrays, places, strict=True)
        return min(each[place] for each, place in found if place < len(each))

    def count_up_to(self, number: float) -> int:
        """Return how many are as small as `number` or smaller."""
        return sum(bisect_right(each, number) for each in self.arrays)


@dataclass
class StayTable:
    """All stays of all requests, in order: days of finished ones by year, start times of the
    others.

    Numbers are in arrays: each process has a table, with hundreds of thousands in a large registry.
    """

    closed: dict[Track, dict[int, array[float]]] = field(default_factory=dict)
    open: dict[Track, array[float]] = field(default_factory=dict)
    """Since when, in seconds since 1970."""

    def add(self, stay: Stay) -> None:
        """Count one stay, in the year in which it ended."""
        counted, number = self.find_place(stay)
        insort(counted, number)

    def add_all(self, stays: Iterable[Stay]) -> None:
        """Count many; they are sorted at the end."""
        for stay in stays:
            counted, number = self.find_place(stay)
            counted.append(number)
        for by_year in self.closed.values():
            by_year.update({year: array("d", sorted(days)) for year, days in by_year.items()})
        self.open = {track: array("d", sorted(moments)) for track, moments in self.open.items()}

    def remove(self, stay: Stay) -> None:
        """Stop counting a stay that was added; raises `ValueError` if it was not."""
        counted, number = self.find_place(stay)
        counted.remove(number)

    def find_place(self, stay: Stay) -> tuple[array[float], float]:
        """Return where a stay is counted, and as what number."""
        if stay.until is None:
            return self.open.setdefault(stay.track, array("d")), stay.since.timestamp()
        by_year = self.closed.setdefault(stay.track, {})
        days = (stay.until - stay.since) / ONE_DAY
        return by_year.setdefault(stay.until.year, array("d")), days

    @property
    def years(self) -> list[int]:
        """The years in which stays ended, the last first."""
        ended = {year for by_year in self.closed.values() for year, days in by_year.items() if days}
        return sorted(ended, reverse=True)

    def summarize(self) -> StaySummary:
        """Return the figures of all tracks and years."""
        closed = {
            (track, year): self.closed_in(track, year)
            for track in self.closed
            for year in (None, *self.years)
        }
        opened = {track: self.open_since(track) for track in self.open}
        courses = self.open.get((WHOLE_COURSE, "")) or array("d")
        return StaySummary(self.years, closed, opened, courses)

    def closed_in(self, track: Track, year: int | None) -> EndedStays:
        """Return the lengths of stays that ended in `year`, or in any."""
        by_year = self.closed.get(track, {})
        days = SortedArrays([by_year[each] for each in by_year if year in {None, each}])
        return EndedStays(len(days), find_median(days), find_percentile(days, LONG_STAY_PERCENT))

    def open_since(self, track: Track) -> OpenSince:
        """Return since when the ongoing ones have waited."""
        moments = self.open.get(track) or array("d")
        return OpenSince(len(moments), find_median(moments), moments[0] if moments else None)


def count_days_since(moment: float | None, now: datetime.datetime) -> float | None:
    """Return the days from a moment, in seconds since 1970, until `now`."""
    return None if moment is None else (now.timestamp() - moment) / ONE_DAY.total_seconds()


def compute_durations(year: int | None = None) -> list[DurationRow]:
    """Return the figures of what ended in `year`, or in any, and of what waits now."""
    found, now = load_stay_summary(), timezone.now()
    return [
        DurationRow(
            track,
            label,
            found.closed.get((track, year), NO_ENDED_STAYS),
            found.open.get(track, NO_OPEN_STAYS).at(now),
        )
        for track, label in DURATION_TRACKS
    ]


def count_open_requests_by_age(limits: Sequence[datetime.datetime]) -> list[int]:
    """Count the open requests first sent after each limit, and not after the one before it.

    `limits` go back in time; requests sent after the first are the first number.
    """
    sent = load_stay_summary().open_courses
    after = [len(sent) - bisect_right(sent, limit.timestamp()) for limit in limits]
    return [more - less for less, more in pairwise([0, *after])]


def load_stay_summary() -> StaySummary:
    """Return the figures of all stays, computed once after each event by which a request moved."""
    cache, last = caches["figures"], find_last_line()
    kept: tuple[int, str, StaySummary] | None = cache.get(SUMMARY_CACHE_KEY)
    if kept is not None and kept[:2] == last:
        return kept[2]
    if kept is not None and not may_have_moved(kept[:2], last[0]):
        found = kept[2]
    else:
        found = load_stay_table(last).summarize()
    cache.set(SUMMARY_CACHE_KEY, (*last, found), timeout=None)
    return found


def may_have_moved(seen: tuple[int, str], last: int) -> bool:
    """Whether a request moved after the event `seen`, up to `last`, or the journal is another.

    A comment moves none, and most events are of that kind.
    """
    number, digest = seen
    if not Event.objects.filter(number=number, digest=digest).exists():
        return True
    later = Event.objects.filter(number__gt=number, number__lte=last)
    return last < number or find_moves(later).exists()


def find_last_line() -> tuple[int, str]:
    """Return the number and the digest of the last event."""
    return Event.objects.order_by("-number").values_list("number", "digest").first() or (0, "")


def load_stay_table(last: tuple[int, str]) -> StayTable:
    """Return all stays; if the journal has grown, recount those of the requests that moved.

    So an action costs as much in a large registry as in a small one. All are counted once in each
    process, and if the journal is not the one that was read before.
    """
    cache = caches["figures"]
    kept: tuple[int, str, StayTable] | None = cache.get(STAYS_CACHE_KEY)
    if kept is not None and kept[:2] == last:
        return kept[2]
    found = update_stay_table(kept, last[0]) if kept else None
    if found is None:
        found = build_stay_table(last[0])
    cache.set(STAYS_CACHE_KEY, (*last, found), timeout=None)
    return found


def build_stay_table(last: int) -> StayTable:
    """Return all stays up to event `last`, read from the journal."""
    found = StayTable()
    found.add_all(iterate_stays(last))
    return found


def update_stay_table(kept: tuple[int, str, StayTable], last: int) -> StayTable | None:
    """Return the table updated with the later events, up to `last`.

    None if it belongs to another journal, details were withdrawn since, or too much happened.
    """
    number, digest, found = kept
    if number and not Event.objects.filter(number=number, digest=digest).exists():
        return None
    grown = find_moves(Event.objects.filter(number__gt=number, number__lte=last))
    keys = grown.order_by().values_list("registration_request", flat=True).distinct()
    moved = list(keys[: MAX_MOVED_REQUESTS + 1])
    if len(moved) > MAX_MOVED_REQUESTS:
        return None
    try:
        for stay in iterate_stays(number, moved):
            found.remove(stay)
    except ValueError:
        return None
    for stay in iterate_stays(last, moved):
        found.add(stay)
    return found


def find_median(days: Sequence[float]) -> float | None:
    """Return the middle of sorted `days`, or the mean of the two in the middle."""
    if not days:
        return None
    middle = len(days) // 2
    return days[middle] if len(days) % 2 else (days[middle - 1] + days[middle]) / 2


def find_percentile(days: Sequence[float], percent: int) -> float | None:
    """Return the smallest of sorted `days` that this percentage of them does not exceed."""
    return days[math.ceil(len(days) * percent / 100) - 1] if days else None

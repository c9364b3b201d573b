"""Turn-round figures: how long requests stay in each state, and with each party."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.core.cache import caches
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import journal
from registry.choices import State, Turn
from registry.queries.stays import BY_STATE, BY_TURN, WHOLE, Stay, Track, stays_of_all

PERCENT: Final = 95
DAY: Final = datetime.timedelta(1)
KEPT: Final = "figures"
"""The one entry of the cache: the digest of the journal's last line, and all stays until then."""

ROWS: Final[tuple[tuple[Track, str | Promise], ...]] = (
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
    ((WHOLE, ""), _("From the first round to registration")),
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
class Closed:
    """Of stays that are over: in how many days half of them ended, and 95 of 100."""

    number: int
    median: float | None
    percentile: float | None


@dataclass(frozen=True, slots=True)
class Open:
    """Of stays that are not over: for how many days half of them wait, and the longest."""

    number: int
    median: float | None
    longest: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one state, one party, or the whole course."""

    track: Track
    label: str | Promise
    closed: Closed
    open: Open


@dataclass
class Stays:
    """All stays of all requests: the days of those that are over by year, and what is open."""

    closed: dict[Track, dict[int, list[float]]] = field(default_factory=dict)
    open: dict[Track, list[datetime.datetime]] = field(default_factory=dict)

    def add(self, stay: Stay) -> None:
        """Count one stay, in the year in which it ended."""
        if stay.until is None:
            self.open.setdefault(stay.track, []).append(stay.since)
            return
        by_year = self.closed.setdefault(stay.track, {})
        by_year.setdefault(stay.until.year, []).append((stay.until - stay.since) / DAY)

    @property
    def years(self) -> list[int]:
        """The years in which stays ended, the last first."""
        return sorted({year for by_year in self.closed.values() for year in by_year}, reverse=True)

    def closed_in(self, track: Track, year: int | None) -> Closed:
        """Return how long stays took that ended in `year`, or in any."""
        by_year = self.closed.get(track, {})
        days = sorted(day for each in by_year if year in {None, each} for day in by_year[each])
        return Closed(len(days), median(days), percentile(days, PERCENT))

    def open_at(self, track: Track, now: datetime.datetime) -> Open:
        """Return how long those wait that are not over."""
        days = sorted((now - since) / DAY for since in self.open.get(track, ()))
        return Open(len(days), median(days), days[-1] if days else None)


def figures(year: int | None = None) -> list[Row]:
    """Return the figures of what ended in `year`, or in any, and of what waits now."""
    found, now = stays(), timezone.now()
    return [
        Row(track, label, found.closed_in(track, year), found.open_at(track, now))
        for track, label in ROWS
    ]


def stays() -> Stays:
    """Return all stays; they are counted anew only when the journal has grown."""
    cache, digest = caches["figures"], journal.last_digest()
    kept: tuple[str, Stays] | None = cache.get(KEPT)
    if kept is None or kept[0] != digest:
        kept = digest, counted()
        cache.set(KEPT, kept, timeout=None)
    return kept[1]


def counted() -> Stays:
    """Return all stays, read from the journal."""
    found = Stays()
    for stay in stays_of_all():
        found.add(stay)
    return found


def median(days: Sequence[float]) -> float | None:
    """Return the middle of sorted `days`, or the mean of the two in the middle."""
    if not days:
        return None
    middle = len(days) // 2
    return days[middle] if len(days) % 2 else (days[middle - 1] + days[middle]) / 2


def percentile(days: Sequence[float], percent: int) -> float | None:
    """Return the least of sorted `days` that so many in a hundred of them do not exceed."""
    return days[math.ceil(len(days) * percent / 100) - 1] if days else None

"""Charts of the registry's content, drawn by the server; each number is also there in words."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext

from registry.enums import Turn
from registry.models import Event
from registry.selectors.durations import (
    ONE_DAY,
    StateSpell,
    count_open_requests_by_age,
    trace_spells,
)
from registry.selectors.nids import count_namespaces_by_year

ONE_MINUTE: Final = datetime.timedelta(minutes=1)
MIN_LABELLED_SHARE: Final = 14.0
"""How wide a stretch must be, in hundredths, for its party's name to fit below it."""

TURN_NAMES: Final[dict[Turn, str | Promise]] = {
    Turn.REGISTRANT: gettext_lazy("Registrant"),
    Turn.EXPERTS: gettext_lazy("Experts"),
    Turn.LEAD: gettext_lazy("Lead expert"),
    Turn.REGISTRAR: gettext_lazy("Registrar"),
    Turn.STANDARDS_BODY: gettext_lazy("Standards body"),
    Turn.BODY: gettext_lazy("Organization"),
}


@dataclass(frozen=True, slots=True)
class TurnStretch:
    """A time when it was one party's turn; positions are hundredths of the whole."""

    turn: Turn
    name: str | Promise
    x: str
    width: str
    days: str
    is_labelled: bool


@dataclass(frozen=True, slots=True)
class TurnTotal:
    """How long it was one party's turn, in total."""

    turn: Turn
    name: str | Promise
    days: str


@dataclass(frozen=True, slots=True)
class TurnPicture:
    """The days of a request since its first round, by whose turn it was."""

    stretches: list[TurnStretch]
    totals: list[TurnTotal]
    since: datetime.datetime
    until: datetime.datetime
    is_over: bool


def picture_turns(events: Iterable[Event]) -> TurnPicture | None:
    """Return the days of a request by whose turn it was, computed from its events in order.

    None before the first round was sent.
    """
    now = timezone.now()
    spells = merge_turns(trace_spells(events))
    if not spells:
        return None
    since, until = spells[0].since, spells[-1].until or now
    whole = max((until - since) / ONE_DAY, 0.01)
    stretches, totals = [], Counter[Turn]()
    for spell in spells:
        days = ((spell.until or now) - spell.since) / ONE_DAY
        totals[spell.turn] += days  # type: ignore[assignment]
        share = 100 * days / whole
        stretches.append(
            TurnStretch(
                spell.turn,
                TURN_NAMES[spell.turn],
                f"{100 * ((spell.since - since) / ONE_DAY) / whole:.2f}%",
                f"{share:.2f}%",
                describe_days(days),
                share >= MIN_LABELLED_SHARE,
            )
        )
    summed = [
        TurnTotal(turn, TURN_NAMES[turn], describe_days(days))
        for turn, days in totals.most_common()
    ]
    return TurnPicture(stretches, summed, since, until, spells[-1].until is not None)


def merge_turns(spells: Sequence[StateSpell]) -> list[StateSpell]:
    """Return the spells, merged while the party stays the same, and without instantaneous ones."""
    merged: list[StateSpell] = []
    for spell in spells:
        is_instant = spell.until is not None and spell.until - spell.since < ONE_MINUTE
        if is_instant or spell.turn not in TURN_NAMES:
            continue
        last = merged[-1] if merged else None
        if last and last.turn == spell.turn and last.until == spell.since:
            merged[-1] = StateSpell(last.state, last.turn, last.since, spell.until)
        else:
            merged.append(spell)
    return merged


def describe_days(days: float) -> str:
    """Return a number of days in words."""
    whole = round(days)
    if not whole:
        return str(gettext_lazy("less than a day"))
    return ngettext("%(count)d day", "%(count)d days", whole) % {"count": whole}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chart: what it counts, its position, and its height in pixels."""

    label: str
    count: int
    x: str
    width: str
    middle: str
    y: int
    height: int
    is_labelled: bool


@dataclass(frozen=True, slots=True)
class ColumnChart:
    """Columns, the height of the drawing, and what none of them counts."""

    columns: list[Column]
    base: int
    height: int
    left_out: int = 0

    @property
    def total(self) -> int:
        """The total number."""
        return sum(each.count for each in self.columns)


COLUMN_HEIGHT: Final = 140
YEARS_BETWEEN_LABELS: Final = 5


def chart_registrations() -> ColumnChart:
    """Return how many namespaces were registered in each year, including years without any."""
    rows = count_namespaces_by_year()
    years = Counter({int(year): count for year, count in rows.items() if year.isdecimal()})
    left_out = sum(rows.values()) - years.total()
    if not years:
        return build_column_chart([], left_out=left_out)
    span = range(min(years), max(max(years), timezone.localdate().year) + 1)
    counted = [(str(year), years[year], year % YEARS_BETWEEN_LABELS == 0) for year in span]
    return build_column_chart(counted, left_out=left_out)


AGE_BRACKETS: Final = (("0–6", 7), ("7–27", 28), ("28–89", 90), ("90–179", 180), ("180+", 10**5))
"""Days since the first round: the label under a column, and where the next begins."""


def chart_open_requests() -> ColumnChart:
    """Return how many requests are open, by the days since their first round."""
    now = timezone.now()
    limits = [now - datetime.timedelta(end) for _label, end in AGE_BRACKETS]
    numbers = zip(AGE_BRACKETS, count_open_requests_by_age(limits), strict=True)
    return build_column_chart([(label, number, True) for (label, _end), number in numbers])


def build_column_chart(
    counted: Sequence[tuple[str, int, bool]], *, left_out: int = 0
) -> ColumnChart:
    """Return columns for what is counted: a label, the number, and whether the label is shown."""
    highest = max((count for _label, count, _shown in counted), default=0) or 1
    step = 100 / max(len(counted), 1)
    base = COLUMN_HEIGHT + 20
    columns = []
    for place, (label, count, shown) in enumerate(counted):
        tall = round(COLUMN_HEIGHT * count / highest)
        columns.append(
            Column(
                label,
                count,
                f"{place * step + step * 0.1:.2f}%",
                f"{step * 0.8:.2f}%",
                f"{(place + 0.5) * step:.2f}%",
                base - tall,
                tall,
                shown,
            )
        )
    return ColumnChart(columns, base, base + 24, left_out)

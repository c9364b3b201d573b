"""The turn-round figures as bars, drawn by the server; every number stands in a table too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.queries.figures import Row
from registry.queries.stays import BY_TURN

TOP: Final = 20
STEP: Final = 46
BAR: Final = 12
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: half ended within its length, 95 of 100 within the line after it.

    Widths are shares of the chart, as SVG writes them; heights are pixels from its top.
    """

    label: str | Promise
    label_y: int
    bar_y: int
    middle_y: int
    end_y: int
    median: str
    percentile: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the grid, with the number of days it stands for."""

    days: int
    x: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The bars, and the lines behind them."""

    bars: list[Bar]
    lines: list[Line]
    height: int


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that belong together: a heading, a chart and a table."""

    key: str
    title: str | Promise
    column: str | Promise
    rows: list[Row]
    chart: Chart


def groups(rows: Sequence[Row]) -> list[Group]:
    """Return the figures by state and by whose turn; both charts have one scale."""
    by_turn = [row for row in rows if row.track[0] == BY_TURN]
    by_state = [row for row in rows if row.track[0] != BY_TURN]
    lines = grid(max((row.closed.percentile or 0 for row in rows), default=0))
    return [
        Group("states", _("By state"), _("State"), by_state, chart(by_state, lines)),
        Group("turns", _("By whose turn"), _("Waiting for"), by_turn, chart(by_turn, lines)),
    ]


def grid(longest: float) -> list[Line]:
    """Return lines at round numbers of days, the last at or after the longest."""
    step = next((each for each in STEPS if each * MOST_LINES >= longest), STEPS[-1])
    last = step * max(1, -int(-longest // step))
    return [
        Line(days, share(days, last), "start" if not days else "end" if days == last else "middle")
        for days in range(0, last + 1, step)
    ]


def chart(rows: Sequence[Row], lines: list[Line]) -> Chart:
    """Draw a bar for each row of which something has ended."""
    scale = lines[-1].days
    shown = [row for row in rows if row.closed.number]
    bars = [
        Bar(
            label=row.label,
            label_y=TOP + number * STEP + 16,
            bar_y=TOP + number * STEP + 22,
            middle_y=TOP + number * STEP + 22 + BAR // 2,
            end_y=TOP + number * STEP + 22 + BAR,
            median=share(row.closed.median or 0, scale),
            percentile=share(row.closed.percentile or 0, scale),
        )
        for number, row in enumerate(shown)
    ]
    return Chart(bars, lines, TOP + len(shown) * STEP + 4)


def share(days: float, scale: int) -> str:
    """Return how far along the chart so many days are."""
    return f"{100 * days / scale:.2f}%"

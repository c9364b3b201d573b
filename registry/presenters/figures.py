"""The turnaround figures as bars, drawn by the server; every number is in a table too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.selectors.durations import BY_TURN, DurationRow

CHART_TOP: Final = 20
BAR_SPACING: Final = 46
BAR_HEIGHT: Final = 12
GRID_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MAX_GRID_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One bar: half ended within its length, 95 of 100 within the line after it.

    Widths are fractions of the chart, as SVG writes them; heights are pixels from its top.
    """

    label: str | Promise
    label_y: int
    bar_y: int
    middle_y: int
    end_y: int
    median: str
    percentile: str


@dataclass(frozen=True, slots=True)
class GridLine:
    """A grid line, with the number of days it stands for."""

    days: int
    x: str
    anchor: str


@dataclass(frozen=True, slots=True)
class FiguresChart:
    """The bars, and the grid behind them."""

    bars: list[ChartBar]
    lines: list[GridLine]
    height: int


@dataclass(frozen=True, slots=True)
class FiguresGroup:
    """Rows that belong together: a heading, a chart and a table."""

    key: str
    title: str | Promise
    column: str | Promise
    rows: list[DurationRow]
    chart: FiguresChart


def build_figures_groups(rows: Sequence[DurationRow]) -> list[FiguresGroup]:
    """Return the figures by state and by whose turn; both charts have one scale."""
    by_turn = [row for row in rows if row.track[0] == BY_TURN]
    by_state = [row for row in rows if row.track[0] != BY_TURN]
    lines = build_grid_lines(max((row.closed.percentile or 0 for row in rows), default=0))
    return [
        FiguresGroup("states", _("By state"), _("State"), by_state, build_chart(by_state, lines)),
        FiguresGroup(
            "turns", _("By whose turn"), _("Waiting for"), by_turn, build_chart(by_turn, lines)
        ),
    ]


def build_grid_lines(longest: float) -> list[GridLine]:
    """Return grid lines at round numbers of days, the last at or after the longest."""
    step = next((each for each in GRID_STEPS if each * MAX_GRID_LINES >= longest), GRID_STEPS[-1])
    last = step * max(1, -int(-longest // step))
    return [
        GridLine(
            days,
            measure_share(days, last),
            "start" if not days else "end" if days == last else "middle",
        )
        for days in range(0, last + 1, step)
    ]


def build_chart(rows: Sequence[DurationRow], lines: list[GridLine]) -> FiguresChart:
    """Draw a bar for each row of which something has ended."""
    scale = lines[-1].days
    shown = [row for row in rows if row.closed.number]
    bars = [
        ChartBar(
            label=row.label,
            label_y=CHART_TOP + number * BAR_SPACING + 16,
            bar_y=CHART_TOP + number * BAR_SPACING + 22,
            middle_y=CHART_TOP + number * BAR_SPACING + 22 + BAR_HEIGHT // 2,
            end_y=CHART_TOP + number * BAR_SPACING + 22 + BAR_HEIGHT,
            median=measure_share(row.closed.median or 0, scale),
            percentile=measure_share(row.closed.percentile or 0, scale),
        )
        for number, row in enumerate(shown)
    ]
    return FiguresChart(bars, lines, CHART_TOP + len(shown) * BAR_SPACING + 4)


def measure_share(days: float, scale: int) -> str:
    """Return a number of days as a fraction of the chart's width."""
    return f"{100 * days / scale:.2f}%"

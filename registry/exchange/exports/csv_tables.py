"""CSV tables (RFC 4180): facts row by row under their JSON names, and the turnaround figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from registry.exchange.csv_rows import format_csv_rows, stream_csv_rows
from registry.exchange.exports.absence import is_absent
from registry.selectors.durations import DurationRow

FIGURE_COLUMNS: Final = (
    "by",
    "key",
    "name",
    "ended",
    "median_days",
    "percentile_95_days",
    "waiting",
    "waiting_median_days",
    "waiting_longest_days",
)
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def write_figures_csv(rows: Sequence[DurationRow]) -> str:
    """Return a heading and a row for each figure; days have two decimals, missing ones none."""
    return format_csv_rows([FIGURE_COLUMNS, *map(format_figure_row, rows)])


def format_figure_row(row: DurationRow) -> list[str]:
    ended, waiting = row.closed, row.open
    return [
        *(escape_formula(str(text)) for text in (*row.track, row.label)),
        str(ended.number),
        format_day_count(ended.median),
        format_day_count(ended.percentile),
        str(waiting.number),
        format_day_count(waiting.median),
        format_day_count(waiting.longest),
    ]


def format_day_count(value: float | None) -> str:
    """Return a number of days, or nothing if there is none."""
    return "" if value is None else f"{value:.2f}"


def escape_formula(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


Facts = Mapping[str, Any]


def write_csv(columns: Sequence[str], rows: Iterable[Facts]) -> Iterator[str]:
    """Return a heading and a line for each of `rows`, written on demand.

    A column `waiting.who` is the fact `who` within `waiting`. Several values are lines of one cell.
    Unknown values are empty, and no cell is a formula.
    """
    cells = (
        [escape_formula(format_cell(find_fact(row, column))) for column in columns] for row in rows
    )
    return stream_csv_rows(chain([columns], cells))


def find_fact(row: Facts, column: str) -> Any:
    """Return the fact for a column, or None if unknown."""
    value: Any = row
    for name in column.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def format_cell(value: Any) -> str:
    """Return a fact as the text of a cell."""
    if is_absent(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "\n".join(map(format_cell, value))
    return str(value)

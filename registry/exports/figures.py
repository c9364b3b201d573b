"""The turn-round figures as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from registry.queries.figures import Row

HEADER: Final = (
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
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def figures_csv(rows: Sequence[Row]) -> str:
    """Return a heading and a row for each figure; days have two decimals, what is not is empty."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(HEADER)
    writer.writerows(cells(row) for row in rows)
    return written.getvalue()


def cells(row: Row) -> list[str]:
    """Return one row as it is written."""
    ended, waiting = row.closed, row.open
    return [
        *(harmless(str(text)) for text in (*row.track, row.label)),
        str(ended.number),
        days(ended.median),
        days(ended.percentile),
        str(waiting.number),
        days(waiting.median),
        days(waiting.longest),
    ]


def days(value: float | None) -> str:
    """Return a number of days, nothing where there is none."""
    return "" if value is None else f"{value:.2f}"


def harmless(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text

"""The report of refused lines."""

from __future__ import annotations

import csv
import io
from bisect import insort
from collections.abc import Iterable
from typing import Any, Final

from registry.gateway.lines import Unfit
from registry.models import LocatorTable

COLUMNS: Final = ("line", "what", "how")
KEPT: Final = 1_000
"""So many refused lines are told, the first of the file; all are counted."""


class Report:
    """Counts refused lines and keeps the first, in whatever order they are found."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[tuple[int, str, str]] = []

    def refuse(self, number: int, unfit: Unfit) -> None:
        """Add one line; line 0 is the file as a whole."""
        self.count += 1
        if len(self.kept) < KEPT or number < self.kept[-1][0]:
            insort(self.kept, (number, unfit.what, unfit.how))
            del self.kept[KEPT:]

    def as_rows(self) -> list[dict[str, Any]]:
        """Return what the table keeps of it."""
        return [dict(zip(COLUMNS, row, strict=True)) for row in self.kept]


def as_csv(table: LocatorTable) -> str:
    """Return the report of a refused table as a file."""
    return written([COLUMNS, *([row[name] for name in COLUMNS] for row in table.report)])


def written(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV (RFC 4180)."""
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()

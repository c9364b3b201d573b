"""Facts as CSV, row by row: the same names as in JSON (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from registry.exports.figures import harmless

Told = Mapping[str, Any]


def table(columns: Sequence[str], rows: Iterable[Told]) -> Iterator[str]:
    """Yield a heading and a line for each of `rows`.

    A column `waiting.who` is the fact `who` within `waiting`. Of several values each has a line of
    its cell. What is not known is empty, and no cell is a formula.
    """
    yield line(columns)
    for row in rows:
        yield line([harmless(cell(found(row, column))) for column in columns])


def line(cells: Iterable[str]) -> str:
    """Return one line, quoted where it has to be."""
    written = io.StringIO()
    csv.writer(written).writerow(cells)
    return written.getvalue()


def found(row: Told, column: str) -> Any:
    """Return the fact that a column is about, none where it is not known."""
    value: Any = row
    for name in column.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def cell(value: Any) -> str:
    """Return a fact as it stands in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "\n".join(map(cell, value))
    return str(value)

"""Digests of rows, with which entries record what an action changed.

Empty values are left out, so adding a column, empty at first, changes no digest.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

OMITTED_COLUMNS: Final[Mapping[str, frozenset[str]]] = {
    "namespace": frozenset({"updated_at"}),
    "round": frozenset({"edition", "saved_at"}),
}
"""Columns that say nothing about the process; a public dump has other values in some."""

Row = Mapping[str, Any]
"""A row by column names, as a dump has it."""


def filter_row_values(table: str, values: Row) -> dict[str, Any]:
    """Return the content of a row, column by column, without empty values."""
    omitted = OMITTED_COLUMNS.get(table, frozenset())
    return {
        name: value
        for name, value in values.items()
        if name not in omitted and value not in (None, "", [], {}, False)
    }


def digest_row_values(table: str, values: Row, provenance: Row | None = None) -> str:
    """Return the SHA-256, in hexadecimal, of a row's content; a namespace's includes provenance.

    Dates are dates, or text as `isoformat` spells them.
    """
    said = filter_row_values(table, values)
    if provenance:
        said["provenance"] = filter_row_values("provenance", provenance)
    text = json.dumps(
        said, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=spell_moment
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def spell_moment(value: datetime.date | datetime.datetime) -> str:
    """Return a date as text."""
    return value.isoformat()

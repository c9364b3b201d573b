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
    "resolutionservice": frozenset({"updated_at", "probe", "probed_at", "probe_note"}),
    "servicedesignator": frozenset({"updated_at"}),
    "querykeyword": frozenset({"updated_at"}),
    "heldnid": frozenset(
        {"reasons", "source", "appeal", "appeal_answer", "ending", "held_by_id", "appealed_by_id"}
    ),
    "user": frozenset(
        {
            "email",
            "name",
            "organization_id",
            "password",
            "last_login",
            "delivery",
            "has_shortcuts",
            "queue_seen_at",
            "session_epoch",
            "date_joined",
        }
    ),
    "speaker": frozenset(
        {
            "asked_at",
            "recorded_by_id",
            "evidence",
            "countersigned_by_id",
            "domain",
            "address",
            "secret",
            "attempts",
            "looked_at",
            "finding",
            "waiting_days",
            "waiting_since",
            "removal_asked_by_id",
            "objection",
            "objected_by",
            "reminded_at",
            "effective_at",
            "state_since",
            "confirmed_at",
            "yearly_letters",
        }
    ),
    "locatortable": frozenset(
        {
            "loaded_by_id",
            "file_name",
            "bytes_given",
            "bytes_read",
            "rows_read",
            "refused",
            "report",
            "compared_by",
            "started_at",
            "moved_at",
            "ended_at",
        }
    ),
}
"""Columns that decide nothing; an incomplete dump has other values in some."""
KEY_COLUMNS: Final[Mapping[str, str]] = {"servicedesignator": "name", "querykeyword": "keyword"}
"""The primary keys that are not called `id`."""
PRIVATE_KINDS: Final = ("user", "speaker", "locatortable")
"""The kinds of rows that only a complete dump has as they are."""

USER_POWERS: Final = ("is_superuser", "is_staff", "groups")
"""What lets an account decide."""

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


def find_key_column(table: str) -> str:
    """Return the column with the primary key of a table's rows."""
    return KEY_COLUMNS.get(table, "id")


def is_deciding_row(table: str, values: Row) -> bool:
    """Whether entries tell of such a row: it is sent, in use, in effect or has a power."""
    match table:
        case "round":
            return values["submitted_at"] is not None
        case "locatortable":
            return bool(values["state"] == "current")
        case "speaker":
            return bool(values["state"] == "in_effect")
        case "user":
            return any(values[name] for name in USER_POWERS)
    return True


def spell_moment(value: datetime.date | datetime.datetime) -> str:
    """Return a date as text."""
    return value.isoformat()

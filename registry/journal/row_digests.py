"""Digests of rows, by which lines of the journal say what an act made of them.

What is empty is left out: a column that is added later, empty at first, changes no digest.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from django.db import models

from registry.models import Namespace, Organization, Registration, Round

DIGESTED_MODELS: Final[Mapping[str, type[models.Model]]] = {
    "organization": Organization,
    "namespace": Namespace,
    "round": Round,
    "registration": Registration,
}
"""The tables whose rows have digests, by the word that begins their keys."""
NEW_ROW: Final = ""
"""What stands before the digest of a row that an act made."""
OMITTED_COLUMNS: Final[Mapping[type[models.Model], frozenset[str]]] = {
    Namespace: frozenset({"updated_at"}),
    Round: frozenset({"edition", "saved_at"}),
}
"""Columns that say nothing of the process; a public dump has others in some."""


def build_row_key(row: models.Model) -> str:
    """Return by what lines of the journal call a row, such as `namespace 12`."""
    return f"{row._meta.model_name} {row.pk}"


def digest_row(row: models.Model) -> str:
    """Return the SHA-256, in hexadecimal, of what `row` says; of a namespace, its provenance too.

    Dates have to be dates: of a row that was not read from the database they may be text.
    """
    said = read_row_values(row)
    if isinstance(row, Namespace) and (provenance := getattr(row, "provenance", None)):
        said["provenance"] = read_row_values(provenance)
    text = json.dumps(
        said, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=spell_moment
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_stored_row(key: str) -> str:
    """Return the digest of a row as the database has it now, empty where it has none."""
    name, _blank, pk = key.partition(" ")
    rows = stored_rows(DIGESTED_MODELS[name])
    row = rows.filter(pk=int(pk)).first()
    return "" if row is None else digest_row(row)


def stored_rows(model: type[models.Model]) -> models.QuerySet[Any]:
    """Return the rows of a table with all that their digests are of."""
    rows = model._default_manager.all()
    return rows.select_related("provenance") if model is Namespace else rows


def read_row_values(row: models.Model) -> dict[str, Any]:
    """Return what a row says, column by column, without what is empty."""
    omitted = OMITTED_COLUMNS.get(type(row), frozenset())
    values = {
        column.attname: getattr(row, column.attname)
        for column in row._meta.concrete_fields
        if column.attname not in omitted
    }
    return {name: value for name, value in values.items() if value not in (None, "", [], {}, False)}


def spell_moment(value: datetime.date | datetime.datetime) -> str:
    """Return a date as text."""
    return value.isoformat()

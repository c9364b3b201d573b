"""Digests of database rows, with which journal events record what an action changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import models

from registry.models import ImportedRecord, Namespace, Organization, Registration, Round
from registry.transparency import rows

DIGESTED_MODELS: Final[Mapping[str, type[models.Model]]] = {
    "organization": Organization,
    "namespace": Namespace,
    "round": Round,
    "registration": Registration,
    "importedrecord": ImportedRecord,
}
"""The tables whose rows have digests, by the word that begins their keys."""
NEW_ROW: Final = ""
"""The prefix of the digest of a row that an action changed."""


def build_row_key(row: models.Model) -> str:
    """Return the key of a row in journal events, such as `namespace 12`."""
    return f"{row._meta.model_name} {row.pk}"


def digest_row(row: models.Model) -> str:
    """Return the SHA-256, in hexadecimal, of a row's content; a namespace's includes provenance.

    Dates must be dates: in a row that was not read from the database they may be strings.
    """
    provenance = getattr(row, "provenance", None) if isinstance(row, Namespace) else None
    known = read_row_values(provenance) if provenance else None
    return rows.digest_row_values(str(row._meta.model_name), read_row_values(row), known)


def digest_stored_row(key: str) -> str:
    """Return the digest of a row as stored in the database, empty if there is none."""
    row = read_stored_row(key)
    return "" if row is None else digest_row(row)


def read_stored_row(key: str) -> models.Model | None:
    """Return a row as stored in the database, or None."""
    name, _blank, pk = key.partition(" ")
    row: models.Model | None = stored_rows(DIGESTED_MODELS[name]).filter(pk=int(pk)).first()
    return row


def list_row_facts(row: models.Model | None) -> dict[str, Any]:
    """Return what the log says openly about a row: who holds what, which texts are published."""
    match row:
        case Namespace():
            return {
                "nid": row.nid,
                "status": row.status,
                "holder": row.registrant_id,
                "informal": row.informal_number,
            }
        case Registration():
            found = {"nid": row.namespace.nid, "version": row.number, "sha256": row.sha256}
            return {**found, "on": row.registered_on.isoformat()}
        case Round():
            found = {"request": row.registration_request_id, "round": row.number}
            return {**found, "sha256": row.sha256}
    return {}


def stored_rows(model: type[models.Model]) -> models.QuerySet[Any]:
    """Return a table's rows with everything that their digests cover."""
    found = model._default_manager.all()
    return found.select_related("provenance") if model is Namespace else found


def read_row_values(row: models.Model) -> dict[str, Any]:
    """Return a row's content, column by column."""
    return {column.attname: getattr(row, column.attname) for column in row._meta.concrete_fields}

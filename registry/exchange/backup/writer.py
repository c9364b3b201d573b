"""Writing a backup, line by line, from one snapshot."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection
from django.db.models import CharField, QuerySet
from django.db.models.functions import Collate

from registry.exchange.backup.format import (
    BackupExtent,
    encode_backup_line,
    find_natural_keys,
    find_target_field,
    find_target_label,
    make_backup_header,
)

# On SQLite our transactions would block other writers (IMMEDIATE); this one only reads.
BEGIN_SNAPSHOT: Final = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


@contextmanager
def open_snapshot() -> Iterator[None]:
    """Make all reads in the block see one snapshot; inside a transaction, that transaction's."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN_SNAPSHOT[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


MAX_ROWS_IN_MEMORY: Final = 100
"""A round or a version may contain a whole template."""
REPLACEMENT_PREFIX: Final = "public_"
"""The prefix for names of expressions that replace columns."""
BINARY_COLLATIONS: Final = {"sqlite": "BINARY", "postgresql": "C"}


def write_backup(extent: BackupExtent) -> Iterator[bytes]:
    """Yield the lines of a dump of one snapshot, in constant memory."""
    sha256 = hashlib.sha256()
    with open_snapshot():
        for line in write_unsealed_lines(extent):
            sha256.update(line)
            yield line
    yield encode_backup_line({"sha256": sha256.hexdigest()})


def write_unsealed_lines(extent: BackupExtent) -> Iterator[bytes]:
    """Yield all lines but the last."""
    yield encode_backup_line(make_backup_header(extent))
    written = {label: set[Any]() for label in find_referenced_tables(extent)}
    for label in extent.tables:
        references = [
            (column.attname, written[target])
            for column in extent.columns_of(label)
            if column.null and (target := find_target_label(column)) in written
        ]
        for row in list_row_values(extent, label):
            if label in written:
                written[label].add(row["id"])
            for name, keys in references:
                row[name] = row[name] if row[name] in keys else None
            yield encode_backup_line([label, row])


def find_referenced_tables(extent: BackupExtent) -> set[str]:
    """Return the tables of which a dump may lack rows that others refer to: it has null then."""
    if extent is BackupExtent.COMPLETE:
        return set()
    columns = [column for label in extent.tables for column in extent.columns_of(label)]
    referenced = {find_target_label(column) for column in columns if column.null}
    return referenced.intersection(extent.tables)


def list_row_values(extent: BackupExtent, label: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as JSON has them, by column name."""
    columns = extent.columns_of(label)
    names = [column.attname for column in columns]
    natural_keys = {
        column.attname: keys for column in columns if (keys := find_natural_keys(column))
    }
    replaced = extent.replaced_columns(label)
    aliases = {name: f"{REPLACEMENT_PREFIX}{name}" for name in replaced}
    rows = order_by_key(extent.rows_of(label)).annotate(
        **{aliases[name]: expression for name, expression in replaced.items()}
    )
    selected = [aliases.get(name, name) for name in names]
    for values in rows.values_list(*selected).iterator(chunk_size=MAX_ROWS_IN_MEMORY):
        row = dict(zip(names, values, strict=True))
        for name, keys in natural_keys.items():
            row[name] = keys.get(row[name])
        yield row


def order_by_key(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows ordered by key; texts by octets, whatever the database's collation."""
    return rows.order_by(*map(make_order_key, rows.model._meta.pk_fields))


def make_order_key(field: Any) -> Any:
    """Return the sort key for one column."""
    if isinstance(find_target_field(field), CharField):
        return Collate(field.attname, BINARY_COLLATIONS[connection.vendor])
    return field.attname

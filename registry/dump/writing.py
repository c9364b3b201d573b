"""Writing a dump, line by line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from django.db import connection
from django.db.models import CharField, QuerySet
from django.db.models.functions import Collate

from registry.dump.extent import Extent
from registry.dump.header import header
from registry.dump.snapshot import snapshot
from registry.dump.values import kind_of, names_for, written

MAX_ROWS_IN_MEMORY: Final = 100
"""A round or a version may have the text of a whole template."""
SAID: Final = "said_"
"""Begins the names of what is said in the place of columns."""
BY_OCTETS: Final = {"sqlite": "BINARY", "postgresql": "C"}


def lines(extent: Extent) -> Iterator[bytes]:
    """Yield the lines of a dump as of one moment, in memory that does not grow with it."""
    sha256 = hashlib.sha256()
    with snapshot():
        for line in told(extent):
            sha256.update(line)
            yield line
    yield written({"sha256": sha256.hexdigest()})


def told(extent: Extent) -> Iterator[bytes]:
    """Yield all lines but the last."""
    yield written(header(extent))
    for label in extent.tables:
        for row in values(extent, label):
            yield written([label, row])


def values(extent: Extent, label: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as JSON has them, columns by their names."""
    columns = extent.columns_of(label)
    names = [column.attname for column in columns]
    known = {column.attname: found for column in columns if (found := names_for(column))}
    instead = {f"{SAID}{name}": what for name, what in extent.instead(label).items()}
    rows = ordered(extent.rows_of(label)).annotate(**instead)
    said = [f"{SAID}{name}" if f"{SAID}{name}" in instead else name for name in names]
    for row in rows.values_list(*said).iterator(chunk_size=MAX_ROWS_IN_MEMORY):
        told = dict(zip(names, row, strict=True))
        for name, found in known.items():
            told[name] = found.get(told[name])
        yield told


def ordered(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows by their keys; texts by their octets, whatever language the database has."""
    return rows.order_by(*map(key, rows.model._meta.pk_fields))


def key(field: Any) -> Any:
    """Return by what rows are put in the order of one column."""
    if isinstance(kind_of(field), CharField):
        return Collate(field.attname, BY_OCTETS[connection.vendor])
    return field.attname

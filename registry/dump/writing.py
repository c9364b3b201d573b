"""Writing a dump, line by line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from django.db import connection
from django.db.models import CharField, QuerySet
from django.db.models.functions import Collate

from registry.dump.header import header
from registry.dump.snapshot import snapshot
from registry.dump.tables import TABLES, columns_of, model_of
from registry.dump.values import names_for, written

AT_ONCE: Final = 2_000
BY_OCTETS: Final = {"sqlite": "BINARY", "postgresql": "C"}


def lines() -> Iterator[bytes]:
    """Yield the lines of a dump as of one moment, in memory that does not grow with it."""
    sha256 = hashlib.sha256()
    with snapshot():
        for line in told():
            sha256.update(line)
            yield line
    yield written({"sha256": sha256.hexdigest()})


def told() -> Iterator[bytes]:
    """Yield all lines but the last."""
    yield written(header({label: rows_of(label).count() for label in TABLES}))
    for label in TABLES:
        for row in values(label):
            yield written([label, row])


def values(label: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as JSON has them, columns by their names."""
    columns = columns_of(label)
    names = [column.attname for column in columns]
    known = {column.attname: found for column in columns if (found := names_for(column))}
    for row in ordered(rows_of(label)).values_list(*names).iterator(chunk_size=AT_ONCE):
        said = dict(zip(names, row, strict=True))
        for name, found in known.items():
            said[name] = found.get(said[name])
        yield said


def rows_of(label: str) -> QuerySet[Any]:
    """Return the rows of a table."""
    return model_of(label)._default_manager.all()


def ordered(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows by their keys; texts by their octets, whatever language the database has."""
    return rows.order_by(*map(key, rows.model._meta.pk_fields))


def key(field: Any) -> Any:
    """Return by what rows are put in the order of one column."""
    target = field.target_field if field.is_relation else field
    collation = BY_OCTETS[connection.vendor]
    return Collate(field.attname, collation) if isinstance(target, CharField) else field.attname

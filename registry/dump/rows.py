"""Rows written into a table as they were: nothing is computed, and no date is of today."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from registry.dump.extent import Extent
from registry.dump.tables import columns_of, model_of
from registry.dump.values import reader_for


class Rows:
    """Writes rows of a dump into one table."""

    def __init__(self, extent: Extent, label: str) -> None:
        self.columns = [(column, reader_for(column)) for column in extent.columns_of(label)]
        self.names = {column.attname for column, _reader in self.columns}
        kept_back = extent.kept_back(label)
        self.filled = [
            (column, kept_back[column.attname])
            for column in columns_of(label)
            if column.attname in kept_back
        ]
        quote = connection.ops.quote_name
        names = [quote(str(column.column)) for column, _how in (*self.columns, *self.filled)]
        into = f"{quote(model_of(label)._meta.db_table)} ({', '.join(names)})"
        self.statement = f"INSERT INTO {into} VALUES ({', '.join(['%s'] * len(names))})"

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write `rows`, in the transaction at hand."""
        with connection.cursor() as cursor:
            cursor.executemany(self.statement, [self.prepared(row) for row in rows])

    def prepared(self, row: dict[str, Any]) -> list[Any]:
        """Return the values of a row as the database takes them."""
        if row.keys() != self.names:
            raise ValueError("the columns are others.")
        said = [
            column.get_db_prep_save(reader(row[column.attname]), connection)
            for column, reader in self.columns
        ]
        return said + [
            column.get_db_prep_save(fill(row["id"]), connection) for column, fill in self.filled
        ]

"""Rows written into a table as they were: nothing is computed, and no date is of today."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from registry.dump.tables import columns_of, model_of
from registry.dump.values import reader_for


class Rows:
    """Writes rows into one table."""

    def __init__(self, label: str) -> None:
        self.columns = [(column, reader_for(column)) for column in columns_of(label)]
        quote = connection.ops.quote_name
        names = ", ".join(quote(column.column) for column, _reader in self.columns)
        places = ", ".join(["%s"] * len(self.columns))
        into = quote(model_of(label)._meta.db_table)
        self.statement = f"INSERT INTO {into} ({names}) VALUES ({places})"

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write `rows`, in the transaction at hand."""
        with connection.cursor() as cursor:
            cursor.executemany(self.statement, [self.prepared(row) for row in rows])

    def prepared(self, row: dict[str, Any]) -> list[Any]:
        """Return the values of a row as the database takes them."""
        return [
            column.get_db_prep_save(reader(row[column.attname]), connection)
            for column, reader in self.columns
        ]

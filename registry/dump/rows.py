"""Rows written into a table as they were: nothing is computed, and no date is of today."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from registry.dump.extent import Extent
from registry.dump.tables import columns_of, model_of
from registry.dump.values import reader_for


class Rows:
    """Writes rows of a dump into one table."""

    def __init__(self, extent: Extent, label: str) -> None:
        self.connection = connection = connections[DEFAULT_DB_ALIAS]
        said = extent.columns_of(label)
        self.names = {column.attname for column in said}
        self.readers = [(column.attname, reader_for(column, connection)) for column in said]
        kept_back = extent.kept_back(label)
        filled = [column for column in columns_of(label) if column.attname in kept_back]
        self.fillers = [(column, kept_back[column.attname]) for column in filled]
        quote = connection.ops.quote_name
        names = ", ".join(quote(str(column.column)) for column in (*said, *filled))
        self.into = f"{quote(model_of(label)._meta.db_table)} ({names})"
        self.places = ", ".join(["%s"] * (len(said) + len(filled)))

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write `rows`, in the transaction at hand."""
        found = [self.prepared(row) for row in rows]
        with self.connection.cursor() as cursor:
            if self.connection.vendor != "postgresql":
                cursor.executemany(f"INSERT INTO {self.into} VALUES ({self.places})", found)
                return
            with (
                self.connection.wrap_database_errors,
                cursor.copy(f"COPY {self.into} FROM STDIN") as copy,
            ):
                for row in found:
                    copy.write_row(row)

    def prepared(self, row: dict[str, Any]) -> list[Any]:
        """Return the values of a row as the database takes them."""
        if row.keys() != self.names:
            raise ValueError("the columns are others.")
        said = [row[name] if read is None else read(row[name]) for name, read in self.readers]
        return said + [
            column.get_db_prep_save(fill(row["id"]), self.connection)
            for column, fill in self.fillers
        ]

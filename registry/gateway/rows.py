"""Rows written into the database, thousands at a time and without a model for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import connection

from registry.gateway.lines import Row
from registry.models import Locator, LocatorTable

COLUMNS: Final = ("table_id", "key", "name", "locator")


def write(table: LocatorTable, rows: Sequence[Row]) -> None:
    """Write `rows` of `table`, in the transaction at hand."""
    with connection.cursor() as cursor:
        names = ", ".join(map(connection.ops.quote_name, COLUMNS))
        into = f"{connection.ops.quote_name(Locator._meta.db_table)} ({names})"
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row((table.pk, *row))
        else:
            cursor.executemany(
                f"INSERT INTO {into} VALUES (%s, %s, %s, %s)", [(table.pk, *row) for row in rows]
            )

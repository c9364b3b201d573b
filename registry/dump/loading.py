"""Loading a dump into an empty database: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any, BinaryIO, Final

from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction

from registry.dump.header import refuse_others
from registry.dump.reading import Reader
from registry.dump.refusing import Refused, on_line
from registry.dump.rows import Rows
from registry.dump.tables import TABLES, in_the_way, model_of

AT_ONCE: Final = 1_000

Row = tuple[str, dict[str, Any]]


def load(stream: BinaryIO) -> dict[str, int]:
    """Load the dump that `stream` has; return how many rows each table got.

    Raises `Refused` where the database is not empty, or where the file is not a whole and sound
    dump of tables as they are here.
    """
    reader = Reader(stream)
    refuse_others(said := reader.first())
    with transaction.atomic():
        refuse_full()
        model_of("auth.group")._default_manager.all().delete()
        loaded = dict.fromkeys(TABLES, 0)
        for label, rows in groupby(reader.rows(), key=lambda row: row[0]):
            loaded[label] = loaded.get(label, 0) + fill(label, rows, reader)
        if loaded != said["rows"]:
            raise Refused("The tables have not as many rows as the first line says.")
        refuse_loose_ends()
        continue_numbers()
    return loaded


def refuse_full() -> None:
    """Raise `Refused` where there is anything that a dump might not go with."""
    full = {label: in_the_way(label) for label in TABLES}
    said = [f"{label} ({rows.count()})" for label, rows in full.items() if rows.exists()]
    if said:
        raise Refused(f"The database is not empty. It has rows in {', '.join(said)}.")


def fill(label: str, found: Iterator[Row], reader: Reader) -> int:
    """Write the rows of one table, thousands at a time; return how many there were."""
    if label not in TABLES:
        raise on_line(reader.number, f"there is no table {label}.")
    rows, count = Rows(label), 0
    while batch := list(islice(found, AT_ONCE)):
        try:
            rows.write([row for _label, row in batch])
        except (KeyError, TypeError, ValueError, ValidationError, DatabaseError) as error:
            first = reader.number - len(batch)
            raise on_line(
                first, f"{label} cannot take this row, or one after it: {error}"
            ) from None
        count += len(batch)
    return count


def refuse_loose_ends() -> None:
    """Raise `Refused` where a row refers to one that is not there."""
    try:
        connection.check_constraints()
    except DatabaseError as error:
        raise Refused(f"A row refers to one that the dump does not have: {error}") from None


def continue_numbers() -> None:
    """Have the database number the next rows after those that were loaded."""
    models = [model_of(label) for label in TABLES]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)

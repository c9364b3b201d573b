"""Loading a dump into an empty database: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import IO, Final

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction

from registry.dump.extent import Extent
from registry.dump.header import extent_of
from registry.dump.reading import Reader, Row
from registry.dump.refusing import Refused, on_line
from registry.dump.rows import Rows
from registry.dump.tables import TABLES, columns_of, in_the_way, model_of

AT_ONCE: Final = 1_000


def load(stream: IO[bytes]) -> dict[str, int]:
    """Load the dump that `stream` has; return how many rows each table got.

    Raises `Refused` where the database is not empty, or where the file is not a whole and sound
    dump of tables as they are here.
    """
    reader = Reader(stream)
    extent = extent_of(said := reader.first())
    with transaction.atomic():
        refuse_full()
        loaded = dict.fromkeys(extent.tables, 0)
        for label, rows in groupby(reader.rows(), key=attrgetter("label")):
            loaded[label] = loaded.get(label, 0) + fill(extent, label, rows)
        if loaded != said.get("rows"):
            raise on_line(1, "the dump has not as many rows as this says.")
        refuse_loose_ends()
        continue_numbers()
    return loaded


def refuse_full() -> None:
    """Raise `Refused` where there is anything that a dump might not go with."""
    full = {label: in_the_way(label) for label in TABLES}
    said = [f"{label} ({rows.count()})" for label, rows in full.items() if rows.exists()]
    if said:
        raise Refused(f"The database is not empty. It has rows in {', '.join(said)}.")


def fill(extent: Extent, label: str, found: Iterator[Row]) -> int:
    """Write the rows of one table, thousands at a time; return how many there were."""
    first = next(found)
    if label not in extent.tables:
        raise on_line(first.line, f"a {extent} dump has no table {label}.")
    make_room(label)
    check_as_they_come(label)
    rows, count = Rows(extent, label), 0
    found = chain([first], found)
    while batch := list(islice(found, AT_ONCE)):
        write(rows, batch)
        count += len(batch)
    return count


def write(rows: Rows, batch: Sequence[Row]) -> None:
    """Write some rows of one table; raise `Refused` with their lines where it cannot take them."""
    try:
        rows.write([row.columns for row in batch])
    except (KeyError, TypeError, ValueError, ValidationError, DatabaseError) as error:
        first, last = batch[0].line, batch[-1].line
        where = f"Line {first}" if first == last else f"One of lines {first} to {last}"
        raise Refused(f"{where} is nothing that {batch[0].label} takes: {error}") from None


def make_room(label: str) -> None:
    """Take away what `migrate` made and the dump has too."""
    if model_of(label) is Group:
        Group.objects.all().delete()


def check_as_they_come(label: str) -> None:
    """Have rows checked for what they refer to at once, where none refers to a later one.

    PostgreSQL would keep a note of each until the end, and there may be millions.
    """
    if connection.vendor != "postgresql":
        return
    refuse_loose_ends()
    if all(column.related_model is not model_of(label) for column in columns_of(label)):
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


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

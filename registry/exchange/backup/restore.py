"""Restoring a backup into an empty database: all of it, or nothing."""

from __future__ import annotations

import hashlib
import json
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import IO, Any, Final, NamedTuple

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.models import Q

from registry import search
from registry.batches import batched
from registry.exchange.backup.format import (
    GROUP_TABLE,
    TABLES,
    BackupExtent,
    BackupRefused,
    filter_rows_in_the_way,
    get_table_model,
    list_known_migrations,
    list_migrations,
    list_table_columns,
    make_line_refusal,
    make_value_reader,
    read_extent,
    refuse_other_tables,
)
from registry.models import User

ROWS_PER_INSERT: Final = 100
"""As many as are in memory together: each may contain a whole template."""
MAX_BACKUP_LINE_BYTES: Final = 1 << 26
"""In octets. No text is that long; a file without line ends must not be read into memory whole."""

WRONG_COUNTS: Final = "the dump has not as many rows as this says."


class BackupRow(NamedTuple):
    """A row, with its line number and table."""

    line: int
    label: str
    columns: dict[str, Any]


class BackupReader:
    """The lines of a dump, and the digest of those read so far."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.number = 0
        self.sha256 = hashlib.sha256()

    def first(self) -> Any:
        """Return the content of the first line."""
        octets = self.next()
        if not octets:
            raise BackupRefused("The file is empty.")
        return self.understood(octets)

    def rows(self) -> Iterator[BackupRow]:
        """Yield the rows; raise `BackupRefused` unless the last line seals them."""
        while octets := self.next():
            said = self.understood(octets)
            if isinstance(said, dict):
                return self.seal(said)
            if not is_backup_row(said):
                raise make_line_refusal(self.number, "this is no row of a table.")
            yield BackupRow(self.number, *said)
        raise BackupRefused(f"The file ends after line {self.number}, before its end: it was cut.")

    def next(self) -> bytes:
        """Return the next line, empty at the end of the file."""
        try:
            octets = self.stream.readline(MAX_BACKUP_LINE_BYTES)
        except (EOFError, OSError, zlib.error) as error:
            what = f"the file cannot be read on: {error}"
            raise make_line_refusal(self.number + 1, what) from None
        self.number += bool(octets)
        if octets and not octets.endswith(b"\n"):
            raise make_line_refusal(
                self.number, "the line has no end: the file was cut or is damaged."
            )
        return octets

    def understood(self, octets: bytes) -> Any:
        """Return the content of a line; all but the last are counted towards the seal."""
        try:
            said = json.loads(octets.decode())
        except (ValueError, RecursionError):
            raise make_line_refusal(self.number, "this is not JSON: the line is damaged.") from None
        if not (isinstance(said, dict) and said.keys() == {"sha256"}):
            self.sha256.update(octets)
        return said

    def seal(self, said: dict[str, Any]) -> None:
        """Raise `BackupRefused` if the seal does not match the lines before it or is not last."""
        if said.get("sha256") != self.sha256.hexdigest():
            raise make_line_refusal(
                self.number, "the SHA-256 is not that of the lines before: one was lost."
            )
        if self.next():
            raise make_line_refusal(self.number, "the file goes on after its last line.")


def is_backup_row(said: Any) -> bool:
    """Whether a line is a row."""
    match said:
        case [str(), dict()]:
            return True
    return False


def fill_by_key(text: str) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that makes a text of a row with its key."""
    return lambda row: text.format(row["id"])


FILLED_COLUMNS: Final[Mapping[tuple[str, str], Callable[[Mapping[str, Any]], object]]] = {
    # Mail to this domain reaches nobody (RFC 6761, section 6.4).
    ("registry.user", "email"): fill_by_key("account-{}@restored.invalid"),
    ("registry.user", "password"): lambda _row: "!",
    ("registry.user", "is_active"): lambda _row: False,
    ("registry.registrationrequest", "start_key"): lambda _row: uuid.uuid4(),
    ("registry.round", "saved_at"): itemgetter("submitted_at"),
    ("registry.message", "message_id"): fill_by_key("<message-{}@restored.invalid>"),
}
"""How loading fills columns that a public dump lacks; others get their default."""


class BackupRowWriter:
    """Writes rows of a dump into one table."""

    def __init__(self, extent: BackupExtent, label: str) -> None:
        self.connection = connection = connections[DEFAULT_DB_ALIAS]
        columns = extent.columns_of(label)
        self.names = {column.attname for column in columns}
        self.readers = [
            (column.attname, make_value_reader(column, connection)) for column in columns
        ]
        filled = [column for column in list_table_columns(label) if column not in columns]
        self.fillers = [(column, FILLED_COLUMNS.get((label, column.attname))) for column in filled]
        quote = connection.ops.quote_name
        names = ", ".join(quote(str(column.column)) for column in (*columns, *filled))
        self.into = f"{quote(get_table_model(label)._meta.db_table)} ({names})"
        self.places = ", ".join(["%s"] * (len(columns) + len(filled)))

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write `rows`, in the current transaction."""
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
        values = [row[name] if read is None else read(row[name]) for name, read in self.readers]
        return values + [
            column.get_db_prep_save(
                column.to_python(fill(row)) if fill else column.get_default(), self.connection
            )
            for column, fill in self.fillers
        ]


def restore_backup(
    stream: IO[bytes],
    accept: Callable[[Sequence[str]], bool] = lambda _officers: True,
    *,
    extents: Collection[BackupExtent] = tuple(BackupExtent),
) -> dict[str, int]:
    """Load the dump in `stream`; return how many rows each table got.

    If superusers and officers come with it, `accept` is called with a line about each before they
    are saved, and nothing is loaded unless it says so. A dump of none of the `extents` is refused.

    In a database without tables, they are made first. Raises `BackupRefused` if it is not empty, or
    if the file is not a complete and valid dump of these tables.
    """
    reader = BackupReader(stream)
    header = reader.first()
    extent = read_extent(header)
    if extent not in extents:
        raise make_line_refusal(1, f"the dump is {extent}, and a file of this name is not.")
    refuse_other_tables(header)
    if not list_migrations():
        call_command("migrate", verbosity=0)
    if set(list_migrations()) != set(list_known_migrations()):
        raise BackupRefused("The database has the tables of another release. Run migrate first.")
    with transaction.atomic():
        refuse_filled_database()
        loaded = dict.fromkeys(extent.tables, 0)
        for label, rows in groupby(reader.rows(), key=attrgetter("label")):
            if label not in extent.tables:
                raise make_line_refusal(reader.number, f"a {extent} dump has no table {label}.")
            loaded[label] += restore_table(extent, label, rows)
        if loaded != header.get("rows"):
            raise make_line_refusal(1, WRONG_COUNTS)
        refuse_dangling_references()
        reset_sequences(extent.tables)
        if (officers := list_officers()) and not accept(officers):
            raise BackupRefused(
                "Nobody accepted the accounts with powers. Answer yes, or give --no-input."
            )
        make_indexes()
    return loaded


def list_officers() -> list[str]:
    """Return a line about each account that was loaded with powers: its address, and what it is."""
    powers = Q(is_superuser=True) | Q(is_staff=True) | Q(groups__isnull=False)
    officers = []
    for account in User.objects.order_by("pk").filter(powers).distinct().prefetch_related("groups"):
        held = ["superuser"] if account.is_superuser else []
        held += sorted(group.name for group in account.groups.all())
        officers.append(f"{account.email}: {', '.join(held) or 'may enter the administration'}")
    return officers


def verify_backup(stream: IO[bytes]) -> dict[str, int]:
    """Read the dump in `stream` to its end, without a database; return how many rows of each table.

    Raises `BackupRefused` if it is not whole, or has not as many rows as it says.
    """
    reader = BackupReader(stream)
    read_extent(header := reader.first())
    counted = Counter(row.label for row in reader.rows())
    stated = header.get("rows")
    if not isinstance(stated, dict) or {**dict.fromkeys(stated, 0), **counted} != stated:
        raise make_line_refusal(1, WRONG_COUNTS)
    return dict(counted)


def make_indexes() -> None:
    """Make what no dump has, since it follows from the rows."""
    search.rebuild_index()


def refuse_filled_database() -> None:
    """Raise `BackupRefused` if there is anything that could conflict with a dump."""
    counts = {label: filter_rows_in_the_way(label).count() for label in TABLES}
    if filled := [f"{label} ({count})" for label, count in counts.items() if count]:
        raise BackupRefused(f"The database is not empty. It has rows in {', '.join(filled)}.")


def restore_table(extent: BackupExtent, label: str, found: Iterator[BackupRow]) -> int:
    """Write the rows of one table, many at a time; return how many."""
    delete_migrated_rows(label)
    check_constraints_at_once(label)
    rows, count = BackupRowWriter(extent, label), 0
    for batch in batched(found, ROWS_PER_INSERT):
        insert_backup_rows(rows, batch)
        count += len(batch)
    return count


def insert_backup_rows(rows: BackupRowWriter, batch: Sequence[BackupRow]) -> None:
    """Write rows of one table; raise `BackupRefused` with their lines if it is impossible."""
    try:
        rows.write([row.columns for row in batch])
    except (KeyError, TypeError, ValueError, ValidationError, DatabaseError) as error:
        first, last = batch[0].line, batch[-1].line
        where = f"Line {first}" if first == last else f"One of lines {first} to {last}"
        raise BackupRefused(f"{where} is nothing that {batch[0].label} takes: {error}") from None


def delete_migrated_rows(label: str) -> None:
    """Delete rows that `migrate` created and the dump contains too."""
    if label == GROUP_TABLE:
        Group.objects.all().delete()


def check_constraints_at_once(label: str) -> None:
    """Check foreign keys immediately, in tables whose rows never refer to a later one.

    PostgreSQL would otherwise remember each until the end, and there may be millions.
    """
    if connection.vendor != "postgresql":
        return
    refuse_dangling_references()
    own, columns = get_table_model(label), list_table_columns(label)
    if all(column.related_model is not own for column in columns):
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def refuse_dangling_references() -> None:
    """Raise `BackupRefused` if a row refers to a missing one."""
    try:
        connection.check_constraints()
    except DatabaseError as error:
        raise BackupRefused(f"A row refers to one that the dump does not have: {error}") from None


def reset_sequences(labels: Sequence[str]) -> None:
    """Let the database number new rows after the loaded ones."""
    filled = [get_table_model(label) for label in labels]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), filled):
            cursor.execute(statement)

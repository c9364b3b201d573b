"""Fixtures that take steps only once: later tests get the rows that the steps wrote.

`recorded` inserts what a fixture of the same name wrote when it met a database like this one.
`copy_or_build` makes a large registry once for all workers, and copies the file. `REPLAY=0` takes
the real steps each time, as `make test-all` does.
"""

from __future__ import annotations

import fcntl
import functools
import inspect
import os
import pickle
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from tests.costs import not_counting

P = ParamSpec("P")
T = TypeVar("T")
Table = dict[Any, tuple[Any, ...]]

REPLAYS: Final = os.environ.get("REPLAY") != "0"
IDENTIFYING: Final = (
    "SELECT id, name, email, is_active FROM registry_user",
    "SELECT user_id, group_id FROM registry_user_groups",
    "SELECT id, name FROM registry_organization",
    "SELECT id, nid FROM registry_namespace",
    "SELECT id, nid, path, state, revision, author_id FROM registry_registrationrequest",
)
"""What two databases have in common in which the same steps write the same."""


@dataclass(frozen=True)
class Recording:
    """The difference that steps made, by table and primary key, and what they returned."""

    changed: Mapping[str, Table]
    deleted: Mapping[str, list[Any]]
    new: Mapping[str, set[Any]]
    returned: Any


@dataclass(frozen=True)
class Place:
    """Where a returned object is found again: among the arguments, or in the database."""

    argument: str = ""
    model: type[Model] | None = None
    key: Any = None


recordings: dict[Any, Recording] = {}
replayed: list[str] = []
"""The fixtures that have written rows in this test, in order."""


def recorded(function: Callable[P, T]) -> Callable[P, T]:
    """Let a fixture take its steps once, and insert their rows for later tests.

    It is to return what it was given, model instances, plain values, or lists, tuples, dicts and
    dataclasses of them.
    """

    @functools.wraps(function)
    def replay_or_record(*args: P.args, **kwargs: P.kwargs) -> T:
        if not (REPLAYS and connection.vendor == "sqlite"):
            return function(*args, **kwargs)
        given = inspect.signature(function).bind(*args, **kwargs).arguments
        key = (function.__module__, *replayed, function.__qualname__, identify_database(given))
        replayed.append(function.__qualname__)
        if key in recordings:
            result: T = insert_rows(recordings[key], given)
            return result
        with not_counting():
            before = read_tables()
            result = function(*args, **kwargs)
            recordings[key] = compare(before, read_tables(), describe(result, given))
        return result

    return replay_or_record


def copy_or_build(folder: Path, build: Callable[[], T]) -> T:
    """Fill the test database from `folder`, or by `build` if nobody has yet.

    Letters that were written to files are copied too. Returns what `build` returned: model
    instances, and collections of them.
    """
    if not REPLAYS or connection.vendor != "sqlite":
        return build()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        database, letters, returned = (folder / name for name in ("database", "mail", "returned"))
        if returned.exists():
            with sqlite3.connect(database) as copy:
                copy.backup(connection.connection)
            copy.close()
            shutil.copytree(letters, settings.EMAIL_FILE_PATH, dirs_exist_ok=True)
            result: T = find_again(pickle.loads(returned.read_bytes()), {})
            return result
        result = build()
        connection.cursor().execute("VACUUM INTO %s", [str(database)])
        shutil.copytree(settings.EMAIL_FILE_PATH, letters)
        returned.write_bytes(pickle.dumps(describe(result, {})))
        return result


def identify_database(given: Mapping[str, Any]) -> Any:
    """Return a value that is equal where the same steps would write the same rows."""
    cursor = connection.cursor().cursor
    counts = " UNION ALL ".join(
        f"SELECT '{name}', count(*), max(rowid) FROM \"{name}\"" for name in list_tables()
    )
    rows = [tuple(cursor.execute(query)) for query in (counts, *IDENTIFYING)]
    # Rows that are minutes old are late for some rules.
    now = timezone.now().replace(second=0, microsecond=0)
    arguments = [(type(value), getattr(value, "pk", None)) for value in given.values()]
    return (
        *rows,
        *arguments,
        now,
        tuple(list_changed_settings()),
    )


def list_changed_settings() -> Iterator[tuple[str, object]]:
    """List the plain settings that tests have changed, the last change first.

    Paths are left out: each test has its own.
    """
    holder: Any = vars(settings)["_wrapped"]
    while holder is not None:
        values = vars(holder)
        for name, value in values.items():
            if isinstance(value, (bool, float, int, str)) and not str(value).startswith("/"):
                yield name, value
        holder = values.get("default_settings")


@functools.cache
def list_tables() -> list[str]:
    """List the tables with rows of their own: not those that a full-text index keeps."""
    cursor = connection.cursor().cursor
    names = cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    unowned = ("sqlite_", "django_migrations", "registry_searchdocument_text")
    return [name for (name,) in names if not name.startswith(unowned)]


def read_tables() -> dict[str, Table]:
    """Return all rows of the database, by table and primary key."""
    cursor = connection.cursor().cursor
    return {
        name: {
            row[0]: row[1:]
            for row in cursor.execute(f'SELECT "{find_primary_key(name)}", * FROM "{name}"')
        }
        for name in list_tables()
    }


def compare(before: dict[str, Table], after: dict[str, Table], returned: Any) -> Recording:
    """Return what changed between two readings of the database."""
    changed, deleted, new = {}, {}, {}
    for name, rows in after.items():
        earlier = before[name]
        if rows != earlier:
            changed[name] = {key: row for key, row in rows.items() if earlier.get(key) != row}
            deleted[name] = [key for key in earlier if key not in rows]
            new[name] = rows.keys() - earlier.keys()
    return Recording(changed, deleted, new, returned)


def insert_rows(recording: Recording, given: Mapping[str, Any]) -> Any:
    """Write the recorded rows, and return what the steps returned then."""
    cursor = connection.cursor().cursor
    with transaction.atomic():
        cursor.execute("PRAGMA defer_foreign_keys = ON")
        for name, keys in recording.deleted.items():
            cursor.executemany(
                f'DELETE FROM "{name}" WHERE "{find_primary_key(name)}" = ?',
                [(key,) for key in keys],
            )
        for name, rows in recording.changed.items():
            columns = list_columns(name)
            names = ", ".join(f'"{column}"' for column in columns)
            marks = ", ".join("?" * len(columns))
            new = recording.new[name]
            cursor.executemany(
                f'INSERT INTO "{name}" ({names}) VALUES ({marks})',
                [row for key, row in rows.items() if key in new],
            )
            assignments = ", ".join(f'"{column}" = ?' for column in columns)
            cursor.executemany(
                f'UPDATE "{name}" SET {assignments} WHERE "{find_primary_key(name)}" = ?',
                [(*row, key) for key, row in rows.items() if key not in new],
            )
    for value in given.values():
        if isinstance(value, Model) and value._meta.db_table in recording.changed:
            value.refresh_from_db()
    return find_again(recording.returned, given)


@functools.cache
def list_columns(table: str) -> list[str]:
    cursor = connection.cursor().cursor
    return [column[1] for column in cursor.execute(f'PRAGMA table_info("{table}")')]


@functools.cache
def find_primary_key(table: str) -> str:
    cursor = connection.cursor().cursor
    columns = [
        str(column[1]) for column in cursor.execute(f'PRAGMA table_info("{table}")') if column[5]
    ]
    return columns[0] if len(columns) == 1 else "rowid"


def describe(value: Any, given: Mapping[str, Any]) -> Any:
    """Return a value with `Place` in place of each model instance."""
    for name, argument in given.items():
        if value is argument:
            return Place(argument=name)
    if isinstance(value, Model):
        return Place(model=type(value), key=value.pk)
    if isinstance(value, dict):
        return {name: describe(item, given) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(describe(item, given) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        items = {field.name: getattr(value, field.name) for field in fields(value)}
        return replace(value, **describe(items, given))
    assert value is None or isinstance(value, (str, int)), f"{value!r} cannot be found again"
    return value


def find_again(value: Any, given: Mapping[str, Any]) -> Any:
    """Return what `describe` was given, read from the database of this test."""
    if isinstance(value, Place):
        if value.model is None:
            return given[value.argument]
        return value.model._base_manager.get(pk=value.key)
    if isinstance(value, dict):
        return {name: find_again(item, given) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(find_again(item, given) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        items = {field.name: getattr(value, field.name) for field in fields(value)}
        return replace(value, **find_again(items, given))
    return value

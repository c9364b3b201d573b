"""The version of the registry, which says how long what was read of it is valid."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.utils import timezone

from registry.models import Counter, Event
from registry.replicas import MAX_REPLICA_DELAY, find_reading_alias, replicas

VERSION_COUNTERS: Final = (Counter.EVENT, Counter.SHOWN)
# Run for every request, so it is as short as a query can be.
VERSION_SQL: Final = f"SELECT value FROM {Counter._meta.db_table} WHERE name IN (%s, %s)"

T = TypeVar("T")

REPLAY_PATIENCE: Final = datetime.timedelta(seconds=MAX_REPLICA_DELAY + 5)
"""After this long, people are notified of an event whether or not it was replayed."""


def find_registry_version(alias: str | None = None) -> int:
    """Return the current version, in one small query; if `alias` names a database, in that one.

    Every event raises it, as does a change of a public page without one, which calls
    `raise_registry_version`.
    """
    with connections[alias or find_reading_alias()].cursor() as cursor:
        cursor.execute(VERSION_SQL, VERSION_COUNTERS)
        return sum(value for (value,) in cursor.fetchall())


def ask_registry_version(alias: str) -> int:
    """Return the version in one database, over a working connection; raises its errors."""
    connections[alias].close_if_unusable_or_obsolete()
    return find_registry_version(alias)


def choose_database() -> tuple[str, int]:
    """Return the database to read for an anonymous reader, and the registry's version there."""
    if not replicas.aliases:
        return DEFAULT_DB_ALIAS, find_registry_version()
    return replicas.choose(ask_registry_version)


def note_reading_of_primary() -> None:
    """Let nobody get an older version than the primary has now; for people who are not anonymous.

    Costs a query if there are replicas, and nothing if there are none.
    """
    replicas.note_primary(ask_registry_version)


def is_replayed(event: Event) -> bool:
    """Whether all replicas that serve anonymous readers have an event.

    What leads people to a page about it may then be sent. Nothing waits longer than a replica may
    lag: after that, replicas that have not replayed it are not read.
    """
    age = timezone.now() - event.at
    if not replicas.aliases or age > REPLAY_PATIENCE:
        return True
    return replicas.have_replayed(event.number, ask_last_line)


def ask_last_line(alias: str) -> int:
    """Return the number of the last event in one database; raises its errors."""
    connections[alias].close_if_unusable_or_obsolete()
    found = Counter.objects.using(alias).filter(name=Counter.EVENT)
    return found.values_list("value", flat=True).first() or 0


def raise_registry_version() -> None:
    """Raise the version: something public changed that the journal does not record."""
    Counter.objects.take(Counter.SHOWN)


class VersionMemory(Generic[T]):
    """What `read` returns for NIDs, kept in memory until the registry's version changes.

    Only for what everybody may read: every reader gets the same objects, and nobody changes them.
    """

    def __init__(self, read: Callable[[str], T | None]) -> None:
        self.read = read
        self.memory: tuple[int, dict[str, T]] = (0, {})

    def __call__(self, nid: str, version: int | None = None) -> T | None:
        """Return it for a canonical NID, with one small query if it is there.

        With none for callers that have just read the `version`.
        """
        if connections[find_reading_alias()].in_atomic_block:
            # What is read here may be rolled back.
            return self.read(nid)
        version = find_registry_version() if version is None else version
        memory = self.memory
        if memory[0] != version:
            memory = self.memory = (version, {})
        value = memory[1].get(nid)
        # A NID that nobody registered takes no memory.
        if value is None and (value := self.read(nid)) is not None:
            memory[1][nid] = value
        return value

    def clear(self) -> None:
        """Forget everything."""
        self.memory = (0, {})

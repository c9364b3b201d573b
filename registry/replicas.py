"""Streaming replicas of the database: which one anonymous requests read from, and when none."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from multiprocessing import Value
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections

AskVersion = Callable[[str], int]
"""Returns the registry's version in one database; raises that database's error."""

MAX_REPLICA_DELAY: Final = 10.0
"""The maximum lag of a replica in seconds; beyond it nobody reads from it."""
PRIMARY_LOOK_SECONDS: Final = 1.0
"""How often each process that serves anonymous requests asks the primary for its version."""
REST_SECONDS: Final = 5.0
"""How long an unresponsive database is left alone."""
ROUTED_APPS: Final = frozenset({"registry", "auth", "account", "contenttypes"})
"""What anonymous visitors see; sessions, limits, tasks and the cache are on the primary."""

reading_alias: ContextVar[str] = ContextVar("reading_alias", default=DEFAULT_DB_ALIAS)


def find_reading_alias() -> str:
    """Return the database to read from: the primary, except for anonymous requests.

    Within a transaction it is the primary, since what is read there is about to be written.
    """
    alias = reading_alias.get()
    if alias != DEFAULT_DB_ALIAS and connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return DEFAULT_DB_ALIAS
    return alias


@contextmanager
def reading_from(alias: str) -> Iterator[None]:
    """Read from one database in this block, on this thread."""
    token = reading_alias.set(alias)
    try:
        yield
    finally:
        reading_alias.reset(token)


class ReplicaRouter:
    """Tells Django which database to use; all writes go to the primary."""

    def db_for_read(self, model: type[Any], **hints: Any) -> str:
        """Return the database to read rows of `model` from."""
        return find_reading_alias() if model._meta.app_label in ROUTED_APPS else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Any], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        """Allow relations between all rows: the databases are copies of each other."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Whether to create tables there: replicas copy the primary's."""
        return db == DEFAULT_DB_ALIAS


class ReplicaChoice:
    """Chooses where anonymous requests read from. Forked processes share what they have shown.

    A replica's lag is measured by its version of the registry: the time since the primary had a
    later one. Every public change raises the version, so a replica disconnected from its primary is
    as good as any until something happens.
    """

    def __init__(self, aliases: Sequence[str]) -> None:
        self.aliases = list(aliases)
        self.lock = Lock()
        self.turns = count()
        self.answered: Any = Value("q", 0)
        self.resting_until: dict[str, float] = {}
        # The earliest time the primary may have had each version; and when to ask it next.
        self.known: list[tuple[float, int]] = []
        self.looked_at = 0.0

    def choose(self, ask: AskVersion) -> tuple[str, int]:
        """Return where an anonymous request reads from, and the version there.

        Raises the primary's error if no replica is suitable and the primary is unavailable.
        """
        self.look_at_primary(ask)
        least = self.find_least_version()
        first = next(self.turns)
        for place in range(len(self.aliases)):
            alias = self.aliases[(first + place) % len(self.aliases)]
            version = self.ask_resting(ask, alias)
            if version is not None and version >= least:
                self.note_answered(version)
                return alias, version
        version = ask(DEFAULT_DB_ALIAS)
        self.note_answered(version)
        return DEFAULT_DB_ALIAS, version

    def look_at_primary(self, ask: AskVersion) -> None:
        """Ask the primary for its version, once a second."""
        now = time.monotonic()
        with self.lock:
            if now < self.looked_at + PRIMARY_LOOK_SECONDS:
                return
            before, self.looked_at = self.looked_at, now
        version = self.ask_resting(ask, DEFAULT_DB_ALIAS)
        if version is None:
            return
        with self.lock:
            # It may have had this version ever since it was last asked.
            if not self.known or version > self.known[-1][1]:
                self.known.append((before, version))
            due = [each for each in self.known if each[0] <= now - MAX_REPLICA_DELAY]
            self.known = due[-1:] + self.known[len(due) :]

    def find_least_version(self) -> int:
        """Return the version a replica must have: what visitors saw, or it had time to copy."""
        latest = time.monotonic() - MAX_REPLICA_DELAY
        with self.lock:
            ripe = [version for since, version in self.known if since <= latest]
        return max([int(self.answered.value), *ripe])

    def ask_resting(self, ask: AskVersion, alias: str) -> int | None:
        """Return the version there; None if it does not answer, or just failed to."""
        if time.monotonic() < self.resting_until.get(alias, 0.0):
            return None
        try:
            return ask(alias)
        except Error:
            self.resting_until[alias] = time.monotonic() + REST_SECONDS
            return None

    def note_answered(self, version: int) -> None:
        """Record the version a response is based on, so that nobody gets an older one."""
        with self.answered.get_lock():
            self.answered.value = max(self.answered.value, version)

    def note_primary(self, ask: AskVersion) -> None:
        """Record that a response is based on the primary, as it is now."""
        if self.aliases and (version := self.ask_resting(ask, DEFAULT_DB_ALIAS)) is not None:
            self.note_answered(version)

    def is_any_answering(self) -> bool:
        """Whether anonymous requests can use a replica: one is configured and did not just fail."""
        now = time.monotonic()
        return any(self.resting_until.get(alias, 0.0) <= now for alias in self.aliases)

    def have_replayed(self, number: int, ask: AskVersion) -> bool:
        """Whether every responding replica has reached a value of one counter."""
        found = [self.ask_resting(ask, alias) for alias in self.aliases]
        return all(each is None or each >= number for each in found)


replicas = ReplicaChoice(settings.REGISTRY_REPLICAS)

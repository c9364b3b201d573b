"""Streaming replicas of the database: which one a stranger is read from, and when none is."""

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
"""Returns the version of the registry in one database; raises what that says."""

MAX_REPLICA_DELAY: Final = 10.0
"""Seconds by which a replica may be behind; nobody is read from one that is more."""
PRIMARY_LOOK_SECONDS: Final = 1.0
"""So often the primary is asked for its version, by each process that strangers ask."""
REST_SECONDS: Final = 5.0
"""So long a database is left alone that did not answer."""
ROUTED_APPS: Final = frozenset({"registry", "auth", "account", "contenttypes"})
"""What strangers are shown; sessions, limits, tasks and the cache are the primary's."""

reading_alias: ContextVar[str] = ContextVar("reading_alias", default=DEFAULT_DB_ALIAS)


def find_reading_alias() -> str:
    """Return the database that is read from here and now: the primary, unless a stranger asks.

    Within a transaction it is the primary, since what is read there is about to be written.
    """
    alias = reading_alias.get()
    if alias != DEFAULT_DB_ALIAS and connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return DEFAULT_DB_ALIAS
    return alias


@contextmanager
def reading_from(alias: str) -> Iterator[None]:
    """Have everything that is read in this block, by this thread, be read from one database."""
    token = reading_alias.set(alias)
    try:
        yield
    finally:
        reading_alias.reset(token)


class ReplicaRouter:
    """Tells Django which database a query goes to; writes go to the primary, whoever writes."""

    def db_for_read(self, model: type[Any], **hints: Any) -> str:
        """Return the database that rows of `model` are read from."""
        return find_reading_alias() if model._meta.app_label in ROUTED_APPS else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Any], **hints: Any) -> str:
        """Return the primary."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        """Say that rows of any two may belong together: they are copies of one database."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Whether tables are made there: the primary's come to the others by themselves."""
        return db == DEFAULT_DB_ALIAS


class ReplicaChoice:
    """Chooses where a stranger is read from. Processes that were forked share what they answered.

    A replica is as far behind as its version of the registry is: by the time that has gone since
    the primary had a later one. Every public change raises the version, so that a replica without
    a connection to its primary is as good as any until something happens.
    """

    def __init__(self, aliases: Sequence[str]) -> None:
        self.aliases = list(aliases)
        self.lock = Lock()
        self.turns = count()
        self.answered: Any = Value("q", 0)
        self.resting_until: dict[str, float] = {}
        # When the primary had which version at the earliest; and when it is asked next.
        self.known: list[tuple[float, int]] = []
        self.looked_at = 0.0

    def choose(self, ask: AskVersion) -> tuple[str, int]:
        """Return where a stranger is read from, and the version there.

        Raises what the primary says where no replica is fit and the primary cannot be asked.
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
            # It may have had this version ever since it was last looked at.
            if not self.known or version > self.known[-1][1]:
                self.known.append((before, version))
            due = [each for each in self.known if each[0] <= now - MAX_REPLICA_DELAY]
            self.known = due[-1:] + self.known[len(due) :]

    def find_least_version(self) -> int:
        """Return the version that a replica has to have: what strangers saw, or had time to."""
        latest = time.monotonic() - MAX_REPLICA_DELAY
        with self.lock:
            ripe = [version for since, version in self.known if since <= latest]
        return max([int(self.answered.value), *ripe])

    def ask_resting(self, ask: AskVersion, alias: str) -> int | None:
        """Return the version there; none where it does not answer, or did not a moment ago."""
        if time.monotonic() < self.resting_until.get(alias, 0.0):
            return None
        try:
            return ask(alias)
        except Error:
            self.resting_until[alias] = time.monotonic() + REST_SECONDS
            return None

    def note_answered(self, version: int) -> None:
        """Take down from which version somebody is answered, so that nobody gets an older one."""
        with self.answered.get_lock():
            self.answered.value = max(self.answered.value, version)

    def note_primary(self, ask: AskVersion) -> None:
        """Take down that somebody is answered from the primary, as it is now."""
        if self.aliases and (version := self.ask_resting(ask, DEFAULT_DB_ALIAS)) is not None:
            self.note_answered(version)

    def is_any_answering(self) -> bool:
        """Whether strangers may be read from a replica: one is listed that did not just fail."""
        now = time.monotonic()
        return any(self.resting_until.get(alias, 0.0) <= now for alias in self.aliases)

    def have_replayed(self, number: int, ask: AskVersion) -> bool:
        """Whether every replica that answers has come to a number of one counter."""
        found = [self.ask_resting(ask, alias) for alias in self.aliases]
        return all(each is None or each >= number for each in found)


replicas = ReplicaChoice(settings.REGISTRY_REPLICAS)

"""How far each streaming replica lags behind its primary, and whether anonymous readers use it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections

from registry.models import Event
from registry.replicas import MAX_REPLICA_DELAY, replicas
from registry.selectors.registry_version import ask_last_line, ask_registry_version

# Only what any role may ask of its own server: of the receiver, roles that do not monitor see only
# that there is one.
STANDBY_SQL: Final = """
    SELECT pg_is_in_recovery(),
           EXISTS (SELECT FROM pg_stat_wal_receiver),
           EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float
"""
READ_ONLY_SQL: Final = "SELECT current_setting('transaction_read_only') = 'on'"


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """One replica as it is now: with an `error` it does not answer, and nothing else is known.

    `seconds_behind` is None if the primary cannot be asked what it has.
    """

    alias: str
    error: str = ""
    is_standby: bool = False
    is_receiving: bool = False
    is_older_than_answered: bool = False
    seconds_behind: float | None = None

    @property
    def is_used(self) -> bool:
        """Whether this server reads it for anonymous readers now; for a command, a server starting
        now.
        """
        return not (self.error or self.is_late or self.is_older_than_answered)

    @property
    def is_late(self) -> bool:
        """Whether it lags so far behind that every server leaves it out."""
        return self.seconds_behind is not None and self.seconds_behind > MAX_REPLICA_DELAY

    @property
    def is_as_it_should_be(self) -> bool:
        """Whether nobody has to do anything about it; being left out for a moment is normal."""
        return not (self.error or self.is_late) and self.is_standby and self.is_receiving


def list_replica_states(now: datetime.datetime) -> Iterator[ReplicaState]:
    """Yield the replicas in the settings, in order; queries each, and the primary."""
    for alias in settings.REGISTRY_REPLICAS:
        yield read_replica_state(alias, now)


def read_replica_state(alias: str, now: datetime.datetime) -> ReplicaState:
    """Query one replica's state."""
    try:
        version = ask_registry_version(alias)
        line = ask_last_line(alias)
        with connections[alias].cursor() as cursor:
            cursor.execute(STANDBY_SQL)
            is_standby, is_receiving, since_replay = cursor.fetchone()
    except Error as error:
        return ReplicaState(alias, error=" ".join(str(error).split()))
    try:
        seconds = find_seconds_behind(version, line, since_replay or 0.0, now)
    except Error:
        seconds = None
    return ReplicaState(
        alias,
        is_standby=is_standby,
        is_receiving=is_receiving,
        is_older_than_answered=version < replicas.find_least_version(),
        seconds_behind=seconds,
    )


def find_seconds_behind(
    version: int, line: int, since_replay: float, now: datetime.datetime
) -> float:
    """Return for how long the primary has had what a replica lacks; raises the primary's errors.

    That is the age of the first event that is missing there. When a change without an event was
    made is unknown: it came after the last transaction that was replayed.
    """
    if ask_registry_version(DEFAULT_DB_ALIAS) <= version:
        return 0.0
    missing = Event.objects.using(DEFAULT_DB_ALIAS).filter(number__gt=line).order_by("number")
    at = missing.values_list("at", flat=True).first()
    return since_replay if at is None else max((now - at).total_seconds(), 0.0)


def is_primary_read_only() -> bool:
    """Whether the database for writing accepts no writes; raises its errors."""
    primary = connections[DEFAULT_DB_ALIAS]
    if primary.vendor != "postgresql":
        return False
    with primary.cursor() as cursor:
        cursor.execute(READ_ONLY_SQL)
        return bool(cursor.fetchone()[0])

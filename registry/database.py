"""Whether database and shared cache are available: their errors, and waiting for the database."""

from __future__ import annotations

import datetime
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any, Final, TypeVar

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import Error, InterfaceError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

T = TypeVar("T")
logger = logging.getLogger(__name__)

SQLITE_LOCKED: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
SQLITE_UNAVAILABLE: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
POSTGRESQL_LOCKED: Final = frozenset({"40001", "40P01", "55P03", "57014"})
"""Serialization failure, deadlock, lock not available, query canceled."""
POSTGRESQL_TOO_COMPLEX: Final = "54"
"""The class of errors in which the statement itself is at fault."""
POSTGRESQL_READ_ONLY: Final = "25006"
"""A standby's error on writing."""
POSTGRESQL_FULL: Final = "53100"
SQLITE_UNWRITABLE: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY})

MIN_RETRY_PAUSE: Final = 1.0
MAX_RETRY_PAUSE: Final = 30.0
"""Seconds between checks whether the database is back; they double each time."""
MAX_LOCK_WAITERS: Final = 2
"""How many threads of a process wait for SQLite's lock at once: half of those that serve."""
BRIEF_LOCK_MILLISECONDS: Final = 50
"""How long every thread waits: a few writes, which take a millisecond or two each."""
RECOVERY_TIME: Final = datetime.timedelta(seconds=10)
"""After so long without an error the database counts as back."""

lock_waiters = BoundedSemaphore(MAX_LOCK_WAITERS)


class UnfitText(BadRequest, SuspiciousOperation):
    """A text that no column can hold, so none is equal to it: the sender is at fault.

    As a `SuspiciousOperation` it ends a session whose key is such a text, and nothing else.
    """


def check_texts(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Execute a statement, unless one of its parameters is a text that the database rejects.

    PostgreSQL rejects NUL, and both databases reject lone surrogates. Form fields know that; this
    is for lookups by part of an address, a parameter or a cookie.
    """
    for values in params or () if many else [params]:
        if not all(map(is_fit, list_values(values))):
            raise UnfitText("A text holds a character that cannot be in the registry.")
    return execute(sql, params, many, context)


def list_values(params: Any) -> Iterable[Any]:
    """Return the parameters of one statement."""
    if isinstance(params, dict):
        return params.values()
    return params or ()


def is_fit(value: object) -> bool:
    if not isinstance(value, str):
        return True
    if "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def install_wrappers(connection: BaseDatabaseWrapper, **_about: Any) -> None:
    """Wrap all statements on a connection; Django's connections live as long as their thread."""
    wrappers = [check_texts]
    if connection.vendor == "sqlite":
        wrappers.append(limit_lock_waits)
    for wrapper in wrappers:
        if wrapper not in connection.execute_wrappers:
            connection.execute_wrappers.append(wrapper)


def limit_lock_waits(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Execute a statement; have few threads of this process wait for SQLite's lock.

    The others fail after a moment, so that threads are left for readers, who need no lock. A
    transaction takes the lock with its first statement, `BEGIN IMMEDIATE`, and waits for nothing
    later.
    """
    connection = context["connection"]
    if connection.in_atomic_block or sql.startswith(("SELECT", "PRAGMA")):
        return execute(sql, params, many, context)
    try:
        with limiting_lock_wait(connection.connection, BRIEF_LOCK_MILLISECONDS):
            return execute(sql, params, many, context)
    except OperationalError as error:
        if not is_lock_error(error) or not lock_waiters.acquire(blocking=False):
            raise
    try:
        return execute(sql, params, many, context)
    finally:
        lock_waiters.release()


@contextmanager
def limiting_lock_wait(sqlite: sqlite3.Connection, milliseconds: int) -> Iterator[None]:
    """Have statements of the block fail if others hold SQLite's lock for longer than this."""
    [[usual]] = sqlite.execute("PRAGMA busy_timeout")
    sqlite.execute(f"PRAGMA busy_timeout = {min(milliseconds, usual)}")
    try:
        yield
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {usual}")


def is_lock_error(error: BaseException | None) -> bool:
    """Whether others held a lock for too long, so that trying again will help."""
    if not isinstance(error, Error):
        return False
    return find_sqlite_code(error) in SQLITE_LOCKED or find_sqlstate(error) in POSTGRESQL_LOCKED


def is_database_unavailable(error: BaseException | None) -> bool:
    """Whether the database is away, shut down, full or read-only: the fault is not ours."""
    if not isinstance(error, Error) or is_lock_error(error):
        return False
    if connection.vendor == "sqlite":
        return find_sqlite_code(error) in SQLITE_UNAVAILABLE
    state = find_sqlstate(error)
    if isinstance(error, OperationalError):
        return not (state or "").startswith(POSTGRESQL_TOO_COMPLEX)
    return state == POSTGRESQL_READ_ONLY or isinstance(error, InterfaceError)


def is_writing_refused(error: BaseException | None) -> bool:
    """Whether the database can be read but not written: its disk is full, or it is a standby."""
    if not isinstance(error, Error):
        return False
    return find_sqlite_code(error) in SQLITE_UNWRITABLE or find_sqlstate(error) in {
        POSTGRESQL_FULL,
        POSTGRESQL_READ_ONLY,
    }


def is_read_only(error: BaseException | None) -> bool:
    """Whether the server is a standby, or was set to read-only: writing happens elsewhere."""
    return isinstance(error, Error) and find_sqlstate(error) == POSTGRESQL_READ_ONLY


@contextmanager
def left_out_if_read_only() -> Iterator[None]:
    """Let a block record something incidental, which is skipped while nothing can be written.

    Readers of a read-only server are served without it. The block may do nothing else, and must be
    outside of transactions, which its error would end.
    """
    try:
        yield
    except Error as error:
        if not is_writing_refused(error):
            raise


def is_cache_unavailable(error: BaseException | None) -> bool:
    """Whether the Redis or Valkey server, if that is the shared cache, failed.

    Its client is only imported if there is one, so its errors are recognised by their module.
    """
    return any(each.__module__ == "redis.exceptions" for each in type(error).__mro__)


def find_sqlite_code(error: BaseException) -> int | None:
    """Return the primary result code of SQLite, or None for other errors."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    # The lowest octet is the primary code, the others are details.
    return None if code is None else int(code) & 0xFF


def find_sqlstate(error: BaseException) -> str | None:
    """Return the five characters with which PostgreSQL identifies an error."""
    state: str | None = getattr(error.__cause__, "sqlstate", None)
    return state


def forbid_database_creation() -> None:
    """Make this process only open an existing SQLite database, never create one.

    SQLite creates a missing file. If the database was moved away, an empty one without tables would
    take its place, and its journal would interfere when the real one is put back.
    """
    known = connections["default"].settings_dict
    name = str(known["NAME"])
    if connection.vendor == "sqlite" and not name.startswith((":", "file:")):
        known["NAME"] = f"{Path(name).absolute().as_uri()}?mode=rw"


class Outage:
    """An outage, by default of the database: the log gets one line at its start, one at its end.

    Each process has its own. `begun` and `ended` are these lines. If nothing tells the end of an
    outage, it `ends_in_silence`: an error after a while without any begins another.
    """

    def __init__(
        self,
        begun: str = "The database cannot be asked: %s",
        ended: str = "The database answers again. Errors since %s: %d.",
        *,
        level: int = logging.ERROR,
        ends_in_silence: bool = False,
    ) -> None:
        self.begun, self.ended, self.level = begun, ended, level
        self.ends_in_silence = ends_in_silence
        self.since: datetime.datetime | None = None
        self.latest: datetime.datetime | None = None
        self.errors = 0
        self.lock = Lock()

    def record_error(self, error: BaseException) -> None:
        """Record an error; the first of an outage is logged."""
        if self.ends_in_silence:
            self.record_answer()
        with self.lock:
            now = timezone.now()
            is_first, self.latest = self.since is None, now
            self.since, self.errors = self.since or now, self.errors + 1
        if is_first:
            logger.log(self.level, self.begun, " ".join(str(error).split()))

    def record_answer(self) -> None:
        """Record that the database answers; if it does so for a while the outage is over.

        Otherwise a read-only database would end the outage with every other request.
        """
        if self.latest is not None and timezone.now() - self.latest >= RECOVERY_TIME:
            self.end()

    def end(self) -> None:
        """Log that the outage is over, if there was one."""
        with self.lock:
            since, errors = self.since, self.errors
            self.since, self.latest, self.errors = None, None, 0
        if since is not None:
            logger.warning(self.ended, since.isoformat(timespec="seconds"), errors)


outage = Outage()
lock_outage = Outage(
    "The database was locked for too long: %s",
    "Nobody has waited in vain for a locked database for a while. Errors since %s: %d.",
    level=logging.WARNING,
    ends_in_silence=True,
)
cache_outage = Outage(
    "The shared cache cannot be asked: %s",
    "The shared cache has caused no error for a while. Errors since %s: %d.",
    ends_in_silence=True,
)


class OutageFilter(logging.Filter):
    """Drops Django's log records for requests that failed only because of database or cache."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record."""
        error = record.exc_info[1] if record.exc_info else None
        of_request = record.name == "django.request"
        is_outage = (
            is_database_unavailable(error) or is_lock_error(error) or is_cache_unavailable(error)
        )
        return not (of_request and is_outage)


def ping_database() -> None:
    """Make the database read something; raise its error."""
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        connection.introspection.table_names(cursor)


def probe_writing() -> None:
    """Have the database take a write that changes nothing; raise its error."""
    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            # A read-only server refuses this although there is no such row.
            cursor.execute("UPDATE registry_cache SET expires = expires WHERE cache_key = ''")
            return
        [[version]] = cursor.execute("PRAGMA user_version").fetchall()
        # Whoever holds the lock is writing, so there is no need to wait for it.
        with limiting_lock_wait(connection.connection, 0):
            cursor.execute(f"PRAGMA user_version = {version}")


@cache
def list_shipped_migrations() -> tuple[tuple[str, str, frozenset[tuple[str, str]]], ...]:
    """Return application and name of each migration of this version, and what it replaces."""
    shipped = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return tuple(
        (app, name, frozenset((each[0], each[1]) for each in migration.replaces))
        for (app, name), migration in sorted(shipped.items())
    )


def list_pending_migrations() -> list[str]:
    """Return the migrations that the database lacks; raise its error.

    This is a single query, so that it can be done every few seconds.
    """
    made = set(MigrationRecorder(connection).applied_migrations())
    return [
        f"{app}.{name}"
        for app, name, replaced in list_shipped_migrations()
        if (app, name) not in made and not (replaced and replaced <= made)
    ]


def retry_until_available(act: Callable[[], T], patience: float | None = None) -> T:
    """Return what `act` returns; if the database goes away or is locked, wait and try again.

    If it stays away for longer than `patience` seconds, the error is raised.
    """
    while True:
        try:
            return act()
        except Error as error:
            if not (is_database_unavailable(error) or is_lock_error(error)):
                raise
            wait_for_database(error, patience)


def wait_for_database(error: Error, patience: float | None) -> None:
    """Wait until the database answers; raise `error` if it does not for too long."""
    give_up = None if patience is None else time.monotonic() + patience
    pause = MIN_RETRY_PAUSE
    while True:
        if not is_lock_error(error):
            outage.record_error(error)
        connection.close()
        if give_up is not None and time.monotonic() + pause > give_up:
            raise error
        time.sleep(pause)
        try:
            ping_database()
        except Error as other:
            if not (is_database_unavailable(other) or is_lock_error(other)):
                raise
            error, pause = other, min(pause * 2, MAX_RETRY_PAUSE)
        else:
            outage.end()
            return

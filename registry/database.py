"""Whether the database can be asked: what its errors mean, and waiting until it answers again."""

from __future__ import annotations

import datetime
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
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
"""The class of errors in which the question itself is at fault."""
POSTGRESQL_READ_ONLY: Final = "25006"
"""What a standby says to whoever writes."""
POSTGRESQL_FULL: Final = "53100"
SQLITE_UNWRITABLE: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY})

MIN_RETRY_PAUSE: Final = 1.0
MAX_RETRY_PAUSE: Final = 30.0
"""Seconds from one look whether the database is back to the next; they double in between."""
RECOVERY_TIME: Final = datetime.timedelta(seconds=10)
"""After so long without an error the database counts as back."""


class UnfitText(BadRequest, SuspiciousOperation):
    """A text that no column can hold, so that none is equal to it: whoever sent it is at fault.

    As `SuspiciousOperation` it ends a session whose name is such a text, and nothing else.
    """


def check_texts(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Have a statement executed, unless it is given a text that the database cannot take.

    PostgreSQL refuses NUL, and neither database takes half of a surrogate pair. Fields of forms
    know that; what is looked up by a part of an address, a parameter or a cookie comes by here.
    """
    for values in params or () if many else [params]:
        if not all(map(is_fit, list_values(values))):
            raise UnfitText("A text holds a character that cannot be in the registry.")
    return execute(sql, params, many, context)


def list_values(params: Any) -> Iterable[Any]:
    """Return what is put into one statement."""
    if isinstance(params, dict):
        return params.values()
    return params or ()


def is_fit(value: object) -> bool:
    """Whether a column can hold it."""
    if not isinstance(value, str):
        return True
    if "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def install_check(connection: BaseDatabaseWrapper, **_about: Any) -> None:
    """Have what is executed on a connection checked; those of Django live as long as a thread."""
    if check_texts not in connection.execute_wrappers:
        connection.execute_wrappers.append(check_texts)


def is_lock_error(error: BaseException | None) -> bool:
    """Whether others held what was needed for longer than one waits: asking again will do."""
    if not isinstance(error, Error):
        return False
    return find_sqlite_code(error) in SQLITE_LOCKED or find_sqlstate(error) in POSTGRESQL_LOCKED


def is_database_unavailable(error: BaseException | None) -> bool:
    """Whether the database is away, shut, full or not to be written: nothing of ours is wrong."""
    if not isinstance(error, Error) or is_lock_error(error):
        return False
    if connection.vendor == "sqlite":
        return find_sqlite_code(error) in SQLITE_UNAVAILABLE
    state = find_sqlstate(error)
    if isinstance(error, OperationalError):
        return not (state or "").startswith(POSTGRESQL_TOO_COMPLEX)
    return state == POSTGRESQL_READ_ONLY or isinstance(error, InterfaceError)


def is_writing_refused(error: BaseException | None) -> bool:
    """Whether the database can be read and not be written: its disk is full, or it is a standby."""
    if not isinstance(error, Error):
        return False
    return find_sqlite_code(error) in SQLITE_UNWRITABLE or find_sqlstate(error) in {
        POSTGRESQL_FULL,
        POSTGRESQL_READ_ONLY,
    }


def is_read_only(error: BaseException | None) -> bool:
    """Whether the server is a standby, or was told to take no writing: that is done elsewhere."""
    return isinstance(error, Error) and find_sqlstate(error) == POSTGRESQL_READ_ONLY


@contextmanager
def left_out_if_read_only() -> Iterator[None]:
    """Have a block note what is of use beside what was asked for, where anything can be written.

    Readers of a server that cannot be written to are served without it. Nothing else may be done in
    the block, and it stands in no transaction, which its error would end.
    """
    try:
        yield
    except Error as error:
        if not is_writing_refused(error):
            raise


def find_sqlite_code(error: BaseException) -> int | None:
    """Return the primary result code of SQLite, none where the error is not one of its own."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    # The lowest octet is the primary code, what stands above it says more.
    return None if code is None else int(code) & 0xFF


def find_sqlstate(error: BaseException) -> str | None:
    """Return the five characters by which PostgreSQL names an error."""
    state: str | None = getattr(error.__cause__, "sqlstate", None)
    return state


def forbid_database_creation() -> None:
    """Have this process open the SQLite database that there is, and never make an empty one.

    SQLite makes one where it finds none. Behind a database that was moved away it would be asked
    for tables that it has not, and lie in the way, with a journal of its own, of what is put back.
    """
    known = connections["default"].settings_dict
    name = str(known["NAME"])
    if connection.vendor == "sqlite" and not name.startswith((":", "file:")):
        known["NAME"] = f"{Path(name).absolute().as_uri()}?mode=rw"


class Outage:
    """A time in which the database cannot be asked: one line in the log says so, one that it ends.

    Each process has its own.
    """

    def __init__(self) -> None:
        self.since: datetime.datetime | None = None
        self.latest: datetime.datetime | None = None
        self.errors = 0
        self.lock = Lock()

    def record_error(self, error: BaseException) -> None:
        """Take down an error; the first of an outage is logged."""
        with self.lock:
            now = timezone.now()
            is_first, self.latest = self.since is None, now
            self.since, self.errors = self.since or now, self.errors + 1
        if is_first:
            logger.error("The database cannot be asked: %s", " ".join(str(error).split()))

    def record_answer(self) -> None:
        """Take down that the database answers; once it does so for a while the outage is over.

        A database that can be read and not be written would have one end with every other request.
        """
        if self.latest is not None and timezone.now() - self.latest >= RECOVERY_TIME:
            self.end()

    def end(self) -> None:
        """Log that the outage is over, if there was one."""
        with self.lock:
            since, errors = self.since, self.errors
            self.since, self.latest, self.errors = None, None, 0
        if since is not None:
            logger.warning(
                "The database answers again. Errors since %s: %d.",
                since.isoformat(timespec="seconds"),
                errors,
            )


outage = Outage()


class OutageFilter(logging.Filter):
    """Leaves out what Django says of each request that failed for the database alone."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is worth logging."""
        error = record.exc_info[1] if record.exc_info else None
        of_request = record.name == "django.request"
        return not (of_request and (is_database_unavailable(error) or is_lock_error(error)))


def ping_database() -> None:
    """Ask the database for something that it has to read; raise what it says."""
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        connection.introspection.table_names(cursor)


@cache
def list_shipped_migrations() -> tuple[tuple[str, str, frozenset[tuple[str, str]]], ...]:
    """Return application and name of each migration that this version has, and what it replaces."""
    shipped = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return tuple(
        (app, name, frozenset((each[0], each[1]) for each in migration.replaces))
        for (app, name), migration in sorted(shipped.items())
    )


def list_pending_migrations() -> list[str]:
    """Return the migrations that the database has not had; raise what it says.

    It is asked one thing, so that this can be done every few seconds.
    """
    made = set(MigrationRecorder(connection).applied_migrations())
    return [
        f"{app}.{name}"
        for app, name, replaced in list_shipped_migrations()
        if (app, name) not in made and not (replaced and replaced <= made)
    ]


def retry_until_available(act: Callable[[], T], patience: float | None = None) -> T:
    """Return what `act` returns; where the database goes away or is locked, wait and act again.

    With `patience` the error is raised once it has been away for so many seconds.
    """
    while True:
        try:
            return act()
        except Error as error:
            if not (is_database_unavailable(error) or is_lock_error(error)):
                raise
            wait_for_database(error, patience)


def wait_for_database(error: Error, patience: float | None) -> None:
    """Wait until the database answers; raise `error` where it does not for too long."""
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

"""On PostgreSQL one machine builds the log: another is refused until the first has ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper
from pytest_django import DjangoAssertNumQueries, Settings

from registry import database, journal
from registry.journal import log_worker
from registry.journal.log_worker import LogRefused, claim_database_lock, hold_lock
from registry.management.commands import build_log
from tests.live import databases

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server."""
    with databases.postgresql() as url:
        yield url


class Machine:
    """A machine with its own disk and connection."""

    def __init__(self, url: str, disk: Path, settings: Settings, patch: pytest.MonkeyPatch) -> None:
        self.connection: DatabaseWrapper = databases.build_wrapper(url)
        self.connection.inc_thread_sharing()
        self.disk, self.settings, self.patch = disk, settings, patch

    def work(self) -> None:
        """Let the block happen on this machine."""
        self.settings.REGISTRY_LOG_HEAD = self.disk / "log-head"
        for module in (log_worker, build_log, database):
            self.patch.setattr(module, "connection", self.connection)

    def ask(self, statement: str) -> int:
        """Return the number that the database returns."""
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return int(cursor.fetchone()[0])


@pytest.fixture
def machines(
    server: str, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Machine]]:
    """Two machines with one database."""
    made = [Machine(server, tmp_path / name, settings, monkeypatch) for name in ("a", "b")]
    yield made
    for machine in made:
        machine.connection.close()


def test_second_machine_is_refused_until_the_first_has_ended(machines: list[Machine]) -> None:
    first, second = machines
    first.work()
    with hold_lock():
        claim_database_lock()  # As each build does.
        second.work()
        with pytest.raises(LogRefused, match="on another machine"), hold_lock():
            pass
        first.work()

    second.work()
    with hold_lock():
        locks = second.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")

    assert locks == 1


def test_machine_without_its_connection_signs_nothing_beside_its_successor(
    machines: list[Machine],
) -> None:
    first, second = machines
    first.work()
    with hold_lock():
        end_connection(first, second)
        second.work()
        with hold_lock():
            first.work()
            with pytest.raises(OperationalError):
                claim_database_lock()
            first.connection.close_if_unusable_or_obsolete()
            with pytest.raises(LogRefused, match="on another machine"):
                claim_database_lock()
            second.work()
        first.work()


def test_command_asks_anew_after_the_connection_was_lost(
    machines: list[Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = machines
    first.work()
    answers: list[int] = []
    rounds = iter(range(3))

    def find_log() -> None:
        answers.append(first.ask("SELECT 1"))

    def wait(seconds: float) -> None:
        if next(rounds) == 0:
            end_connection(first, second)
        if len(answers) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(journal, "find_log", find_log)
    monkeypatch.setattr(time, "sleep", wait)
    with pytest.raises(KeyboardInterrupt):
        build_log.Command().build_repeatedly(1)

    assert answers == [1, 1]


def end_connection(machine: Machine, other: Machine) -> None:
    """Let the server end a machine's connection."""
    number = machine.ask("SELECT pg_backend_pid()")
    assert other.ask(f"SELECT pg_terminate_backend({number}, 5000)::int") == 1


def test_sqlite_lock_is_that_of_the_file(
    tmp_path: Path, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.REGISTRY_LOG_HEAD = tmp_path / "log-head"
    if connection.vendor != "sqlite":
        pytest.skip("The tests run on another database.")

    refused = pytest.raises(LogRefused, match="process")
    with django_assert_num_queries(0), hold_lock(), refused, hold_lock():
        pass

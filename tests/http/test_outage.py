"""Responses if the database is unavailable, locked, or given invalid texts."""

from __future__ import annotations

import datetime
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from threading import BoundedSemaphore, Thread, Timer

import pytest
import time_machine
from django.db import Error, OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import database
from registry.models import Message, RegistrationRequest, User
from registry.selectors import registry_version
from tests.api.clients import Program

pytestmark = pytest.mark.django_db(transaction=True)


def error_of(path: Path, statement: str) -> Error:
    """Return the error that Django makes of SQLite's."""
    with (
        pytest.raises(Error) as raised,
        connection.wrap_database_errors,
        closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as other,
    ):
        other.execute(statement)
    return raised.value


@contextmanager
def database_missing() -> Iterator[None]:
    """Move the database away."""
    connection.close()
    here = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = f"{Path(here).as_uri()}.missing?mode=rw"
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = here


@contextmanager
def database_locked() -> Iterator[None]:
    """Let somebody else write for longer than the registry waits here."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
    connection.close()


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> database.Outage:
    """An outage that has not begun."""
    made = database.Outage()
    for module in ("registry.database", "registry.http.cache", "registry.web.errors"):
        monkeypatch.setattr(f"{module}.outage", made)
    return made


def test_few_threads_wait_for_a_lock_and_the_others_fail_soon(
    monkeypatch: pytest.MonkeyPatch, outsider: User
) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 60)
    waiters = BoundedSemaphore(database.MAX_LOCK_WAITERS)
    monkeypatch.setattr(database, "lock_waiters", waiters)
    outcomes: Queue[str] = Queue()

    def write(number: int) -> None:
        try:
            with transaction.atomic():
                User.objects.filter(pk=outsider.pk).update(name=f"Name {number}")
        except OperationalError as error:
            outcomes.put("locked" if database.is_lock_error(error) else str(error))
        else:
            outcomes.put("saved")
        finally:
            connection.close()

    writers = [Thread(target=write, args=(number,)) for number in range(5)]
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for writer in writers:
            writer.start()
        soon = [outcomes.get(timeout=50) for _writer in range(3)]
        name = User.objects.get(pk=outsider.pk).name
        other.execute("ROLLBACK")
    for writer in writers:
        writer.join()

    assert soon == ["locked"] * 3
    assert [outcomes.get_nowait() for _writer in range(2)] == ["saved"] * 2
    assert name == outsider.name


def test_write_gets_a_lock_that_is_free_in_a_moment_although_others_wait_longer(
    monkeypatch: pytest.MonkeyPatch, outsider: User
) -> None:
    waiters = BoundedSemaphore(1)
    waiters.acquire()
    monkeypatch.setattr(database, "lock_waiters", waiters)
    # A busy machine may take longer than usual.
    monkeypatch.setattr(database, "BRIEF_LOCK_MILLISECONDS", 60_000)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 60)
    connection.close()
    path = connection.settings_dict["NAME"]

    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        end = Timer(0.05, other.execute, ["ROLLBACK"])
        end.start()
        User.objects.filter(pk=outsider.pk).update(name="Saved After All")
        end.join()

    assert User.objects.get(pk=outsider.pk).name == "Saved After All"
    connection.close()


def test_page_says_that_nothing_was_saved_while_the_database_is_locked(
    in_review: RegistrationRequest, outsider: User
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(outsider)

    with database_locked():
        answer = client.post(f"{in_review.get_absolute_url()}comment/", {"text": "Words."})

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["Cache-Control"] == "no-store"
    assert b"What you just sent was not saved." in answer.content
    assert not Message.objects.exists()


def test_program_is_told_when_to_ask_again_while_the_database_is_locked(
    in_review: RegistrationRequest, outsider: User
) -> None:
    program = Program.of(outsider)
    program.client.raise_request_exception = False

    with database_locked():
        answer = program.post(f"{in_review.reference}/messages/", {"text": "Words."})

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == 503
    assert not Message.objects.exists()


def test_log_has_one_line_however_many_met_a_locked_database_and_one_when_that_is_over(
    in_review: RegistrationRequest,
    outsider: User,
    caplog: pytest.LogCaptureFixture,
    settings: Settings,
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    program = Program.of(outsider)
    program.client.raise_request_exception = False
    start = timezone.now()

    with database_locked():
        for number in range(3):
            program.post(f"{in_review.reference}/messages/", {"text": f"Words {number}."})
        lines = list_lines(caplog)
        with time_machine.travel(start + datetime.timedelta(seconds=60), tick=False):
            program.post(f"{in_review.reference}/messages/", {"text": "Late."})
    with time_machine.travel(start + datetime.timedelta(seconds=120), tick=False):
        Client().get("/namespaces/")

    locked = "WARNING The database was locked for too long: database is locked"
    over = "WARNING Nobody has waited in vain for a locked database for a while. Errors"
    assert lines == [locked]
    assert [line.partition(" since")[0] for line in list_lines(caplog)] == [
        locked,
        over,
        locked,
        over,
    ]


def list_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the lines of the log, without those that the settings leave out."""
    passed = filter(database.OutageFilter().filter, caplog.records)
    return [f"{line.levelname} {line.getMessage()}" for line in passed]


def test_reading_goes_on_while_the_database_is_locked(in_review: RegistrationRequest) -> None:
    with database_locked():
        answer = Client().get(in_review.get_absolute_url())

    assert answer.status_code == 200


@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (0, 503)])
def test_stale_page_is_given_for_a_limited_time(
    settings: Settings, outage: database.Outage, seconds: int, status: int
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    settings.REGISTRY_STALE_IF_ERROR_SECONDS = seconds
    client = Client(raise_request_exception=False)
    known = client.get("/namespaces/")

    with database_missing():
        answer = client.get("/namespaces/")
        unknown = client.get("/requests/")

    assert answer.status_code == status
    assert (answer.content == known.content) is (status == 200)
    assert unknown.status_code == 503
    assert outage.since is not None


def test_page_that_asks_nothing_is_made_without_the_database_and_not_kept(
    settings: Settings, outage: database.Outage
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    client = Client(raise_request_exception=False)

    with database_missing():
        answers = [client.get("/robots.txt"), client.get("/robots.txt")]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert {answer.headers["Cache-Control"] for answer in answers} == {"private"}
    assert outage.errors == 2


def test_question_that_makes_no_sense_is_our_own_fault(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, outage: database.Outage
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    monkeypatch.setattr(
        registry_version, "VERSION_SQL", "SELECT value FROM nowhere WHERE name IN (%s, %s)"
    )

    answer = Client(raise_request_exception=False).get("/namespaces/")

    assert answer.status_code == 500
    assert outage.since is None


def test_file_that_is_no_database_or_cannot_be_opened_is_an_outage(tmp_path: Path) -> None:
    garbled = tmp_path / "garbled"
    garbled.write_bytes(b"Not a database. " * 1_000)

    errors = [
        error_of(garbled, "PRAGMA journal_mode=WAL"),
        error_of(tmp_path / "missing", "SELECT 1"),
    ]

    assert [database.is_database_unavailable(error) for error in errors] == [True, True]
    assert not (tmp_path / "missing").exists()


def test_log_has_one_line_of_an_outage_and_one_of_its_end(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    outage, error = database.Outage(), error_of(tmp_path / "missing", "SELECT 1")
    start = timezone.now()

    for seconds in range(100):
        with time_machine.travel(start + datetime.timedelta(seconds=seconds), tick=False):
            outage.record_error(error)
            # What was read in between, by somebody whose connection still worked.
            outage.record_answer()
    with time_machine.travel(start + datetime.timedelta(seconds=110), tick=False):
        outage.record_answer()
        outage.record_answer()

    assert [line.levelname for line in caplog.records] == ["ERROR", "WARNING"]
    assert str(error) in caplog.messages[0]
    assert caplog.messages[1].endswith(f"Errors since {start.isoformat(timespec='seconds')}: 100.")


def test_log_leaves_out_what_django_says_of_an_outage_and_of_nothing_else(
    tmp_path: Path,
) -> None:
    def is_logged(name: str, error: Exception) -> bool:
        found = (type(error), error, None)
        line = logging.LogRecord(name, logging.ERROR, __file__, 1, "Error", (), found)
        return database.OutageFilter().filter(line)

    away, wrong = error_of(tmp_path / "missing", "SELECT 1"), ValueError("No number.")

    assert not is_logged("django.request", away)
    assert is_logged("django.request", wrong)
    assert is_logged("registry.scheduler", away)


def test_process_that_serves_makes_no_database_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    path = tmp_path / "a b%20c.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(path))

    database.forbid_database_creation()

    with pytest.raises(OperationalError, match="unable to open"):
        database.ping_database()
    assert list(tmp_path.iterdir()) == []
    path.touch()
    database.ping_database()
    connection.close()

"""Health for supervisors, and status for the operator."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import journal
from registry.background import find_last_tick, note_tick
from registry.database import list_pending_migrations
from registry.journal.log_worker import build_log
from registry.models import Letter, RegistrationRequest, User
from registry.replicas import ReplicaChoice
from registry.selectors.service_status import HEAD_LAG, StatusLine, read_service_status
from tests.http.test_outage import database_locked, database_missing


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def lines(now: datetime.datetime | None = None) -> dict[str, StatusLine]:
    return {each.name: each for each in read_service_status(now)}


def add_task(**columns: Any) -> DBTaskResult[Any, Any]:
    """Add a task that was queued an hour ago."""
    an_hour_ago = timezone.now() - datetime.timedelta(hours=1)
    given: dict[str, Any] = {
        "args_kwargs": {},
        "run_after": an_hour_ago,
        "task_path": "a.task",
    } | columns
    made: DBTaskResult[Any, Any] = DBTaskResult.objects.create(backend_name="default", **given)
    DBTaskResult.objects.filter(pk=made.pk).update(enqueued_at=an_hour_ago)
    return made


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "word"), [("live", "live\n"), ("ready", "ready\n")])
def test_health_is_said_by_any_host_name_without_tls_and_kept_by_nobody(
    settings: Settings, path: str, word: str
) -> None:
    settings.ALLOWED_HOSTS = ["urn.example"]
    settings.SECURE_SSL_REDIRECT = True

    answer = Client().get(f"/health/{path}", headers={"host": "10.0.0.7:8000"})

    assert (answer.status_code, answer.text) == (200, word)
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies


@pytest.mark.django_db
def test_other_addresses_keep_to_the_rules_of_host_and_tls(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["urn.example"]
    settings.SECURE_SSL_REDIRECT = True

    there = Client().get("/health/", headers={"host": "urn.example"})
    elsewhere = Client().get("/about/", headers={"host": "10.0.0.7:8000"})

    assert (there.status_code, elsewhere.status_code) == (301, 400)


def test_nobody_posts_to_health() -> None:
    answer = Client().post("/health/live")

    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.django_db
def test_database_without_all_its_tables_is_not_ready_and_says_which() -> None:
    MigrationRecorder(connection).record_unapplied("registry", "0001_initial")

    answer, status = Client().get("/health/ready"), lines()

    assert (answer.status_code, answer.text) == (503, "migrations pending\n")
    assert list(status) == ["database", "migrations"]
    assert status["migrations"].is_wrong
    assert "registry.0001_initial" in status["migrations"].text


@pytest.mark.django_db
def test_tables_of_the_tests_lack_no_migration() -> None:
    assert list_pending_migrations() == []


@pytest.mark.django_db(transaction=True)
def test_process_is_ready_while_somebody_else_writes() -> None:
    with database_locked():
        answer = Client().get("/health/ready")

    assert (answer.status_code, answer.text) == (200, "ready\n")


@pytest.mark.django_db(transaction=True)
def test_process_without_database_and_memory_lives_unready() -> None:
    with database_missing():
        live, ready, status = Client().get("/health/live"), Client().get("/health/ready"), lines()

    assert live.status_code == 200
    assert (ready.status_code, ready.text) == (503, "database unavailable\n")
    assert [each.is_wrong for each in status.values()] == [True]
    assert status["database"].text.startswith("cannot be asked: ")


def test_liveness_asks_no_database_with_replicas_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    choice = ReplicaChoice(["replica_1"])
    monkeypatch.setattr("registry.selectors.registry_version.replicas", choice)
    monkeypatch.setattr("registry.selectors.registry_version.ask_registry_version", asked.append)

    live = Client().get("/health/live")

    assert (live.status_code, live.text) == (200, "live\n")
    assert asked == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "seconds", "told"),
    [
        ("/namespaces/", 60, (200, "ready, from memory\n")),
        ("/namespaces/", 0, (503, "database unavailable\n")),
        ("/health/live", 60, (503, "database unavailable\n")),
    ],
    ids=["remembered", "too long ago", "nothing remembered"],
)
def test_process_without_a_database_is_ready_while_memory_lasts(
    settings: Settings, path: str, seconds: int, told: tuple[int, str]
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    settings.REGISTRY_STALE_IF_ERROR_SECONDS = seconds
    client = Client(raise_request_exception=False)
    client.get(path)

    with database_missing():
        ready, page = client.get("/health/ready"), client.get(path)

    assert (ready.status_code, ready.text) == told
    assert page.status_code == ready.status_code or path == "/health/live"


@pytest.mark.django_db(transaction=True)
def test_outdated_memory_makes_no_process_ready(
    settings: Settings, in_review: RegistrationRequest, registrar: User
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    client = Client(raise_request_exception=False)
    client.get("/namespaces/")
    with transaction.atomic():
        journal.append(in_review, actor=registrar, verb="note", comment="One line more.")
    client.get("/api/v1/namespaces/unknown-to-all/")

    with database_missing():
        page, ready = client.get("/namespaces/"), client.get("/health/ready")

    assert (page.status_code, ready.status_code) == (503, 503)


@pytest.mark.django_db
def test_registry_that_is_well_served_passes_and_prints_the_head(
    in_review: RegistrationRequest,
) -> None:
    note_tick()
    build_log()
    said = io.StringIO()

    call_command("status", stdout=said)

    assert f"head {journal.find_head()} signed 20" in said.getvalue()
    assert "!" not in said.getvalue()


@pytest.mark.django_db
def test_line_that_nobody_signs_for_minutes_tells_on_the_log(
    in_review: RegistrationRequest,
) -> None:
    last = in_review.events.latest("number")
    fresh, late = (lines(last.at + HEAD_LAG * share)["journal"] for share in (0.5, 1.5))

    build_log()
    signed = lines(last.at + HEAD_LAG * 1.5)["journal"]

    assert [each.is_wrong for each in (fresh, late, signed)] == [False, True, False]
    assert late.text.startswith(f"line {last.number}, ")


@pytest.mark.django_db
def test_status_costs_the_same_however_long_the_journal_is(
    in_review: RegistrationRequest, registrar: User
) -> None:
    build_log()
    with CaptureQueriesContext(connection) as short:
        lines()
    for number in range(30):
        with transaction.atomic():
            journal.append(in_review, actor=registrar, verb="note", comment=str(number))

    with CaptureQueriesContext(connection) as long:
        lines()

    assert len(long) == len(short)
    assert [each["sql"] for each in long if is_unbounded_read(each["sql"])] == []


def is_unbounded_read(sql: str) -> bool:
    """Whether a statement reads events of the journal without a limit."""
    return 'FROM "registry_event"' in sql and "LIMIT 1" not in sql


@pytest.mark.django_db
def test_clock_is_missed_until_it_is_called_and_an_hour_after() -> None:
    never = lines()["clock"]
    call_command("tick", stdout=io.StringIO())
    called = lines()["clock"]
    later = lines(timezone.now() + datetime.timedelta(minutes=61))["clock"]

    assert (never.is_wrong, called.is_wrong, later.is_wrong) == (True, False, True)
    assert find_last_tick() is not None


@pytest.mark.django_db
def test_task_that_waits_though_it_could_be_done_tells_on_the_worker() -> None:
    soon = timezone.now() + datetime.timedelta(hours=1)
    just = timezone.now() - datetime.timedelta(minutes=1)
    add_task(run_after=soon)
    add_task(run_after=just)
    fresh = lines()["worker"]
    add_task()
    late = lines()["worker"]

    assert (fresh.is_wrong, late.is_wrong) == (False, True)
    assert "db_worker" in late.text


@pytest.mark.django_db
def test_dead_tasks_and_refused_letters_end_the_command_with_their_names() -> None:
    note_tick()
    now = timezone.now()
    add_task(
        status=TaskResultStatus.FAILED, finished_at=now, exception_class_path="builtins.OSError"
    )
    letter: dict[str, Any] = {"address": "a@b.example", "text": "T", "written_at": now}
    Letter.objects.create(key="1", last_error="550 no\nsuch user", attempts=1, **letter)
    Letter.objects.create(key="2", **letter)
    said = io.StringIO()

    with pytest.raises(CommandError, match=r"Needs somebody: letters, tasks\."):
        call_command("status", stdout=said)

    assert "2 waiting, 1 " in said.getvalue()
    assert "550 no such user" in said.getvalue()
    assert "a.task, builtins.OSError" in said.getvalue()


@pytest.mark.django_db
def test_clock_of_another_machine_is_seen(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "there"
    call_command("tick", stdout=io.StringIO())

    settings.DATA_DIR = tmp_path / "here"

    assert not lines()["clock"].is_wrong

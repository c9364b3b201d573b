"""Everything that holds on SQLite holds on PostgreSQL: the same tests, on a separate server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from tests.live import databases

ROOT = Path(__file__).resolve().parent.parent
# What waits, locks and fails: continuous integration has time for it.
CORE = (
    "tests/workflow/test_at_once.py",
    "tests/workflow/test_invariants_at_once.py",
    "tests/workflow/test_publication.py",
    "tests/search/test_index_at_once.py",
    "tests/live/test_outage.py",
    "tests/exchange/backup/test_refusals.py",
    "tests/exchange/seed/test_loading.py",
    "tests/selectors/test_lookalikes.py",
    "tests/selectors/test_registry_version.py",
    "tests/journal/test_journal.py",
    "tests/test_rate_limits.py",
    "tests/api/test_idempotency.py",
)
# Whatever else writes, or does something in its own way on each of the two databases.
FURTHER = (
    *("tests/workflow", "tests/live", "tests/actions", "tests/scheduler", "tests/exchange"),
    "tests/notifications/webhooks/test_delivery.py",
    "tests/journal/test_row_verification.py",
    "tests/http/test_writing_refused.py",
    "tests/test_texts.py",
)
OPTIONS = ("-q", "-nlogical", "-ocache_dir=.cache/postgresql")
LONGEST = 3600.0


@pytest.mark.whole
def test_process_journal_and_loading_pass_on_postgresql() -> None:
    # The test runner's messages to its own workers are not for this run.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST")
    }

    further = () if os.environ.get("REGISTRY_TEST_POSTGRESQL") == "core" else FURTHER

    with databases.postgresql() as url:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *CORE, *further],
            cwd=ROOT,
            env=environment | {"REGISTRY_DATABASE_URL": url},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST,
            check=False,
        )

    assert run.returncode == 0, run.stdout


@pytest.mark.whole
def test_server_of_the_wheel_serves_where_the_machine_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(databases, "installed", lambda: None)

    with databases.postgresql() as url, psycopg.connect(url) as server:
        row = server.execute("SELECT 1").fetchone()

    assert row == (1,)


def test_sqlite_waits_its_turn_and_keeps_what_it_committed(db: None) -> None:
    with connection.cursor() as cursor:
        pragmas = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "busy_timeout")
        }

    # The tests' own connections alone do not wait for the disk.
    assert "PRAGMA synchronous=FULL" in connection.settings_dict["OPTIONS"]["init_command"]
    assert pragmas == {"journal_mode": "wal", "busy_timeout": 5_000}
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"

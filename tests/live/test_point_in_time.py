"""PostgreSQL is set back to the moment before a mistake, and the journal with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from django.db import connection

from tests.live import databases
from tests.live.outages import wait_until
from tests.live.servers import PATIENCE, ROOT
from tests.live.test_standby import POPULATE
from tests.programs import lack

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql",
    reason="Two servers of PostgreSQL take a minute: make postgresql.",
)

SLOW: Final = 4 * PATIENCE
COMMENT: Final = """
import os, sys, uuid
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
import django
django.setup()
from registry import journal
from registry.actions import discussion
from registry.models import RegistrationRequest
asked = RegistrationRequest.objects.get()
discussion.add_comment(asked, author=asked.author, text=sys.argv[1], key=uuid.uuid4())
print(journal.find_head())
"""
"""Comments on the only request, and says the head of the journal."""


@contextmanager
def archiving_server() -> Iterator[tuple[databases.Server, Path]]:
    """Run a server that archives its writes in a folder; yield both."""
    binaries = databases.installed()
    if binaries is None:
        lack("pg_basebackup")
    with databases.server_home() as home:
        archive = home / "archive"
        archive.mkdir()
        databases.own(archive)
        server = databases.Server(
            home,
            home / "data",
            binaries,
            archive_mode="on",
            archive_command=f"test ! -f {archive}/%f && cp %p {archive}/%f",
        )
        server.make()
        with server.running():
            yield server, archive


def run(url: str, home: Path, *command: str) -> str:
    """Return what a program of the registry prints; it must succeed."""
    said = {"REGISTRY_DATABASE_URL": url, "REGISTRY_DATA_DIR": str(home), "REGISTRY_EMAIL_URL": ""}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | said,
        capture_output=True,
        text=True,
        check=False,
        timeout=SLOW,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_registry_is_set_back_to_the_moment_before_a_mistake(tmp_path: Path) -> None:
    with archiving_server() as (server, archive):
        run(server.url, tmp_path, "manage.py", "migrate", "--verbosity=0")
        assert json.loads(run(server.url, tmp_path, "-c", POPULATE))["slug"]
        place = server.home / "restored"
        restored = databases.Server(place, place / "data", server.binaries)
        restored.copy(server)

        head = run(server.url, tmp_path, "-c", COMMENT, "Right.").strip()
        moment = server.ask("SELECT clock_timestamp()::text")
        time.sleep(1)
        run(server.url, tmp_path, "-c", COMMENT, "Wrong.")
        last = server.ask("SELECT pg_walfile_name(pg_switch_wal())")
        asked = "SELECT coalesce(last_archived_wal >= %s, false) FROM pg_stat_archiver"
        wait_until(lambda: bool(server.ask(asked, last)))
        server.end(signal.SIGQUIT)

        # As docs/operations.md says: a copy of the data, the archive, and the moment.
        (restored.data / "standby.signal").unlink()
        (restored.data / "recovery.signal").touch()
        restored.settings |= {
            "restore_command": f"cp {archive}/%f %p",
            "recovery_target_time": moment,
            "recovery_target_action": "promote",
        }
        with restored.running():
            wait_until(lambda: not restored.ask("SELECT pg_is_in_recovery()"))
            proved = run(restored.url, tmp_path, "manage.py", "verify_journal", "--head", head)
            texts = restored.ask("SELECT string_agg(text, ' ') FROM registry_message")
            # It takes writes again, and the journal goes on from there.
            again = run(restored.url, tmp_path, "-c", COMMENT, "Again.").strip()
            run(restored.url, tmp_path, "manage.py", "verify_journal", "--head", again)

    assert head in proved
    assert texts == "Right."
    assert int(again.partition(":")[0]) == int(head.partition(":")[0]) + 1

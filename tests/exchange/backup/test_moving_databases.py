"""A registry moves between SQLite and PostgreSQL by commands; a killed move leaves nothing."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
import pytest
from django.db.models import Max

from registry.exchange.backup import BackupExtent
from registry.models import Organization
from tests.exchange.backup.conftest import octets
from tests.live import databases
from tests.live.servers import ROOT, database_url, environment
from tests.populated_registry import Cast

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE: Final = 120.0
NEXT: Final = "SELECT nextval(pg_get_serial_sequence('registry_organization', 'id'))"
PIPE: Final = 1 << 16
"""At most this many octets wait between two processes; the rest has been read."""


def manage(url: str, home: Path, *words: str) -> str:
    """Run a command on the database at `url`; return its output."""
    run = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment(home) | {"REGISTRY_DATABASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    return run.stdout


def dumped(url: str, home: Path) -> bytes:
    """Return a complete dump of a database."""
    file = home / "moving.jsonl.gz"
    manage(url, home, "dump", "--complete", str(file))
    return gzip.decompress(file.read_bytes())


@pytest.fixture(scope="module")
def as_migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as `migrate` creates it."""
    home = tmp_path_factory.mktemp("migrated")
    manage(f"sqlite:///{home / 'new.sqlite3'}", home, "migrate", "--verbosity=0")
    return home / "new.sqlite3"


@pytest.fixture
def new(as_migrated: Path, tmp_path: Path) -> str:
    """The address of a new database."""
    return f"sqlite:///{shutil.copy(as_migrated, tmp_path)}"


@pytest.mark.whole
def test_registry_moves_to_postgresql_and_back(populated: Cast, new: str, tmp_path: Path) -> None:
    first = dumped(database_url(), tmp_path)
    with databases.postgresql() as url:
        manage(url, tmp_path, "migrate", "--verbosity=0")
        manage(
            url,
            tmp_path,
            "load_dump",
            "--no-input",
            "--unsigned",
            str(tmp_path / "moving.jsonl.gz"),
        )
        second = dumped(url, tmp_path)
        with psycopg.connect(url) as server:
            numbered = server.execute(NEXT).fetchone()
    manage(
        new, tmp_path, "load_dump", "--no-input", "--unsigned", str(tmp_path / "moving.jsonl.gz")
    )

    assert first == octets(BackupExtent.COMPLETE)
    assert second == first
    assert dumped(new, tmp_path) == first
    assert numbered == ((Organization.objects.aggregate(last=Max("pk"))["last"] or 0) + 1,)


@contextmanager
def loading(url: str, home: Path, file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that loads what is written to `file`, a pipe."""
    os.mkfifo(file)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "load_dump", "--no-input", "--unsigned", str(file)],
        cwd=ROOT,
        env=environment(home) | {"REGISTRY_DATABASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    with process:
        yield process


@pytest.mark.whole
def test_loading_that_is_killed_leaves_an_empty_database(
    populated: Cast, new: str, tmp_path: Path
) -> None:
    dump, pipe, whole = octets(BackupExtent.COMPLETE), tmp_path / "pipe", tmp_path / "whole.jsonl"
    whole.write_bytes(dump)

    with loading(new, tmp_path, pipe) as process, pipe.open("wb", buffering=0) as stream:
        stream.write(dump[:-100])
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)

    assert len(dump) > PIPE
    assert process.returncode == -signal.SIGKILL
    # It would be refused if there were anything.
    assert "registry.event: " in manage(
        new, tmp_path, "load_dump", "--no-input", "--unsigned", str(whole)
    )

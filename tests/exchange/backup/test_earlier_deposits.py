"""This release restores deposits of earlier releases as they were written.

`fixtures/` has one of each format, and of states of the tables before migrations that write rows,
each named after the last migration of its tables. They are never rewritten: they stand for what
somebody has in a safe. With PostgreSQL as the database of the tests, they are restored there.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, LiteralString

import psycopg
import pytest
from django.db import connection
from django.db.migrations import RunPython, RunSQL
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from registry.exchange.backup.deposit import DEPOSIT_VERSION, read_deposit
from registry.exchange.backup.format import list_known_migrations
from tests.live.servers import database_url
from tests.test_settings import ROOT

FIXTURES: Final = Path(__file__).parent / "fixtures"
HEADS: Final = {
    "deposit-v1-0019": "21:086296266fa617ce223cdfd9e54160478ae09d3dbaaf4c6f4027cab4a862daa5",
    "deposit-v1-0022": "21:b0a7780d9268ebd45d862781cdf8184966f0e5bdc66971c377d5a86c180e2d28",
    "deposit-v1-0026": "21:94ce6ffb017ed083fb5277fe6d238381e71b4aa91c01f0d462dfa781f9a48580",
}
"""What `verify_journal` printed when each was written."""
LAST_WITHOUT_FIXTURE: Final = 26
"""The last migration that writes rows and may have no deposit of the tables before it."""
SLOW: Final = 600


@dataclass(frozen=True, slots=True)
class Place:
    """Where a deposit is restored: the folder of its data, and an empty database."""

    home: Path
    url: str

    def ask(self, statement: LiteralString) -> list[Any]:
        """Return the rows of a statement."""
        if self.url.startswith("sqlite"):
            path = self.url.removeprefix("sqlite:///")
            with closing(sqlite3.connect(path)) as database:
                return database.execute(statement).fetchall()
        with psycopg.connect(self.url) as server:
            return server.execute(statement).fetchall()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A new database, of the kind that the tests use."""
    if connection.vendor == "sqlite":
        yield Place(tmp_path, f"sqlite:///{tmp_path}/registry.sqlite3")
        return
    name = sql.Identifier(f"restored_{secrets.token_hex(4)}")
    there = database_url().rpartition("/")[0]
    with psycopg.connect(f"{there}/postgres", autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            yield Place(tmp_path, f"{there}/{name.as_string(server).strip(chr(34))}")
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


LATER_KINDS = {
    "user",
    "proof",
    "namespacespeaker",
    "servicedesignator",
    "querykeyword",
    "resolutionservice",
    "locatortable",
    "heldnid",
}
"""The kinds of rows that had no digests when these were written."""


def run(place: Place, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the registry there."""
    own = {"REGISTRY_DATABASE_URL": place.url, "REGISTRY_DATA_DIR": str(place.home)}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=os.environ | own,
        capture_output=True,
        text=True,
        check=False,
        timeout=SLOW,
    )


def test_there_is_a_deposit_of_the_present_format_and_each_is_whole() -> None:
    found = {path.name: read_deposit(path) for path in FIXTURES.iterdir()}

    assert found.keys() == HEADS.keys()
    assert DEPOSIT_VERSION in {deposit.manifest["version"] for deposit in found.values()}


def test_migration_that_writes_rows_has_a_deposit_of_the_tables_before_it() -> None:
    migrations = MigrationLoader(None).disk_migrations
    writing = {
        int(name[:4])
        for (app, name), migration in migrations.items()
        if app == "registry"
        and any(isinstance(each, RunPython | RunSQL) for each in migration.operations)
    }
    kept = {int(name.rpartition("-")[2]) for name in HEADS}

    missing = {n for n in writing if n > LAST_WITHOUT_FIXTURE and n - 1 not in kept}

    assert missing == set()
    assert {int(last_migration(FIXTURES / name)) for name in HEADS} == kept


def last_migration(folder: Path) -> str:
    """Return the number of the last of our migrations that a deposit names."""
    named = json.loads((folder / "manifest.json").read_text("utf-8"))["migrations"]
    return max(str(found) for found in re.findall(r"\bregistry\.(\d{4})_", " ".join(named)))


@pytest.mark.whole
@pytest.mark.parametrize("name", HEADS)
def test_deposit_of_an_earlier_release_is_restored_into_the_tables_of_this_one(
    place: Place, name: str
) -> None:
    folder = FIXTURES / name
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))

    checked = run(place, "restore", "--check", str(folder))
    restored = run(place, "restore", "--no-input", "--unsigned", str(folder))
    again = run(place, "restore", "--no-input", "--unsigned", str(folder))
    proved = run(place, "verify_journal", "--head", HEADS[name])
    indexed = run(place, "rebuild_search", "--check")

    assert restored.returncode == 0, restored.stderr
    told = [line for line in restored.stdout.splitlines() if not re.match("These|  ", line)]
    counted = [line for line in checked.stdout.splitlines() if "is not signed" not in line]
    assert sorted(counted) == sorted(told)
    rows = dict(re.findall(r"^(\S+): (\d+)\.$", restored.stdout, re.MULTILINE))
    assert (rows["registry.event"], rows["registry.namespace"]) == ("21", "2")
    faults = [line for line in proved.stdout.splitlines() if not re.match("Lines|Head", line)]
    found = {fault.removeprefix("No line tells of ").partition(" ")[0] for fault in faults}
    assert found <= LATER_KINDS, proved.stdout
    assert indexed.returncode == 0, indexed.stderr
    assert (place.home / "uploads" / "locators-7").read_text("ascii") == "a,https://a.example/\n"
    assert (place.home / "log-head").read_bytes() == (folder / "log-head").read_bytes()
    made = {f"{app}.{name}" for app, name in place.ask("SELECT app, name FROM django_migrations")}
    [[found]] = place.ask("SELECT count(*) FROM registry_searchdocument")
    assert made >= set(list_known_migrations()) >= set(manifest["migrations"])
    assert found > 0
    # It is refused if there is data; and no rows go into tables newer than it.
    is_of_these_tables = set(list_known_migrations()) == set(manifest["migrations"])
    why = "is not empty" if is_of_these_tables else "Take a new database and leave out migrate"
    assert (again.returncode, why in again.stderr) == (1, True), again.stderr

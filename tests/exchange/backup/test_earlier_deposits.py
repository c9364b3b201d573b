"""This release restores deposits of earlier releases as they were written.

`fixtures/` has one of each format, and of each state of the tables from which the next was not made
by additions alone. They are never rewritten: they stand for what somebody has in a safe.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from registry.exchange.backup.deposit import DEPOSIT_VERSION, read_deposit
from registry.exchange.backup.format import list_known_migrations
from tests.test_settings import ROOT

FIXTURES: Final = Path(__file__).parent / "fixtures"
HEADS: Final = {
    "deposit-v1-0019": "21:086296266fa617ce223cdfd9e54160478ae09d3dbaaf4c6f4027cab4a862daa5",
}
"""What `verify_journal` printed when each was written."""
SLOW: Final = 600


def run(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a registry whose data and database are in `home`."""
    own = {
        "REGISTRY_DATABASE_URL": f"sqlite:///{home}/registry.sqlite3",
        "REGISTRY_DATA_DIR": str(home),
    }
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


@pytest.mark.parametrize("name", HEADS)
def test_a_deposit_of_an_earlier_release_is_restored_into_the_tables_of_this_one(
    tmp_path: Path, name: str
) -> None:
    folder = FIXTURES / name
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))

    restored = run(tmp_path, "restore", str(folder))
    again = run(tmp_path, "restore", str(folder))
    proved = run(tmp_path, "verify_journal", "--head", HEADS[name])
    indexed = run(tmp_path, "rebuild_search", "--check")

    assert restored.returncode == 0, restored.stderr
    rows = dict(re.findall(r"^(\S+): (\d+)\.$", restored.stdout, re.MULTILINE))
    assert (rows["registry.event"], rows["registry.namespace"]) == ("21", "2")
    assert proved.returncode == 0, proved.stderr
    assert indexed.returncode == 0, indexed.stderr
    assert (tmp_path / "uploads" / "locators-7").read_text("ascii") == "a,https://a.example/\n"
    assert (tmp_path / "log-head").read_bytes() == (folder / "log-head").read_bytes()
    with closing(sqlite3.connect(tmp_path / "registry.sqlite3")) as database:
        made = {
            f"{app}.{name}"
            for app, name in database.execute("SELECT app, name FROM django_migrations")
        }
        [[found]] = database.execute("SELECT count(*) FROM registry_searchdocument")
    assert made >= set(list_known_migrations()) > set(manifest["migrations"])
    assert found > 0
    # It is refused if there is data; and no rows go into tables newer than it.
    assert again.returncode == 1
    assert "Take a new database and leave out migrate" in again.stderr

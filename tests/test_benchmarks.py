"""The benchmarks run, say when they cannot, and write their tables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import seed as seeds, tables
from benchmarks.__main__ import DID_NOT_RUN, PROGRAMS, TARGET_MISSED
from benchmarks.reader import RECORDS_VARIABLE
from benchmarks.tables import CannotRun, Table, judge, replace_tables
from registry import journal
from registry.enums import State
from registry.models import Namespace, RegistrationRequest
from tests.programs import program

NEEDS = {"reader": RECORDS_VARIABLE, "findings": RECORDS_VARIABLE, "web": "wrk"}
"""What some of them need besides Python packages, as they name it."""


def run_program(name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "--smallest", name],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.whole
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "pages"])
def test_program_runs_at_its_smallest_or_says_what_is_missing(name: str) -> None:
    if name == "web":
        program("wrk")

    run = run_program(name)

    if NEEDS.get(name) == RECORDS_VARIABLE and not os.environ.get(RECORDS_VARIABLE):
        assert f"{name} cannot run: {RECORDS_VARIABLE}" in run.stderr
    else:
        # How fast next to nothing is says nothing of the targets.
        assert run.returncode in (0, TARGET_MISSED), run.stderr
        assert "| --- | --: |" in run.stdout


@pytest.mark.whole
def test_pages_take_no_more_queries_for_many_requests_than_for_few() -> None:
    run = run_program("pages")

    rows = [line for line in run.stdout.splitlines() if "as many" in line]
    assert len(rows) > 20
    assert [row for row in rows if not row.endswith("as many met |")] == []


@pytest.mark.whole
@pytest.mark.parametrize("name", NEEDS)
def test_program_that_lacks_something_fails_and_names_it(name: str, tmp_path: Path) -> None:
    run = run_program(name, **{RECORDS_VARIABLE: "", "PATH": str(tmp_path)})

    assert run.returncode == DID_NOT_RUN
    assert run.stderr.splitlines()[-1].startswith(f"{name} cannot run: {NEEDS[name]}")


def test_readme_has_a_place_for_the_tables_of_each_program(tmp_path: Path) -> None:
    copy = tmp_path / "README.md"
    copy.write_bytes(tables.README.read_bytes())

    for name in PROGRAMS:
        replace_tables(name, f"figures of {name}", copy)

    text = copy.read_text("utf-8")
    assert [name for name in PROGRAMS if f"\n\nfigures of {name}\n\n" not in text] == []
    with pytest.raises(CannotRun):
        replace_tables("nobody", "", copy)


def test_table_names_a_missed_target_and_counts_as_missed() -> None:
    met = Table("Speed", ("", "ms", "target"), [("a page", "3", judge("4", is_met=True))])
    missed = Table("Speed", ("", "ms", "target"), [("a page", "5", judge("4", is_met=False))])

    assert (met.is_met, missed.is_met) == (True, False)
    assert str(missed).splitlines() == [
        "**Speed**",
        "",
        "|  | ms | target |",
        "| --- | --: | --: |",
        "| a page | 5 | 4 **missed** |",
    ]


@pytest.mark.django_db
def test_seed_has_a_journal_that_verifies_and_requests_in_each_state() -> None:
    seeds.fill(seeds.create_people(), namespaces=3, requests=16)

    assert list(journal.verify()) == []
    states = RegistrationRequest.objects.values_list("state", flat=True)
    assert set(states) == {*seeds.STATES, State.REGISTERED}
    assert Namespace.objects.exclude(registrations=None).count() == 3

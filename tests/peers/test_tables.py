"""frictionless checks the data package; pandas and DuckDB read the table of namespaces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.request import ProxyHandler, build_opener

import pytest

from registry.exchange.exports.catalogue import COLUMNS
from registry.models import Namespace, RegistrationRequest, User
from tests.peers.python import run_python_peer
from tests.peers.sites import serve_small_registry

pytestmark = pytest.mark.django_db(transaction=True)

FRICTIONLESS: Final = """
import json, sys
from frictionless import Package
package = Package(sys.argv[1])
report = package.validate()
print(json.dumps({
    "errors": [
        [task.name, error.type, error.message] for task in report.tasks for error in task.errors
    ]
    + [["", error.type, error.message] for error in report.errors],
    "files": [task.name for task in report.tasks],
    "tables": {
        each.name: [list(row.to_dict().values()) for row in each.read_rows()]
        for each in package.resources
        if each.tabular and report.valid
    },
}, default=str))
"""
PANDAS: Final = """
import sys
import pandas
table = pandas.read_json(sys.argv[1], lines=True)
print(table.dtypes.astype(str).to_json())
print(table.set_index("nid").to_json(orient="index"))
"""
DUCKDB: Final = """
import json, sys
import duckdb
table = duckdb.sql(f"select * from read_json('{sys.argv[1]}')")
print(json.dumps(dict(zip(table.columns, map(str, table.types)))))
print(json.dumps(
    {row[0]: dict(zip(table.columns[1:], row[1:])) for row in table.fetchall()}, default=str
))
"""


PANDAS_TYPES: Final = {
    "string": "str",
    "array": "object",
    "integer": "float64",  # since some have none
    "boolean": "bool",
}
DUCKDB_TYPES: Final = {
    "string": "VARCHAR",
    "array": "VARCHAR[]",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
}


@pytest.fixture
def site(tmp_path: Path, approved: RegistrationRequest, registrar: User) -> Iterator[str]:
    with serve_small_registry(tmp_path, approved, registrar) as url:
        yield url


@pytest.fixture
def table(site: str, tmp_path: Path) -> Path:
    """The table as somebody has it who downloaded it."""
    path = tmp_path / "namespaces.jsonl"
    with build_opener(ProxyHandler({})).open(f"{site}/exports/namespaces.jsonl") as answer:
        path.write_bytes(answer.read())
    return path


def expect_rows(site: str) -> dict[str, dict[str, Any]]:
    """Return the database's content for each namespace, by the table's columns."""
    return {
        each.nid: {
            "nid_as_registered": each.nid_as_registered,
            "kind": each.kind,
            "status": each.status,
            "summary": each.summary,
            "registrant": each.registrant.name if each.registrant else None,
            "references": [text.replace("RFC ", "RFC") for text in each.references],
            "version": registration.number if registration else None,
            "is_resolved": each.services.in_use().exists(),
            "page": f"{site}/namespaces/{each.nid}/",
        }
        for each in Namespace.objects.all()
        for registration in [each.registrations.order_by("number").last()]
    }


def read_output(program: str, *arguments: str) -> list[Any]:
    """Return each line of a program's output, parsed as JSON."""
    said = run_python_peer(program, *arguments)
    assert said.returncode == 0, said.stderr
    return [json.loads(line) for line in said.stdout.splitlines()]


def pick(rows: dict[str, dict[str, Any]], like: dict[str, dict[str, Any]]) -> Any:
    """Return the compared columns of each row."""
    return {nid: {name: row[name] for name in like[nid]} for nid, row in rows.items()}


def test_frictionless_finds_nothing_wrong_with_the_package(site: str) -> None:
    (said,) = read_output(FRICTIONLESS, f"{site}/exports/datapackage.json")

    assert said["errors"] == []
    assert len(said["files"]) > 20
    assert said["tables"].keys() == {
        "namespaces.jsonl",
        "urn-namespaces-1.csv",
        "urn-namespaces-2.csv",
        "query-keywords.csv",
        "resolution-services.csv",
    }
    nids = sorted(Namespace.objects.values_list("nid", flat=True))
    assert sorted(row[0] for row in said["tables"]["namespaces.jsonl"]) == nids
    assert said["tables"]["urn-namespaces-1.csv"][-1][0].lower() == "seedbank"


def test_pandas_and_duckdb_read_the_same_of_the_table_as_stands_in_the_database(
    site: str, table: Path
) -> None:
    wanted = expect_rows(site)
    assert {row["version"] for row in wanted.values()} == {None, 1}
    assert {row["is_resolved"] for row in wanted.values()} == {True, False}

    for program, kinds in ((PANDAS, PANDAS_TYPES), (DUCKDB, DUCKDB_TYPES)):
        types, rows = read_output(program, str(table))
        assert pick(rows, wanted) == wanted
        assert list(types) == list(COLUMNS)
        for column in types.keys() & {"nid", *wanted["seedbank"]}:
            assert types[column] == kinds[COLUMNS[column][0]], column

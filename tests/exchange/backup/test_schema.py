"""The schema of dumps has every public table and column, and refuses everything else."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from jsonschema_rs import Draft202012Validator

from registry.exchange.backup import BackupExtent, make_dump_schema
from tests.exchange.backup.conftest import octets
from tests.populated_registry import Cast

pytestmark = pytest.mark.django_db

SITE: Final = "https://registry.example"
CHECK: Final = Draft202012Validator(make_dump_schema(SITE), validate_formats=True)


def list_lines() -> list[Any]:
    return [json.loads(line) for line in octets(BackupExtent.PUBLIC).splitlines()]


def test_every_line_of_a_dump_with_something_in_each_table_fits(populated: Cast) -> None:
    header, *rows, seal = list_lines()

    assert {label for label, _row in rows} == set(BackupExtent.PUBLIC.tables)
    assert [line for line in (header, *rows, seal) if not CHECK.is_valid(line)] == []


def test_row_that_is_not_of_its_table_is_refused(populated: Cast) -> None:
    _header, *rows, _seal = list_lines()
    first = dict(reversed(rows))

    assert first.keys() == set(BackupExtent.PUBLIC.tables)
    for label, row in first.items():
        for column in row:
            without = {name: value for name, value in row.items() if name != column}
            assert not CHECK.is_valid([label, without]), (label, column)
        assert not CHECK.is_valid([label, {**row, "colour": "red"}]), label
        assert not CHECK.is_valid([label, {**row, "id": []}]), label


def test_schema_has_no_column_for_withheld_data(populated: Cast) -> None:
    _header, *rows, _seal = list_lines()
    (person, *_others) = (row for label, row in rows if label == "registry.user")

    assert CHECK.is_valid(["registry.user", person])
    assert not CHECK.is_valid(["registry.user", person | {"email": "a@people.example"}])
    assert not CHECK.is_valid(["registry.token", {"id": 1}])


@pytest.mark.parametrize(
    ("column", "value"),
    [("nid", 5), ("nid", None), ("registered_on", []), ("updated_at", 5)],
)
def test_value_of_another_kind_is_refused(populated: Cast, column: str, value: object) -> None:
    _header, *rows, _seal = list_lines()
    (row, *_others) = (row for label, row in rows if label == "registry.namespace")

    assert CHECK.is_valid(["registry.namespace", row])
    assert not CHECK.is_valid(["registry.namespace", row | {column: value}])


@pytest.mark.parametrize("missing", ["format", "licences", "rows", "migrations"])
def test_head_that_lacks_something_is_refused(populated: Cast, missing: str) -> None:
    header = list_lines()[0]
    del header[missing]

    assert not CHECK.is_valid(header)

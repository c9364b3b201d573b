"""The changes that `make mutants` makes, and the list of those that no test needs to notice."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator

from tools.mutant_runner import find_changed_code
from tools.mutants import SURVIVORS, TESTS_BY_MODULE
from tools.mutation_operators import (
    DropPart,
    DropStatement,
    SwapMember,
)

ROOT = Path(__file__).parent.parent


def changed(source: str, operator: Operator) -> list[str | None]:
    """Return the results of changing `source`, one change at a time."""
    nodes = ast_nodes(get_ast(source))
    places = [place for node in nodes for place in operator.mutation_positions(node)]
    return [mutate_code(source, operator, number) for number in range(len(places))]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a and b\n", [" b\n", "a\n"]),
        ("found.filter(a=1, b=2)\n", ["found.filter( b=2,)\n", "found.filter(a=1,)\n"]),
        ("found.exclude(a=1)\n", ["found.exclude()\n"]),
        ("needs = (a, b)\n", ["needs = ( b,)\n", "needs = (a,)\n"]),
        ("call(a=1, b=2)\n", []),
        ("(a, b) = c\n", []),
        ("[a for a in b]\n", []),
    ],
)
def test_condition_is_left_out(source: str, expected: list[str]) -> None:
    assert changed(source, DropPart()) == expected


def test_statement_is_left_out_where_others_do_not_need_it() -> None:
    source = "def act():\n    row.name = 1\n    name = 2\n    row.save()\n    return name\n"

    assert changed(source, DropStatement()) == [
        source.replace("row.name = 1", "pass"),
        source.replace("row.save()", "pass"),
    ]


def test_another_member_is_named() -> None:
    found = changed("to = LetterReason.LEAD, Other.LEAD, State.values\n", SwapMember())

    assert found == ["to = LetterReason.REGISTRAR, Other.LEAD, State.values\n"]


SOURCE = """
LIMIT = 3

@decorate
def act(a, b=2):
    def inner():
        return a
    return inner() < LIMIT

class Thing:
    size = 1

    @property
    def name(self):
        return "x" if self.size else ""
"""


@pytest.mark.parametrize(
    ("before", "after", "changed_functions"),
    [
        ("inner() < LIMIT", "inner() <= LIMIT", ["act"]),
        ("return a\n", "return not a\n", ["act"]),
        ("if self.size", "if not self.size", ["Thing.name"]),
        ("return a\n", "\n\n        return (a)\n", None),
        ("LIMIT = 3", "LIMIT = 4", None),
        ("b=2", "b=3", None),
        ("@decorate\n", "", None),
        ("size = 1", "size = 2", None),
    ],
)
def test_change_of_functions_is_told_from_one_of_what_stands_around_them(
    before: str, after: str, changed_functions: list[str] | None
) -> None:
    found = find_changed_code("x.py", SOURCE, SOURCE.replace(before, after))

    assert (None if found is None else list(found)) == changed_functions


def test_modules_and_the_tests_that_speak_of_them_are_there() -> None:
    named = {*TESTS_BY_MODULE, *(test for tests in TESTS_BY_MODULE.values() for test in tests)}

    assert {name for name in named if not (ROOT / name).is_file()} == set()


def test_each_change_that_no_test_is_to_notice_has_a_reason() -> None:
    listed = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivor"]

    assert {each["module"] for each in listed} <= TESTS_BY_MODULE.keys()
    assert [each for each in listed if not each["reason"].strip()] == []
    assert len({(each["module"], each["before"], each["after"]) for each in listed}) == len(listed)

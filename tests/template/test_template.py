"""A filled-in template is a value."""

from __future__ import annotations

import datetime
import json
from dataclasses import FrozenInstanceError

import pytest

from registry.template import Template
from tests.template.samples import FORMAL, INFORMAL, REVISION


@pytest.mark.parametrize(
    "sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "revision"]
)
def test_template_comes_back_from_json_as_it_went(sample: Template) -> None:
    sent = json.dumps(sample.to_dict())

    assert Template.from_dict(json.loads(sent)) == sample


def test_templates_with_the_same_text_are_equal_and_hash_alike() -> None:
    one, other = Template(nid="seedbank"), Template.blank().replace(nid="seedbank")

    assert one == other
    assert len({one, other, Template.blank()}) == 2


def test_template_cannot_be_changed_in_place() -> None:
    for name in FORMAL.to_dict():
        with pytest.raises(FrozenInstanceError):
            setattr(FORMAL, name, "")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one  \t\ntwo ", "one\ntwo"),
        ("\n\n  one\n\n", "  one"),
        ("a\ud800b", "a\ufffdb"),
        ("e\u0301", "e\u0301"),
    ],
    ids=[
        "line ends",
        "blanks at the end",
        "empty lines around",
        "lone surrogate",
        "no composition",
    ],
)
def test_text_is_tidied_on_construction_and_otherwise_kept(typed: str, kept: str) -> None:
    assert Template(purpose=typed).purpose == kept


def test_blanks_around_the_identifier_are_dropped() -> None:
    assert Template(nid=" seedbank\t").nid == "seedbank"


def test_examples_may_be_given_as_lines_of_text() -> None:
    template = Template.from_dict({"examples": " urn:example:a \r\n\r\nurn:example:b"})

    assert template.examples == ("urn:example:a", "urn:example:b")
    assert template["examples"] == "urn:example:a\nurn:example:b"


def test_numbers_dates_and_nothing_are_spelled_out() -> None:
    date = datetime.date(2026, 3, 14)
    template = Template.from_dict({"version": 2, "date": date, "purpose": None, "examples": None})

    assert template == Template(version="2", date="2026-03-14")


def test_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match="colour"):
        Template.from_dict({"colour": "red"})
    with pytest.raises(KeyError, match="colour"):
        FORMAL["colour"]


def test_unknown_kind_of_grammar_is_refused() -> None:
    with pytest.raises(ValueError, match="“yacc”"):
        Template(grammar_kind="yacc")

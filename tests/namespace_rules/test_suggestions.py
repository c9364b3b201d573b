"""Which name a text means, whatever people, programs and catalogues put around it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from registry.namespace_rules import NAMESPACE_RULES, Outcome
from registry.namespace_rules.suggestions import (
    MAX_TEXT_LENGTH,
    find_name_in_address,
    suggest_names,
)
from tests.endless import stopped_if_endless
from tests.namespace_rules.hostile_names import make_hostile_names

with Path(__file__).with_name("meant_names.csv").open(encoding="utf-8", newline="") as lines:
    MEANT = {row["what is around it"]: (row["text"], row["name"]) for row in csv.DictReader(lines)}


@pytest.mark.parametrize(("text", "name"), MEANT.values(), ids=MEANT)
def test_name_is_found_in_what_is_put_around_it(text: str, name: str) -> None:
    suggested = [each.text for each in suggest_names(text)]

    assert suggested[:1] == ([name] if name else [])


def test_no_suggestion_is_against_its_rule_or_the_text_itself() -> None:
    for nid, rule in NAMESPACE_RULES.items():
        for text in make_hostile_names(rule, 40):
            for name in suggest_names(text):
                assert name.text != text
                assert name.changes
                assert name.nid != nid or rule.check(name.urn).outcome is not Outcome.AGAINST


def test_name_of_a_namespace_without_a_rule_is_suggested_as_it_is_written() -> None:
    (name,) = suggest_names("<urn:ab:c>", lambda _nid: None)

    assert (name.text, name.outcome) == ("urn:ab:c", None)


def test_similar_nid_is_suggested_unless_its_rule_refuses_the_name() -> None:
    def suggest(nss: str) -> list[str]:
        names = suggest_names(f"urn:isnb:{nss}", near=["isbn", "iban"])
        return [name.text for name in names]

    assert suggest("0395363411#p") == ["urn:isbn:0395363411#p", "urn:iban:0395363411#p"]
    assert suggest("12") == ["urn:iban:12"]


def test_wrong_check_digit_is_said_beside_the_suggested_name() -> None:
    (name,) = suggest_names("0-395-36341-2")

    assert "would be “1”, not “2”" in name.message


def test_address_that_carries_a_name_its_rule_refuses_carries_none() -> None:
    assert find_name_in_address("https://resolver.example/urn:isbn:12") is None
    assert find_name_in_address("https://resolver.example/") is None


@pytest.mark.parametrize(
    "text",
    [
        "<" * 2_000,
        "urn%3A" * 300,
        "9" * 2_000,
        "- " * 1_000,
        "&lt;" * 500,
        "{a(1) " * 50,
        "isbn" * 75,
    ],
)
def test_hostile_texts_are_answered(text: str) -> None:
    with stopped_if_endless():
        suggest_names(text)


def test_text_beyond_all_measure_is_left_alone() -> None:
    assert suggest_names("urn:isbn:0-395-36341-1." + " " * MAX_TEXT_LENGTH) == ()

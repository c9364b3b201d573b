"""Malicious names are answered quickly and briefly, whatever the rule."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import FrameType

import pytest
from hypothesis import given, strategies as st

from registry.namespace_rules import (
    NAMESPACE_RULES,
    Outcome,
    list_ruled_nids,
)
from registry.urn import is_valid, parse
from tests.endless import stopped_if_endless
from tests.namespace_rules.hostile_names import make_hostile_names

HOSTILE = {
    "megabyte-of-digits": "1" * 1_000_000,
    "hundred-thousand-letters": "a" * 100_000,
    "colons": ":" * 50_000,
    "hyphens-between-digits": "1-" * 50_000,
    "dots-between-digits": "1." * 50_000,
    "triplets": "%41" * 30_000,
    "segments": "names:" * 10_000,
    "nul": "978\0",
    "lone-surrogate": "978\ud800",
    "digits-of-another-script": "٩٧٨٠٣٩٥٣٦٣٤١٦",
    "line-feed": "9780395363416\n",
    "right-to-left": "978\u202e0395363416",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_are_answered(name: str) -> None:
    for rule in NAMESPACE_RULES.values():
        rule.read_grammar()

        with stopped_if_endless():
            ruling = rule.check(name)

        assert ruling.check != "rulebook.failed"
        assert len(ruling.message) < 1_000


@pytest.mark.parametrize(
    "name", ["978\0", "978\ud800", "٩٧٨٠٣٩٥٣٦٣٤١٦", "9780395363416\n", "978\u202e0395363416"]
)
def test_look_alikes_and_invisible_characters_are_no_isbn(name: str) -> None:
    ruling = NAMESPACE_RULES["isbn"].check(name)

    assert ruling.outcome is Outcome.AGAINST
    assert "\u202e" not in ruling.message


def test_name_longer_than_we_look_at_is_not_decided() -> None:
    ruling = NAMESPACE_RULES["example"].check("a" * 1_000_000)

    assert ruling.outcome is Outcome.NOT_DECIDED
    assert "100,000 characters" in ruling.message


@given(st.sampled_from(list_ruled_nids()), st.text())
def test_any_text_has_an_answer(nid: str, text: str) -> None:
    ruling = NAMESPACE_RULES[nid].check(text)

    assert ruling.message
    assert ruling.check != "rulebook.failed"
    assert (ruling.position is None) == (ruling.outcome is not Outcome.AGAINST)


def test_hostile_names_have_an_answer_by_every_rule(caplog: pytest.LogCaptureFixture) -> None:
    for rule in NAMESPACE_RULES.values():
        previous = parse(f"urn:{rule.nid}:{rule.examples[0]}")
        for text in make_hostile_names(rule, 500):
            urn = parse(text)

            ruling = rule.check(urn)

            assert ruling.check != "rulebook.failed"
            assert (ruling.position is None) == (ruling.outcome is not Outcome.AGAINST)
            rule.are_equivalent(previous, urn)
            rule.respell(urn)
            previous = urn

    assert not caplog.records


MAX_CALLS = 200
MAX_CALLS_PER_CHARACTER = 5


def count_calls(function: Callable[[], object]) -> int:
    """Return how many calls of any kind `function` makes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("nid", list_ruled_nids())
def test_check_is_cheap_whatever_the_rule_and_its_answer(nid: str) -> None:
    # As lists are checked: without the parts and the preferred form of a name.
    rule = replace(NAMESPACE_RULES[nid], explained_by="", preferred_form=())
    for nss in (*rule.examples, "1", *(each for each in rule.counter_examples if each)):
        name = f"urn:{nid}:{nss}"
        if is_valid(name):
            urn = parse(name)
            rule.check(urn)

            assert count_calls(
                partial(rule.check, urn)
            ) <= MAX_CALLS + MAX_CALLS_PER_CHARACTER * len(name)

"""Findings that give the right reason, whatever the order of the words."""

from __future__ import annotations

import pytest

from registry.template import Context, check
from registry.urn import Severity
from tests.template.samples import FORMAL

COMMUNITY = Context()


def find_checks(purpose: str) -> set[str]:
    return {each.check for each in check(FORMAL.replace(purpose=purpose), COMMUNITY)}


@pytest.mark.parametrize(
    "sentence",
    [
        "These are temporary names.",
        "The names are temporary.",
        "The names of this namespace will be short-lived.",
        "They are provisional identifiers.",
        "URNs in this namespace are purely experimental.",
        "The identifiers remain temporary.",
        "Names are used until the project ends.",
        "When the trial is over the names are discarded.",
        "We need them only during the pilot.",
        "The namespace is needed for a limited time.",
        "Names expire after a year.",
        "Names are valid for 90 days.",
        "The lifetime of a name is one year.",
        "Each identifier is retired after the experiment.",
        "This namespace is an experiment.",
        "They are used temporarily.",
        "We use these names in tests only.",
    ],
)
def test_names_for_a_limited_time_are_found_in_any_order_of_words(sentence: str) -> None:
    assert "purpose.temporary" in find_checks(f"Names of plans. {sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "The names are not temporary.",
        "Names identify temporary exhibitions.",
        "Names of plans that are temporary.",
        "The names are permanent, though plans are temporary.",
        "They identify passes that expire.",
        "Names never expire.",
        "Names remain valid after the project has ended.",
        "Names of tickets that are valid for a day.",
        "The names are for experimental aircraft.",
    ],
)
def test_things_that_do_not_last_may_have_names_that_do(sentence: str) -> None:
    assert "purpose.temporary" not in find_checks(f"Names of plans. {sentence}")


@pytest.mark.parametrize(
    ("rule", "component", "section"),
    [
        ("^[0-9a-f]{8}/[1-9][0-9]*#.+$", "“#…” too, as in “aaaaaaaa/1#a”: an f-component", "2.3.3"),
        ("^[a-z]+(#.+)?$", "“#…” too, as in “a#a”: an f-component", "2.3.3"),
        (r"^[a-z]+\?=.+$", "“?=…” too, as in “a?=a”: a q-component", "2.3.2"),
        (
            r"^[a-z]+\?\+cc$",
            "“?+…” too, as in “a?+cc”: an r-component",
            "2.3.1",
        ),
    ],
)
def test_component_in_an_expression_is_named_as_what_it_is(
    rule: str, component: str, section: str
) -> None:
    template = FORMAL.replace(grammar_kind="regex", grammar=rule, counter_examples=())
    found = {each.check: each for each in check(template, COMMUNITY)}

    assert component in found["grammar.component"].message
    assert found["grammar.component"].severity is Severity.WARN
    assert found["grammar.component"].source == f"RFC 8141, section {section}"
    assert {"grammar.no-urn", "grammar.outside"}.isdisjoint(found)


def test_example_with_the_component_that_the_rule_asks_for_is_no_contradiction() -> None:
    examples = ("urn:seedbank:0a0b0c0d/1#ref", "urn:seedbank:0a0b0c0d/2#x")
    template = FORMAL.replace(
        grammar_kind="regex", grammar="^[0-9a-f]{8}/[1-9][0-9]*#.+$", examples=examples
    )

    assert "grammar.refuses" not in {each.check for each in check(template, COMMUNITY)}


def test_name_that_is_wrong_before_a_component_still_blocks_by_itself() -> None:
    template = FORMAL.replace(grammar_kind="regex", grammar="^[a-z]+[#^]$")
    found = {each.check: each for each in check(template, COMMUNITY)}

    assert found["grammar.outside"].severity is Severity.BLOCK
    assert "“a^”" in found["grammar.outside"].message

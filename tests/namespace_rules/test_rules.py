"""The shipped rules, tested as data."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from registry.grammar import Answer, parse_statement
from registry.namespace_rules import (
    NAMESPACE_RULES,
    NamespaceRule,
    NamingPractice,
    Outcome,
    find_namespace_rule,
    list_ruled_nids,
)
from registry.namespace_rules.check_digits import CHECK_DIGIT_SYSTEMS
from registry.namespace_rules.rules import PART_EXPLANATIONS
from registry.namespace_rules.spellings import MERGES, PREFERRED_FORMS
from registry.urn import is_valid, parse

SEED_DATA = Path(__file__).resolve().parents[2] / "registry" / "exchange" / "seed" / "data"
REGISTERED = SEED_DATA / "urn-namespaces.csv"

each = pytest.mark.parametrize("held", NAMESPACE_RULES.values(), ids=NAMESPACE_RULES)
examples = pytest.mark.parametrize(
    ("held", "nss"),
    [
        pytest.param(held, nss, id=f"{held.nid}-{nss}")
        for held in NAMESPACE_RULES.values()
        for nss in held.examples
    ],
)
counter_examples = pytest.mark.parametrize(
    ("held", "nss"),
    [
        pytest.param(held, nss, id=f"{held.nid}-{nss}")
        for held in NAMESPACE_RULES.values()
        for nss in held.counter_examples
    ],
)
practices = pytest.mark.parametrize(
    ("held", "practice"),
    [
        pytest.param(held, practice, id=f"{held.nid}-{practice.examples[0]}")
        for held in NAMESPACE_RULES.values()
        for practice in held.practices
    ],
)


def test_rules_are_held_for_three_quarters_of_the_registered_namespaces() -> None:
    with REGISTERED.open(encoding="utf-8", newline="") as lines:
        registered = {row["nid"] for row in csv.DictReader(lines)}

    assert set(NAMESPACE_RULES) - registered == set()
    assert len(NAMESPACE_RULES) == 76


def test_no_rule_is_held_for_the_others() -> None:
    assert find_namespace_rule("onem2m") is None
    assert find_namespace_rule("../data/isbn") is None
    assert "onem2m" not in NAMESPACE_RULES


def test_rule_is_found_in_whatever_case() -> None:
    assert find_namespace_rule("ISBN") is NAMESPACE_RULES["isbn"]
    assert tuple(NAMESPACE_RULES) == list_ruled_nids()


@each
def test_rule_cites_its_document_and_says_enough(held: NamespaceRule) -> None:
    assert held.document
    assert min(len(held.examples), len(held.counter_examples)) >= 2
    assert not held.check_digits or held.check_digits in CHECK_DIGIT_SYSTEMS
    assert not held.explained_by or held.explained_by in PART_EXPLANATIONS
    declared = [parse_statement(each) for each in held.merges if each not in MERGES]
    assert all(held.read_grammar().has_rule(each.part) for each in declared if each.part)
    assert not held.merges or held.comparison or not held.document.startswith("RFC")
    assert set(held.preferred_form) <= set(PREFERRED_FORMS)


@each
def test_every_name_of_a_grammar_is_a_possible_nss_of_section_2(held: NamespaceRule) -> None:
    assert held.read_grammar().undecided == ""
    assert held.read_grammar().counter_example() is None


@each
def test_grammar_has_no_rules_that_are_undefined_or_unused(held: NamespaceRule) -> None:
    said = {finding.check for finding in held.read_grammar().findings}

    assert said - {"grammar.borrowed"} == set()


@each
def test_names_drawn_from_a_grammar_are_answered_and_fit_their_preferred_form(
    held: NamespaceRule,
) -> None:
    for nss in held.read_grammar().samples(20):
        ruling = held.check(nss)

        # A random name has the right form, but seldom the right check digits.
        assert ruling.outcome is Outcome.FOLLOWS or ruling.check == "rulebook.check-digits"
        assert not ruling.preferred or held.are_equivalent(nss, ruling.preferred)


@examples
def test_example_follows_its_rule(held: NamespaceRule, nss: str) -> None:
    ruling = held.check(parse(f"urn:{held.nid}:{nss}"))

    assert (ruling.outcome, ruling.source) == (Outcome.FOLLOWS, held.document)


@examples
def test_preferred_form_is_the_same_name_and_its_own_preferred_form(
    held: NamespaceRule, nss: str
) -> None:
    preferred = held.check(nss).preferred

    assert bool(preferred) == bool(held.preferred_form)
    if preferred:
        assert held.are_equivalent(nss, preferred)
        assert held.check(preferred).preferred == preferred


@counter_examples
def test_counter_example_is_against_its_rule(held: NamespaceRule, nss: str) -> None:
    ruling = held.check(nss)

    assert ruling.outcome is Outcome.AGAINST
    assert ruling.position is not None
    assert 0 <= ruling.position <= len(nss)


@counter_examples
def test_counter_example_is_against_its_rule_as_a_whole_urn_too(
    held: NamespaceRule, nss: str
) -> None:
    text = f"urn:{held.nid}:{nss}"
    ruling, of_nss = held.check(text), held.check(nss)

    assert ruling.outcome is Outcome.AGAINST
    if is_valid(text) and of_nss.position is not None:
        assert ruling.position == len(f"urn:{held.nid}:") + of_nss.position


@practices
def test_common_practice_against_the_document_is_a_warning(
    held: NamespaceRule, practice: NamingPractice
) -> None:
    for nss in practice.examples:
        ruling = held.check(nss)

        assert held.read_grammar().matches(nss).answer is Answer.NO
        assert ruling.outcome is Outcome.DOUBTFUL
        assert ruling.message.endswith(practice.caution)

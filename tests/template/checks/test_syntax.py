"""The rule for names, as the checks of a template try it."""

from __future__ import annotations

import pytest

from registry.template import Context, Template, check
from registry.urn import Finding, Severity
from tests.template.samples import FORMAL, INFORMAL, REVISION

CONTEXT = Context()


def on_the_rule(template: Template) -> list[Finding]:
    """Return the findings on the rule."""
    return [each for each in check(template, CONTEXT) if each.check.startswith("grammar.")]


@pytest.mark.parametrize("sample", [FORMAL, INFORMAL, REVISION], ids=lambda each: str(each.nid))
def test_nothing_is_said_of_a_rule_that_holds(sample: Template) -> None:
    assert on_the_rule(sample) == []


@pytest.mark.parametrize(
    ("changes", "name", "section", "words"),
    [
        pytest.param(
            {"grammar": 'nss = "a" "b'}, "unreadable", "grammar", "(line 1, column 11)", id="5234"
        ),
        pytest.param(
            {"examples": ("urn:seedbank:NVF/42", "urn:seedbank:NVF/4x")},
            "refuses",
            "examples",
            "Example 2, “urn:seedbank:NVF/4x”, does not fit the rule.",
            id="6.4.2-example",
        ),
        pytest.param(
            {"counter_examples": ("urn:seedbank:NVF/42",)},
            "takes",
            "counter_examples",
            "Counter-example 1, “urn:seedbank:NVF/42”, fits the rule",
            id="6.4.2-counter-example",
        ),
        pytest.param(
            {"grammar": FORMAL.grammar + "\nDIGIT = %x30-39"},
            "repeated",
            "grammar",
            "DIGIT",
            id="5234-B.1-core-rule",
        ),
    ],
)
def test_fault_of_the_rule_is_told_and_stands_in_nobodys_way(
    changes: dict[str, object], name: str, section: str, words: str
) -> None:
    found = [each for each in on_the_rule(FORMAL.replace(**changes)) if each.check.endswith(name)]

    assert [each.section for each in found] == [section]
    assert words in found[0].message
    assert found[0].severity is not Severity.BLOCK


def test_misfit_of_an_example_is_located_with_what_was_expected() -> None:
    text = FORMAL.replace(examples=("urn:seedbank:NVF/42", "urn:seedbank:NVF/4x"))

    message = on_the_rule(text)[0].message

    assert "character 19" in message.lower()
    assert "a digit" in message


@pytest.mark.parametrize("kind", ["", "opaque", "algorithmic"])
def test_invalid_grammar_is_not_tried_on_examples(kind: str) -> None:
    assert on_the_rule(FORMAL.replace(grammar_kind=kind, grammar="(((")) == []


def test_components_of_an_example_do_not_count() -> None:
    text = FORMAL.replace(examples=("urn:seedbank:NVF/42?=x", "urn:seedbank:NVF/42#y"))

    assert on_the_rule(text) == []

"""Grammars in the style of those that namespaces have registered."""

from __future__ import annotations

import pytest

from registry.grammar import Answer, read
from registry.urn import Severity, is_valid
from tests.grammar.namespace_grammars import (
    ALL,
    BOOKS,
    DEVICES,
    LIBRARIES,
    URNS,
)


def test_book_numbers_are_whole_names() -> None:
    grammar = read(BOOKS, nid="bookno")

    answers = [
        grammar.matches(name).answer
        for name in (
            "urn:bookno:978-0-395-36341-6",
            "URN:BOOKNO:039536341x",
            "urn:bookno:978039536341X",
            "urn:bookno:0395",
        )
    ]

    assert answers == [Answer.YES, Answer.YES, Answer.NO, Answer.NO]
    assert (grammar.scope, grammar.nid, grammar.findings) == ("whole", "bookno", ())
    assert grammar.counter_example() is None


def test_book_number_agrees_with_its_expression() -> None:
    expression = "(?i)^urn:bookno:(97[89]-?([0-9]-?){9}[0-9]|([0-9]-?){9}[0-9X])$"

    comparison = read(BOOKS).compare(read(expression, "regex"))

    assert comparison.answer is Answer.YES


def test_names_of_libraries_repeat_a_rule_of_rfc_3986() -> None:
    grammar = read(LIBRARIES, nid="natl")

    assert grammar.matches("urn:natl:de:101-201101212%C3%A9").answer is Answer.YES
    assert grammar.matches("urn:natl:de-a/b").position == len("urn:natl:de-a")
    assert grammar.counter_example() is None
    assert [(each.check, each.severity) for each in grammar.findings] == [
        ("grammar.repeated", Severity.NOTE)
    ]


def test_devices_are_read_strictly_by_the_letter_of_their_grammar() -> None:
    grammar = read(DEVICES, nid="gadget")

    strict = grammar.matches("urn:gadget:MAC:0024befffe804ff1")

    assert grammar.matches("urn:gadget:mac:0024befffe804ff1").answer is Answer.YES
    assert grammar.matches("urn:gadget:org:32473-foo:bar_port3").answer is Answer.YES
    assert (strict.answer, strict.position) == (Answer.NO, len("urn:gadget:"))
    assert [(each.check, each.severity) for each in grammar.findings] == [
        ("grammar.repeated", Severity.NOTE)
    ]


def test_rules_of_rfc_8141_have_the_names_that_the_library_accepts() -> None:
    grammar = read(URNS)

    names = [*grammar.samples(60), "urn:a:b", "urn:ab:/", "urn:ab:c?+d", "urn:ab:c#", "urn:-a:b"]

    assert {name: grammar.matches(name).answer is Answer.YES for name in names} == {
        name: is_valid(name) for name in names
    }


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_samples_fit_the_grammar_they_are_drawn_from(text: str) -> None:
    grammar = read(text)

    samples = grammar.samples(30, seed=8141)

    assert len(samples) == 30
    assert {grammar.matches(name).answer for name in samples} == {Answer.YES}

"""Grammars and examples within the text of Syntax."""

from __future__ import annotations

import pytest

from registry.grammar import Answer, read as read_grammar
from registry.template.reading import FoundGrammar, Reading, read
from registry.template.reading.grammar_search import find_examples
from registry.template.text import write
from tests.template.reading.sample_texts import text_of
from tests.template.samples import FORMAL


def only_grammar(reading: Reading) -> FoundGrammar:
    (found,) = reading.grammars
    return found


def test_rules_between_sentences_are_put_together() -> None:
    found = only_grammar(read(text_of("grammar_in_abnf.txt")))

    assert (found.kind, found.start) == ("abnf", "clasp-nss")
    assert found.grammar == (
        'clasp-nss = maker ":" number\n'
        "maker     = 1*ALPHA   ; as entered in the book\n"
        "number    = 1*6DIGIT /\n"
        '            "x"'
    )


def test_grammar_that_was_found_takes_the_examples_that_were_found() -> None:
    reading = read(text_of("grammar_in_abnf.txt"))
    grammar = read_grammar(only_grammar(reading).grammar, nid="clasp")

    assert reading.examples == ("urn:clasp:hemford:42", "urn:clasp:eyelet:x")
    assert [grammar.matches(name).answer for name in reading.examples] == [Answer.YES] * 2


def test_older_notation_is_converted() -> None:
    found = only_grammar(read(text_of("grammar_in_bnf.txt")))

    assert found.start == "tassel-NSS"
    assert found.grammar == (
        'tassel-NSS = maker ":" number [ suffix ]\n'
        "maker = 1*( upper / lower )\n"
        "number = 1*digit\n"
        'digit = "0" / "1" / "2" / "3" / "4" / "5" / "6" / "7" / "8" / "9"\n'
        'suffix = "-" lower\n'
        "upper = %x41-5A\n"
        "lower = %x61-7A"
    )
    assert found.remarks == (
        "It was converted from the notation with “::=”; look it over.",
        "Added from RFC 2141, section 2: upper, lower.",
    )


def test_examples_stand_in_sections_of_their_own_and_patterns_are_none() -> None:
    assert read(text_of("grammar_in_bnf.txt")).examples == (
        "urn:tassel:hemford:12",
        "urn:tassel:Hemford:3-a",
    )


def test_regular_expression_is_found_across_two_lines() -> None:
    found, broken = read(text_of("grammar_as_expression.txt")).grammars

    assert (found.kind, found.grammar) == ("regex", "^urn:zip:[a-z]{2,8}:[0-9]+$")
    assert (broken.kind, broken.grammar) == ("", "")
    assert broken.written == 'zip-name = "urn:zip:" ( letters'
    assert broken.problem.startswith("“(” is not closed")


@pytest.mark.parametrize(
    ("syntax", "start"),
    [
        ('number = 1*DIGIT\nname = "urn:hatpin:" number', "name"),
        ('number = 1*DIGIT\nNSS = head ":" number\nhead = 1*ALPHA', "NSS"),
        ('head = "a" / "b"\nwhole = head number\nnumber = 1*DIGIT', "whole"),
    ],
)
def test_start_rule_begins_with_the_namespace_or_is_used_by_no_other(
    syntax: str, start: str
) -> None:
    indented = syntax.replace("\n", "\n   ")

    found = only_grammar(read(f"Namespace Identifier: hatpin\n\nSyntax:\n   {indented}\n"))

    assert found.start == start
    assert found.grammar.startswith(f"{start} =")


def test_examples_choose_between_rules_that_no_other_uses() -> None:
    text = (
        "Namespace Identifier: hatpin\n\nSyntax:\n   old = 3ALPHA\n   new = 1*DIGIT\n\n"
        "   as in urn:hatpin:42\n"
    )

    assert only_grammar(read(text)).start == "new"


def test_rule_that_cannot_be_read_is_left_out_and_named() -> None:
    text = (
        "Namespace Identifier: hatpin\n\nSyntax:\n   name = head number\n"
        '   head = "a" / "b"\n   number = 1*DIGIT\n   odd = ( head\n'
    )

    found = only_grammar(read(text))

    assert found.kind == "abnf"
    assert found.remarks == ("Not understood, and left out: odd.",)


def test_explanations_with_an_equals_sign_are_no_rules() -> None:
    text = (
        "Namespace Identifier: hatpin\n\nSyntax:\n   urn:hatpin:N, where\n\n"
        "   N = number of the pin in the book\n   X = unknown pin\n"
    )

    assert read(text).grammars == ()


def test_grammar_and_examples_in_fields_of_their_own_are_not_offered_again() -> None:
    reading = read(write(FORMAL))

    assert FORMAL.grammar
    assert (reading.grammars, reading.examples) == ((), ())


def test_grammars_stand_in_the_section_that_syntax_refers_to() -> None:
    text = (
        "2.  Names\n\n   name = 2ALPHA 4DIGIT\n\n   urn:hatpin:ab1234\n\n3.  Registration\n\n"
        "   Namespace Identifier: hatpin\n\n   Registrant: Guild\n\n   Syntax: See Section 2.\n"
    )

    reading = read(text)

    assert only_grammar(reading).grammar == "name = 2ALPHA 4DIGIT"
    assert reading.examples == ("urn:hatpin:ab1234",)


@pytest.mark.parametrize(
    "line",
    [
        "urn:hatpin:<number>",
        "urn:hatpin:{number}",
        "urn:hatpin:...",
        "urn:hatpin:",
        "urn:hatpin:NUMBER, where NUMBER is that of the pin",
        "urn:hatpin:12% is invalid",
        "urn:other:12",
    ],
)
def test_placeholder_or_foreign_name_is_no_example(line: str) -> None:
    assert read(f"Namespace Identifier: hatpin\n\nSyntax: Digits.\n\n   {line}\n").examples == ()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('"urn:hatpin:12",', "urn:hatpin:12"),
        ("(urn:hatpin:12).", "urn:hatpin:12"),
        ("URN:HATPIN:a;b", "URN:HATPIN:a;b"),
        ("urn:hatpin:is(02-023r4):3", "urn:hatpin:is(02-023r4):3"),
        ("urn:hatpin:long-\n   part", "urn:hatpin:long-part"),
    ],
)
def test_example_ends_where_the_sentence_goes_on(line: str, name: str) -> None:
    reading = read(f"Namespace Identifier: hatpin\n\nSyntax: Digits.\n\n   {line}\n")

    assert reading.examples == (name,)


def test_find_examples_takes_names_on_lines_of_their_own_in_a_section_of_examples() -> None:
    text = "urn:kite:doc:ABC:One\n\n   - identifies the document of ABC."

    assert find_examples("kite", [text]) == ()
    assert find_examples("kite", [], [text]) == ("urn:kite:doc:ABC:One",)

"""Grammars in the notations that people write into Syntax, alone and mixed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from registry.grammar import Answer, read as read_grammar
from registry.template.reading import FoundGrammar, read
from tests.endless import stopped_if_endless

DATA = Path(__file__).with_name("grammars_in_syntax.toml")
GRAMMARS = tomllib.loads(DATA.read_text("utf-8"))["grammar"]
READABLE = [each for each in GRAMMARS if "problem" not in each]
UNREADABLE = [each for each in GRAMMARS if "problem" in each]


def find_only_grammar(each: dict[str, Any]) -> FoundGrammar:
    rules = each["syntax"].strip("\n").replace("\n", "\n   ")
    examples = "".join(f"\n   {name}\n" for name in each.get("examples", ()))
    text = f"Namespace Identifier: abcde\n\nSyntax:\n   {rules}\n{examples}"
    (found,) = read(text).grammars
    return found


def list_quoted(remarks: tuple[str, ...], sentence: str) -> list[str]:
    """The names in quotation marks in the remarks that have a sentence."""
    return [name for each in remarks if sentence in each for name in re.findall("“(.+?)”", each)]


@pytest.mark.parametrize("each", READABLE, ids=lambda each: each["says"])
def test_grammar_is_read_whole_or_says_what_it_lacks(each: dict[str, Any]) -> None:
    found = find_only_grammar(each)
    grammar = read_grammar(found.grammar, nid="abcde")
    undefined = list_quoted(found.remarks, "is used and not defined")
    rivals = list_quoted(found.remarks, "describes whole names too")
    literals = list_quoted(found.remarks, "Taken as text")

    assert (found.kind, found.start) == ("abnf", each["start"])
    assert {rule.name for rule in grammar.rules} >= set(each.get("rules", [each["start"]]))
    for name in each.get("accepts", ()):
        assert (name, grammar.matches(name).answer) == (name, Answer.YES)
    for name in each.get("refuses", ()):
        assert (name, grammar.matches(name).answer) == (name, Answer.NO)
    assert undefined == each.get("undefined", [])
    assert rivals[1:] == each.get("rivals", [])
    assert literals == each.get("taken_as_text", [])
    assert [rule.first for rule in found.left_out] == each.get("lines", [])


@pytest.mark.parametrize("each", UNREADABLE, ids=lambda each: each["says"])
def test_grammar_without_its_start_gives_the_reason(each: dict[str, Any]) -> None:
    found = find_only_grammar(each)

    assert (found.kind, found.grammar) == ("", "")
    assert each["problem"] in found.problem
    assert found.written == each["syntax"].strip("\n")


@pytest.mark.parametrize(
    "piece", ["(", "{", "[", "/* ", "(* ", "<a>", '"a"', "'a'", "| ", "a ", ",", "1*"]
)
@pytest.mark.parametrize("sign", ["=", "::="])
def test_hostile_rule_is_read(sign: str, piece: str) -> None:
    text = f"Namespace Identifier: abcde\n\nSyntax:\n   nss {sign} {piece * 30_000}\n"

    with stopped_if_endless():
        assert read(text).template.nid == "abcde"


def test_line_that_is_left_out_is_quoted_with_its_number_and_the_reason() -> None:
    text = "Namespace Identifier: abcde\n\nSyntax:\n   nss = 2no\n   no = the number of a plan\n"
    (found,) = read(text).grammars

    assert found.all_remarks[-1] == (
        "Left out, line 5: “no = the number of a plan”. It is in words, and not in the signs of a"
        " grammar."
    )


def test_names_that_syntax_leaves_undefined_are_defined_by_another_section() -> None:
    text = (
        "2.  Grammar of plans\n\n   no = 1*6DIGIT\n\n   colour = 1*ALPHA\n\n3.  Registration\n\n"
        "   Namespace Identifier: abcde\n\n   Registrant: Office\n\n"
        '   Syntax: See also Section 2.\n\n      nss = "p" no\n'
    )
    (found,) = read(text).grammars

    assert found.grammar == 'nss = "p" no\nno = 1*6DIGIT'
    assert found.remarks == ("Taken from another section: no.",)

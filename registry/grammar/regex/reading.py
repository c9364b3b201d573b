"""From the text of a regular expression to what it says."""

from __future__ import annotations

import re
from typing import Final

from registry.grammar.charset import ALL, CharSet
from registry.grammar.errors import NotDecided
from registry.grammar.expression import (
    Expression,
    Terminal,
    Undecidable,
    alternation,
    character,
    concatenation,
)
from registry.grammar.limits import DEEPEST_BRACKETS
from registry.grammar.regex.anchors import BEGINNING, END, without_anchors
from registry.grammar.regex.classes import character_class
from registry.grammar.regex.escapes import escape
from registry.grammar.regex.groups import opening
from registry.grammar.regex.quantifiers import is_quantifier, quantified
from registry.grammar.regex.text import Text

_ANY: Final = ALL.minus(CharSet.from_text("\n"))
_ANCHORS: Final = {"^": BEGINNING, "$": END}
_ESCAPED_ANCHORS: Final = {"A": BEGINNING, "Z": END, "z": END}
_ELSEWHERE: Final = "An anchor stands elsewhere than at the beginning or end; this is not decided."
_DELIMITED: Final = re.compile(r"/\^.*\$/[a-z]*", re.DOTALL)


def expression(text: str) -> Expression:
    """What a regular expression says.

    Raises `GrammarSyntaxError` where it is none. One that is right and goes beyond what is tried
    here is `Undecidable`, with the reason.
    """
    read = _trimmed(text)
    try:
        either_case = read.skip("(?i)")
        found = _alternation(read, either_case)
    except NotDecided as reason:
        return Undecidable(str(reason))
    if not read.is_done:
        raise read.error("“)” closes nothing", "Take it out; for the sign itself, write “\\)”.")
    return without_anchors(found)


def _trimmed(text: str) -> Text:
    """The one line of an expression, without the blank lines and blanks around it."""
    line = text.strip(" \t\r\n\ufeff")
    before = text[: text.find(line)] if line else ""
    read = Text(line, 0, before.count("\n") + 1, len(before) - before.rfind("\n") - 1)
    if not line:
        raise read.error("There is no expression here", "Write one, such as [a-z]+.")
    at = next((at for at, char in enumerate(line) if char in "\r\n"), None)
    if at is not None:
        raise read.error("The expression goes on after its line", "Put all on one line.", at)
    if _DELIMITED.fullmatch(line):
        raise read.error("The expression stands between slashes", "Leave the slashes out.")
    return read


def _alternation(text: Text, either_case: bool) -> Expression:
    options = [_concatenation(text, either_case)]
    while text.skip("|"):
        options.append(_concatenation(text, either_case))
    return alternation(options)


def _concatenation(text: Text, either_case: bool) -> Expression:
    parts = []
    while text.next not in ("", "|", ")"):
        if is_quantifier(text):
            mend = f"For the sign itself, write “\\{text.next}”."
            raise text.error(f"Nothing stands before “{text.next}” to be repeated", mend)
        parts.append(quantified(_atom(text, either_case), text))
    return concatenation(parts)


def _atom(text: Text, either_case: bool) -> Expression:
    char = text.take()
    if char in _ANCHORS:
        return Undecidable(_ELSEWHERE, _ANCHORS[char])
    if char == "(":
        return _group(text, either_case)
    if char == "[":
        return Terminal(character_class(text, either_case=either_case))
    if char == ".":
        return Terminal(_ANY)
    if char == "\\":
        return _escaped(text, either_case)
    return character(char, either_case=either_case)


def _escaped(text: Text, either_case: bool) -> Expression:
    edge = _ESCAPED_ANCHORS.get(text.next)
    if edge is not None:
        text.take()
        return Undecidable(_ELSEWHERE, edge)
    charset = escape(text)
    return Terminal(charset.either_case() if either_case else charset)


def _group(text: Text, either_case: bool) -> Expression:
    opened = text.at - 1
    text.depth += 1
    if text.depth > DEEPEST_BRACKETS:
        what = f"Groups stand in groups more than {DEEPEST_BRACKETS} deep"
        raise text.error(what, "Leave out those that are not needed.", opened)
    either_case = opening(text, either_case)
    found = _alternation(text, either_case)
    if not text.skip(")"):
        mend = "Write “)” where the group ends; for the sign itself, “\\(”."
        raise text.error("“(” is not closed", mend, opened)
    text.depth -= 1
    return found

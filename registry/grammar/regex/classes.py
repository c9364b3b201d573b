"""Classes: the characters between square brackets."""

from __future__ import annotations

from typing import Final

from registry.grammar.charset import CharSet
from registry.grammar.regex.escapes import escape
from registry.grammar.regex.text import Text

_NAMED: Final = ("[:", "[.", "[=")


def character_class(text: Text, *, either_case: bool) -> CharSet:
    """The characters of a class; `text` is read from behind its opening bracket on."""
    opened = text.at - 1
    is_negated = text.skip("^")
    found: list[CharSet] = []
    while not (text.next == "]" and found):
        if text.is_done:
            mend = "Write “]” where the class ends; for the bracket itself, “\\[”."
            raise text.error("“[” is not closed", mend, opened)
        if text.text[text.at : text.at + 2] in _NAMED:
            mend = "List the characters: a-z, 0-9."
            raise text.error("Classes with names are not read in every dialect", mend)
        found.append(_item(text))
    text.take()
    charset = CharSet.union(found)
    charset = charset.either_case() if either_case else charset
    return charset.complement() if is_negated else charset


def _item(text: Text) -> CharSet:
    """A character, a range or an escape within a class."""
    at = text.at
    low = _one(text)
    after = text.text[text.at + 1 : text.at + 2]
    if text.next != "-" or after in ("]", ""):
        return low
    text.take()
    high = _one(text)
    if low.size != 1 or high.size != 1:
        mend = "For a hyphen itself, put it last in the class."
        raise text.error("A range goes from one character to another", mend, at)
    if low.ranges[0][0] > high.ranges[0][0]:
        mend = "Put the character with the smaller number first."
        raise text.error("The range ends before it begins", mend, at)
    return CharSet.of((low.ranges[0][0], high.ranges[0][0]))


def _one(text: Text) -> CharSet:
    char = text.take()
    if char != "\\":
        return CharSet.from_text(char)
    if text.skip("b"):
        return CharSet.from_text("\b")
    return escape(text)

"""What a backslash and what follows it stand for."""

from __future__ import annotations

import re
from typing import Final

from registry.grammar.charset import LAST, CharSet
from registry.grammar.errors import GrammarSyntaxError, NotDecided
from registry.grammar.regex.text import Text

DIGIT: Final = CharSet.of((48, 57))
WORD: Final = CharSet.of((48, 57), (65, 90), (95, 95), (97, 122))
SPACE: Final = CharSet.from_text(" \t\n\r\f\v")
_CLASSES: Final = {
    "d": DIGIT,
    "D": DIGIT.complement(),
    "w": WORD,
    "W": WORD.complement(),
    "s": SPACE,
    "S": SPACE.complement(),
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_LENGTHS: Final = {"x": 2, "u": 4, "U": 8}
_OCTAL: Final = re.compile("0[0-7]{0,2}|[0-3][0-7]{2}")
_MEND: Final = "For the character itself, leave the backslash out."


def escape(text: Text) -> CharSet:
    """The characters that an escape stands for; `text` is read from behind its backslash on.

    Raises `GrammarSyntaxError` where it has no meaning, and `NotDecided` where it has one that is
    not ours.
    """
    at = text.at - 1
    char = text.next
    if not char:
        raise text.error(
            "Nothing follows the backslash", "For a backslash itself, write “\\\\”.", at
        )
    if char in _CLASSES:
        text.take()
        return _CLASSES[char]
    if char in _CONTROLS:
        return CharSet.from_text(_CONTROLS[text.take()])
    if char in _LENGTHS:
        return _by_number(text, _LENGTHS[text.take()], at)
    if char.isascii() and char.isdigit():
        return _octal(text, at)
    if char.isascii() and char.isalpha():
        raise _letter(text, char, at)
    return CharSet.from_text(text.take())


def _by_number(text: Text, length: int, at: int) -> CharSet:
    digits = text.take(length)
    if not re.fullmatch(f"[0-9A-Fa-f]{{{length}}}", digits):
        raise text.error(f"The escape is not followed by {length} hexadecimal digits", _MEND, at)
    code = int(digits, 16)
    if code > LAST:
        raise text.error("No character has this number", "The last one is \\U0010FFFF.", at)
    return CharSet.of((code, code))


def _octal(text: Text, at: int) -> CharSet:
    match = _OCTAL.match(text.text, text.at)
    if match is None:
        raise NotDecided(
            f"A reference to a group ({text.place(at)}) compares parts of a name;"
            " this is not decided here."
        )
    text.take(len(match.group()))
    code = int(match.group(), 8)
    return CharSet.of((code, code))


def _letter(text: Text, char: str, at: int) -> GrammarSyntaxError | NotDecided:
    if char in "bBpPXRhHNGKkQECc":
        return NotDecided(
            f"“\\{char}” ({text.place(at)}) is not among the escapes that are tried here."
        )
    return text.error(f"“\\{char}” has no meaning", _MEND, at)

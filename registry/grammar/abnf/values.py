"""What strings, numbers and repeats stand for (RFC 5234, sections 2.3, 3.4, 3.6; RFC 7405)."""

from __future__ import annotations

import re
from typing import Final

from registry.grammar.abnf.tokens import Token
from registry.grammar.charset import LAST, CharSet
from registry.grammar.errors import GrammarSyntaxError
from registry.grammar.expression import (
    Expression,
    Reference,
    Terminal,
    Undecidable,
    concatenation,
    literal,
    repetition,
)
from registry.grammar.limits import MOST_REPEATS

_BASES: Final = {"b": 2, "d": 10, "x": 16}
_DIGITS: Final = {2: "[01]+", 10: "[0-9]+", 16: "[0-9A-Fa-f]+"}
_RULENAME: Final = re.compile("[A-Za-z][A-Za-z0-9-]*")
# More digits than any number has that we follow; Python, too, has its limits.
_LONGEST_NUMBER: Final = 24


def string(token: Token) -> Expression:
    """A quoted string: letters in either case, unless `%s` stands in front."""
    before, text, _ = token.text.split('"')
    return literal(text, either_case=before.lower() != "%s")


def number(token: Token) -> Expression:
    """A character by its number, several in a row, or a range of them."""
    base = _BASES[token.text[1].lower()]
    first, dash, last = token.text[2:].partition("-")
    if dash:
        return _range(token, _code(token, first, base), _code(token, last, base))
    codes = [_code(token, digits, base) for digits in first.split(".")]
    return concatenation(Terminal(CharSet.of((code, code))) for code in codes)


def _range(token: Token, first: int, last: int) -> Expression:
    if first > last:
        raise token.error(
            f"The range “{token.text}” ends before it begins", "Put the smaller number first."
        )
    return Terminal(CharSet.of((first, last)))


def _code(token: Token, digits: str, base: int) -> int:
    if not re.fullmatch(_DIGITS[base], digits):
        raise _not_in_base(token, digits, base)
    significant = digits.lstrip("0") or "0"
    code = int(significant, base) if len(significant) <= _LONGEST_NUMBER else LAST + 1
    if code > LAST:
        raise token.error(
            f"No character has the number “{_shortened(token.text)}”",
            "The last one is %x10FFFF; write octets one by one, %xC3.A9.",
        )
    return code


def _not_in_base(token: Token, digits: str, base: int) -> GrammarSyntaxError:
    mark = token.text[:2]
    what = f"“{_shortened(digits)}” is no number to the base {base}, which “{mark}” announces"
    return token.error(what, "Numbers with letters in them are hexadecimal: %x41.")


def prose(token: Token) -> Expression:
    """Angle brackets: the rule of that name (section 2.1), or words for people (section 4)."""
    text = token.text[1:-1]
    if _RULENAME.fullmatch(text):
        return Reference(text)
    return Undecidable(f"“{_shortened(token.text)}” is meant for people; no machine can try it.")


def repeated(token: Token, body: Expression) -> Expression:
    """`body` as often as `token` says."""
    least, most = repeats(token)
    if max(least, most or 0) > MOST_REPEATS:
        return Undecidable(
            f"“{_shortened(token.text)}” repeats more often than we follow, {MOST_REPEATS:,} times."
        )
    return repetition(body, least, most)


def repeats(token: Token) -> tuple[int, int | None]:
    """At least and at most how often; raises `GrammarSyntaxError` where that is never."""
    low, star, high = token.text.partition("*")
    least = _count(low) if low else 0
    most = (_count(high) if high else None) if star else least
    if most is not None and most < least:
        raise token.error(
            f"“{_shortened(token.text)}” asks for more than it allows",
            "Put the smaller number first.",
        )
    return least, most


def _count(digits: str) -> int:
    significant = digits.lstrip("0") or "0"
    return int(significant[:_LONGEST_NUMBER])


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"

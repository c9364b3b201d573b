"""What people type where ABNF has nothing of the kind, and what they may have meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from registry.grammar.errors import GrammarSyntaxError
from registry.urn.characters import describe

_NAME: Final = re.compile("[A-Za-z0-9_-]+")
_ENTITY: Final = re.compile("&#?[A-Za-z0-9]+;")
_VISIBLE: Final = frozenset(map(chr, range(0x20, 0x7F)))

_MEANT: Final = {
    **dict.fromkeys("“”„‟«»″＂", 'Use the straight quotation mark: ".'),
    **dict.fromkeys("'‘’‚‛`´", 'Put quotation marks around literal text: "…".'),
    **dict.fromkeys("‐‑‒–—−", "Use the plain hyphen: -."),
    **dict.fromkeys("|¦", "Write “/” between alternatives."),
    **dict.fromkeys("{}", "Write how often in front: 3DIGIT, 1*3DIGIT, *DIGIT."),
    "+": "Write “1*” in front of what is there once or more.",
    "?": "Put square brackets around what may be left out.",
    "#": 'ABNF has no lists: write item *("," item). A remark begins with “;”.',
    "^": "This looks like a regular expression: choose that kind of rule.",
    "$": "This looks like a regular expression: choose that kind of rule.",
    "\\": "ABNF has no escapes: write the character by its number, such as %x5C.",
    "-": "A hyphen joins two numbers, %x41-5A, or stands inside a name.",
    ".": "A full stop joins numbers alone, %x41.42.",
    ",": "Put a space between what follows one another.",
    "~": "ABNF cannot take characters out: list those that may stand.",
}


def no_token(line: int, text: str, at: int) -> GrammarSyntaxError:
    """Why nothing of ABNF begins at `at`, a 0-based place in the line `text`."""
    special = _SPECIAL.get(text[at])
    if special is not None:
        at, what, mend = special(text, at)
    else:
        what = f"ABNF has no place for {describe(text[at])}"
        mend = _MEANT.get(text[at]) or _quoted(text[at])
    return GrammarSyntaxError(line, at + 1, what, mend)


def _quoted(char: str) -> str:
    if char in _VISIBLE:
        return f'Where names have it, put it in quotation marks: "{char}".'
    return f"Where names have it, write its number: %x{ord(char):02X}."


def _quotation(text: str, at: int) -> tuple[int, str, str]:
    """A quotation mark that is not closed, or closed behind what cannot be quoted."""
    close = text.find('"', at + 1)
    inside = text[at + 1 : close if close > 0 else len(text)]
    odd = next((place for place, char in enumerate(inside) if char not in _VISIBLE), None)
    if odd is not None:
        what = f"Quotation marks cannot hold {describe(inside[odd])}"
        meant = _MEANT.get(inside[odd]) if close < 0 else None
        return at + 1 + odd, what, meant or _by_number(inside[odd])
    return at, "This quotation mark is not closed on its line", "Put another at the end."


def _by_number(char: str) -> str:
    return f"Close them and write it by its number: %x{ord(char):02X}."


def _angle(text: str, at: int) -> tuple[int, str, str]:
    mend = "Put “>” at the end, on the same line, or write a rule in its place."
    return at, "What “<” opens is not closed", mend


def _percent(text: str, at: int) -> tuple[int, str, str]:
    mend = 'Write %x41, %d65 or %b1000001; for the sign itself, "%".'
    return at, "No number follows “%”", mend


def _underscore(text: str, at: int) -> tuple[int, str, str]:
    name = _NAME.search(text, _start_of_word(text, at))
    meant = name.group().replace("_", "-").strip("-") if name else ""
    mend = f"Write “{meant}”, wherever it is used." if meant else 'For the sign itself, "_".'
    return at, "Names of rules have letters, digits and hyphens, and no “_”", mend


def _start_of_word(text: str, at: int) -> int:
    while at > 0 and _NAME.match(text[at - 1]):
        at -= 1
    return at


def _colon(text: str, at: int) -> tuple[int, str, str]:
    if re.match(":+=", text[at:]):
        return at, "Between a name and its rule ABNF has no colon", "Write “=” alone."
    return at, "ABNF has no place for “:”", _quoted(":")


def _ampersand(text: str, at: int) -> tuple[int, str, str]:
    entity = _ENTITY.match(text, at)
    if entity:
        mend = "It comes from a web page: write the sign that it stands for."
        return at, f"ABNF has no place for “{entity.group()}”", mend
    return at, "ABNF has no place for “&”", _quoted("&")


_SPECIAL: Final[dict[str, Callable[[str, int], tuple[int, str, str]]]] = {
    '"': _quotation,
    "<": _angle,
    "%": _percent,
    "_": _underscore,
    ":": _colon,
    "&": _ampersand,
}

"""How often something is repeated."""

from __future__ import annotations

import re
from typing import Final

from registry.grammar.errors import NotDecided
from registry.grammar.expression import Expression, Undecidable, repetition
from registry.grammar.limits import MOST_REPEATS
from registry.grammar.regex.text import Text

_SIGNS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_BRACES: Final = re.compile(r"\{([0-9]*)(?:(,)([0-9]*))?\}")
_MOST_DIGITS: Final = 18


def quantified(body: Expression, text: Text) -> Expression:
    """`body` as often as what comes next in `text` says; once where it says nothing."""
    at = text.at
    found = _quantifier(text)
    if found is None:
        return body
    if isinstance(body, Undecidable) and body.edge and text.text[at - 1] != ")":
        raise text.error("An anchor cannot be repeated", "Leave the quantifier out.", at)
    if text.skip("+"):
        raise NotDecided(
            f"A possessive quantifier ({text.place(at)}) depends on the order of trying;"
            " this is not decided here."
        )
    # Lazy or greedy, an expression has the same names.
    text.skip("?")
    again = text.at
    if _quantifier(text) is not None:
        mend = "Put a group around what the second repeats."
        raise text.error("Two quantifiers stand behind one another", mend, again)
    return _repeated(body, *found, text.text[at:again])


def is_quantifier(text: Text) -> bool:
    """Whether a quantifier comes next."""
    return text.next in _SIGNS or _braces(text) is not None


def _repeated(body: Expression, least: int, most: int | None, written: str) -> Expression:
    if max(least, most or 0) > MOST_REPEATS:
        return Undecidable(
            f"“{written[:40]}” repeats more often than we follow, {MOST_REPEATS:,} times."
        )
    return repetition(body, least, most)


def _quantifier(text: Text) -> tuple[int, int | None] | None:
    """At least and at most how often, read from `text`; `None` where no quantifier comes next."""
    if text.next in _SIGNS:
        return _SIGNS[text.take()]
    match = _braces(text)
    if match is None:
        return None
    least = _count(match.group(1)) or 0
    most = _count(match.group(3)) if match.group(2) else least
    if most is not None and most < least:
        raise text.error(f"“{match.group()[:40]}” asks for more than it allows", "Turn them round.")
    text.take(len(match.group()))
    return least, most


def _braces(text: Text) -> re.Match[str] | None:
    match = _BRACES.match(text.text, text.at)
    return match if match and (match.group(1) or match.group(2)) else None


def _count(digits: str) -> int | None:
    return int(digits.lstrip("0")[:_MOST_DIGITS] or "0") if digits else None

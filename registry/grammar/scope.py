"""Whether a grammar describes whole names or only what follows the NID, and what RFC 8141 asks."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from registry.grammar.automaton import Automaton, automaton
from registry.grammar.bits import numbers
from registry.grammar.charset import CharSet
from registry.grammar.expression import (
    Alternation,
    Expression,
    Reference,
    Repetition,
    Terminal,
    alternation,
    concatenation,
    literal,
)
from registry.grammar.limits import Effort
from registry.grammar.machine import Machine, after
from registry.grammar.place import END
from registry.grammar.rulebook import Rulebook
from registry.urn.nid import PLACEHOLDER, canonical, informal_number

_SCHEME: Final = "urn:"
_LONGEST_NID: Final = 32
_MANY: Final = 200
_PREFIX: Final = re.compile("[Uu][Rr][Nn]:([A-Za-z0-9-]+):")
_COMPONENTS: Final = re.compile(r"\?[+=]|#")


class Scope(StrEnum):
    """What the names of a grammar are: all of a URN (its assigned-name), or its NSS alone."""

    WHOLE = "whole"
    NSS = "nss"


def scope(whole: Automaton) -> tuple[Scope, str]:
    """The scope of a grammar, and the NID that all its names have, if it is always the same.

    A grammar describes whole names where each of them begins with "urn:" in some case.
    """
    onward = whole.start
    for char in _SCHEME:
        if _only_letter(whole, onward) != char:
            return Scope.NSS, ""
        onward = after(whole, onward)
    return Scope.WHOLE, _nid(whole, onward)


def _nid(whole: Automaton, onward: int) -> str:
    chars: list[str] = []
    while len(chars) <= _LONGEST_NID:
        char = _only_letter(whole, onward)
        if char in ("", ":"):
            return "".join(chars) if char else ""
        chars.append(char)
        onward = after(whole, onward)
    return ""


def _only_letter(whole: Automaton, onward: int) -> str:
    """The one character that can come next, in lower case; empty where there are others."""
    if not onward or onward & END or onward.bit_count() > _MANY:
        return ""
    charset = CharSet.union(whole.places[number].charset for number in numbers(onward))
    char = chr(charset.ranges[-1][1])
    lower = char.lower() if char.isascii() else char
    return lower if charset.is_within(CharSet.from_text(lower).either_case()) else ""


def split_name(name: str) -> tuple[str, int]:
    """The NID of a name written in full and where its NSS begins; ("", 0) where it is not."""
    match = _PREFIX.match(name)
    return (match.group(1), match.end()) if match else ("", 0)


def without_components(name: str) -> str:
    """A name written in full up to its r-, q- and f-components (RFC 8141, section 2.3)."""
    prefix = _PREFIX.match(name)
    components = _COMPONENTS.search(name, prefix.end()) if prefix else None
    return name[: components.start()] if components else name


def is_same_nid(nid: str, wanted: str) -> bool:
    """Whether `nid` is `wanted`, or any informal one where that is the placeholder "urn-N"."""
    if wanted.lower() == PLACEHOLDER.lower() and informal_number(nid) is not None:
        return True
    return canonical(nid) == canonical(wanted)


def with_prefix(nid: str, nss: Expression) -> Expression:
    """Whole names: the scheme and `nid`, in any case, and an NSS such as `nss`."""
    return concatenation((literal(_SCHEME), nid_expression(nid), literal(":"), nss))


def nid_expression(nid: str) -> Expression:
    """What may stand as NID: `nid` in any case, any informal one for "urn-N", or any at all."""
    if not nid:
        return Reference("NID")
    if nid.lower() != PLACEHOLDER.lower():
        return literal(nid)
    first, digit = (Terminal(CharSet.of((ord(low), ord("9")))) for low in "10")
    number = concatenation((first, Repetition(digit, 0, _LONGEST_NID - len(PLACEHOLDER))))
    return concatenation((literal(PLACEHOLDER[:-1]), alternation((number, literal("N")))))


@lru_cache(maxsize=64)
def permitted(kind: Scope, nid: str) -> Automaton:
    """What RFC 8141, section 2 lets stand as an NSS, or as a whole name with `nid`."""
    nss = Reference("NSS")
    expression = nss if kind is Scope.NSS else with_prefix(nid, nss)
    return automaton(expression, Rulebook(), Effort())


def nothing() -> Machine:
    """A machine that accepts no name at all."""
    return Machine(_nothing())


@cache
def _nothing() -> Automaton:
    return automaton(Alternation(), Rulebook(), Effort())

"""Whether a grammar describes whole names or only what follows the NID, and what RFC 8141 asks."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from registry.grammar.alphabet import NAME_END, CharSet, iterate_bits
from registry.grammar.automaton import Automaton, Machine, build_automaton, find_followers
from registry.grammar.errors import Effort
from registry.grammar.expression import (
    Alternation,
    Expression,
    Repetition,
    RuleReference,
    Terminal,
    make_alternation,
    make_concatenation,
    make_literal,
)
from registry.grammar.rule_set import RuleSet
from registry.urn.nid import PLACEHOLDER, canonical, informal_number

_SCHEME: Final = "urn:"
_MAX_NID_LENGTH: Final = 32
_MAX_PLACES: Final = 200
_PREFIX: Final = re.compile("[Uu][Rr][Nn]:([A-Za-z0-9-]+):")
_COMPONENTS: Final = re.compile(r"\?[+=]|#")


class Scope(StrEnum):
    """What the names of a grammar are: all of a URN (its assigned-name), or its NSS alone."""

    WHOLE = "whole"
    NSS = "nss"


def find_scope(whole: Automaton) -> tuple[Scope, str]:
    """The scope of a grammar, and the NID that all its names have, if it is always the same.

    A grammar describes whole names where each of them begins with "urn:" in some case.
    """
    onward = whole.start
    for char in _SCHEME:
        if _find_only_letter(whole, onward) != char:
            return Scope.NSS, ""
        onward = find_followers(whole, onward)
    return Scope.WHOLE, _find_nid(whole, onward)


def _find_nid(whole: Automaton, onward: int) -> str:
    chars: list[str] = []
    while len(chars) <= _MAX_NID_LENGTH:
        char = _find_only_letter(whole, onward)
        if char in ("", ":"):
            return "".join(chars) if char else ""
        chars.append(char)
        onward = find_followers(whole, onward)
    return ""


def _find_only_letter(whole: Automaton, onward: int) -> str:
    """The one character that can come next, in lower case; empty where there are others."""
    if not onward or onward & NAME_END or onward.bit_count() > _MAX_PLACES:
        return ""
    charset = CharSet.union(whole.places[number].charset for number in iterate_bits(onward))
    char = chr(charset.ranges[-1][1])
    lower = char.lower() if char.isascii() else char
    return lower if charset.is_within(CharSet.from_text(lower).either_case()) else ""


def split_full_name(name: str) -> tuple[str, int]:
    """The NID of a name written in full and where its NSS begins; ("", 0) where it is not."""
    match = _PREFIX.match(name)
    return (match.group(1), match.end()) if match else ("", 0)


def strip_components(name: str) -> str:
    """A name written in full up to its r-, q- and f-components (RFC 8141, section 2.3)."""
    prefix = _PREFIX.match(name)
    components = _COMPONENTS.search(name, prefix.end()) if prefix else None
    return name[: components.start()] if components else name


def is_same_nid(nid: str, wanted: str) -> bool:
    """Whether `nid` is `wanted`, or any informal one where that is the placeholder "urn-N"."""
    if wanted.lower() == PLACEHOLDER.lower() and informal_number(nid) is not None:
        return True
    return canonical(nid) == canonical(wanted)


def add_prefix(nid: str, nss: Expression) -> Expression:
    """Whole names: the scheme and `nid`, in any case, and an NSS such as `nss`."""
    return make_concatenation(
        (make_literal(_SCHEME), build_nid_expression(nid), make_literal(":"), nss)
    )


def build_nid_expression(nid: str) -> Expression:
    """What may stand as NID: `nid` in any case, any informal one for "urn-N", or any at all."""
    if not nid:
        return RuleReference("NID")
    if nid.lower() != PLACEHOLDER.lower():
        return make_literal(nid)
    first, digit = (Terminal(CharSet.of((ord(low), ord("9")))) for low in "10")
    number = make_concatenation((first, Repetition(digit, 0, _MAX_NID_LENGTH - len(PLACEHOLDER))))
    return make_concatenation(
        (make_literal(PLACEHOLDER[:-1]), make_alternation((number, make_literal("N"))))
    )


@lru_cache(maxsize=64)
def build_permitted_automaton(kind: Scope, nid: str) -> Automaton:
    """What RFC 8141, section 2 lets stand as an NSS, or as a whole name with `nid`."""
    nss = RuleReference("NSS")
    expression = nss if kind is Scope.NSS else add_prefix(nid, nss)
    return build_automaton(expression, RuleSet(), Effort())


def build_empty_machine() -> Machine:
    """A machine that accepts no name at all."""
    return Machine(_build_empty_automaton())


@cache
def _build_empty_automaton() -> Automaton:
    return build_automaton(Alternation(), RuleSet(), Effort())

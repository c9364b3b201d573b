"""All that keeps a text from being a URN, in the order in which it is met."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from registry.urn.anatomy import Part, dissect
from registry.urn.diagnosis import cause_within, diagnose
from registry.urn.errors import URNSyntaxError
from registry.urn.syntax import ALPHANUM, HEXDIGS, NAMESTRING, PCHAR_SET

_MOST: Final = 100
_BAD_IN_NID: Final = re.compile(f"[^{ALPHANUM}-]")
_BAD_IN_NSS: Final = re.compile(f"[^{PCHAR_SET}/%]|%(?!{HEXDIGS})")
_BAD_IN_OTHERS: Final = re.compile(f"[^{PCHAR_SET}/?%]|%(?!{HEXDIGS})")


def problems(text: str, most: int = _MOST) -> tuple[URNSyntaxError, ...]:
    """What keeps `text` from being a URN, from left to right, `most` at most; `()` for a URN.

    The first is the one that `parse` raises. The others are what is left when it is put right.
    """
    if NAMESTRING.fullmatch(text):
        return ()
    first = diagnose(text)
    later = (problem for problem in _all(text) if problem.position > first.position)
    return (first, *islice(later, most - 1))


def _all(text: str) -> Iterator[URNSyntaxError]:
    for part in dissect(text):
        yield from _in_nid(text, part) if part.component == "nid" else _in_part(text, part)


def _in_nid(text: str, part: Part) -> Iterator[URNSyntaxError]:
    alone = f"{text[: part.end]}:-"
    reached = part.start
    if not NAMESTRING.fullmatch(alone):
        first = diagnose(alone)
        reached = first.position + 1
        yield URNSyntaxError(text, first.position, first.cause)
    for match in _BAD_IN_NID.finditer(text, reached, part.end):
        yield URNSyntaxError(text, match.start(), cause_within(text, match.start(), "nid"))


def _in_part(text: str, part: Part) -> Iterator[URNSyntaxError]:
    component, start, end = part
    first = text[start : start + 1]
    if component != "f" and (start == end or first in ("/", "?")):
        yield URNSyntaxError(text, start, cause_within(text, start, component, first=True))
    bad = _BAD_IN_NSS if component == "nss" else _BAD_IN_OTHERS
    for match in bad.finditer(text, start, end):
        position = match.start()
        if position > start or component == "f" or first not in ("/", "?"):
            yield URNSyntaxError(text, position, cause_within(text, position, component))

"""All the reasons why a text is not a URN, from left to right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from .errors import URNSyntaxError, require_text
from .faults import find_cause, find_first_fault
from .syntax import ALPHANUM, HEXDIGS, PCHAR_SET, WHOLE_URN, ComponentSpan, split_components

_MAX_PROBLEMS: Final = 100
_BAD_IN_NID: Final = re.compile(f"[^{ALPHANUM}-]")
_BAD_IN_NSS: Final = re.compile(f"[^{PCHAR_SET}/%]|%(?!{HEXDIGS})")
_BAD_IN_OTHERS: Final = re.compile(f"[^{PCHAR_SET}/?%]|%(?!{HEXDIGS})")


def problems(text: str, most: int = _MAX_PROBLEMS) -> tuple[URNSyntaxError, ...]:
    """Why `text` is not a URN, from left to right, with at most `most` problems; `()` for a URN.

    The first is the one that `parse` raises. The others remain when it is fixed.
    """
    require_text(text)
    if WHOLE_URN.fullmatch(text):
        return ()
    first = URNSyntaxError(text)
    later = (problem for problem in _find_problems(text) if problem.position > first.position)
    return (first, *islice(later, most - 1))


def _find_problems(text: str) -> Iterator[URNSyntaxError]:
    for part in split_components(text):
        yield from (
            _find_nid_problems(text, part)
            if part.component == "nid"
            else _find_component_problems(text, part)
        )


def _find_nid_problems(text: str, part: ComponentSpan) -> Iterator[URNSyntaxError]:
    alone = f"{text[: part.end]}:-"
    reached = part.start
    if not WHOLE_URN.fullmatch(alone):
        position, cause = find_first_fault(alone)
        reached = position + 1
        yield URNSyntaxError(text, position, cause)
    for match in _BAD_IN_NID.finditer(text, reached, part.end):
        yield URNSyntaxError(text, match.start(), find_cause(text, match.start(), "nid"))


def _find_component_problems(text: str, part: ComponentSpan) -> Iterator[URNSyntaxError]:
    component, start, end = part
    first = text[start : start + 1]
    if component != "f" and (start == end or first in ("/", "?")):
        yield URNSyntaxError(text, start, find_cause(text, start, component, first=True))
    bad = _BAD_IN_NSS if component == "nss" else _BAD_IN_OTHERS
    for match in bad.finditer(text, start, end):
        position = match.start()
        if position > start or component == "f" or first not in ("/", "?"):
            yield URNSyntaxError(text, position, find_cause(text, position, component))

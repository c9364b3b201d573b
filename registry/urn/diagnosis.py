"""Where and why a text stops being a URN: the first problem, and all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from registry.urn import errors
from registry.urn.errors import Cause, URNSyntaxError
from registry.urn.syntax import (
    ALPHANUM,
    HEXDIGS,
    NAMESTRING,
    PCHAR_SET,
    REACH,
    ComponentSpan,
    split_components,
)

_LDH: Final = re.compile(f"[{ALPHANUM}-]*+")
_PARTS: Final = ("scheme", "nid", "nss", "r", "q", "f")
_URN: Final = "urn:"
_COMPONENT_MARKS: Final = {"?+": "r", "?=": "q"}
_ENDS: Final = frozenset({"", "#"})
_NEVER_FIRST: Final = frozenset({"/", "?"})


def diagnose_text(text: str) -> URNSyntaxError:
    """The first thing that keeps `text`, which is not a URN, from being one (RFC 8141, section 2).

    Reads the text once, whatever is in it. The answer for a text that is a URN has no meaning.
    """
    reach = REACH.match(text)
    if reach is None:
        return URNSyntaxError(text, measure_scheme(text), errors.SCHEME_MISSING)
    component, end = _PARTS[reach.lastindex or 0], reach.end()
    if component == "scheme":
        return _diagnose_nid(text)
    if component == "nid":
        return URNSyntaxError(text, end, find_cause(text, end, "nss", first=True))
    at = text[end]
    if at == "?" and text[end : end + 2] in _COMPONENT_MARKS:
        opened = _COMPONENT_MARKS[text[end : end + 2]]
        return URNSyntaxError(text, end + 2, find_cause(text, end + 2, opened, first=True))
    return URNSyntaxError(text, end, _find_character_cause(at, component))


def measure_scheme(text: str) -> int:
    """How many characters of `text` agree with "urn:"; a foreign letter never does."""
    for index, expected in enumerate(_URN):
        if text[index : index + 1] not in (expected, expected.upper()):
            return index
    return len(_URN)


def _diagnose_nid(text: str) -> URNSyntaxError:
    run = _LDH.match(text, len(_URN))
    start, end = len(_URN), run.end() if run else len(_URN)
    if text.startswith("-", start):
        return URNSyntaxError(text, start, errors.NID_HYPHEN)
    if end - start > 32:
        return URNSyntaxError(text, start + 32, errors.NID_LONG)
    if text[end : end + 1] not in ("", ":"):
        return URNSyntaxError(text, end, find_cause(text, end, "nid"))
    if end == start:
        return URNSyntaxError(text, start, errors.NID_MISSING)
    if end - start == 1:
        return URNSyntaxError(text, end, errors.NID_SHORT)
    if text[end - 1] == "-":
        return URNSyntaxError(text, end - 1, errors.NID_HYPHEN)
    return URNSyntaxError(text, end, errors.NSS_MISSING)


def find_cause(text: str, position: int, component: str, *, first: bool = False) -> Cause:
    """Why the character at `position` cannot stand in `component`, or as the first one of it."""
    at = text[position : position + 1]
    opens = text[position : position + 2] in _COMPONENT_MARKS
    if first and (at in _ENDS or opens) and component in errors.EMPTY_CAUSES:
        return errors.EMPTY_CAUSES[component]
    if first and at in _NEVER_FIRST and component in errors.BEGINNING_CAUSES:
        return errors.BEGINNING_CAUSES[component]
    return errors.CHARACTER_CAUSES[component] if opens else _find_character_cause(at, component)


def _find_character_cause(at: str, component: str) -> Cause:
    """Why the character `at` cannot stand in `component`, wherever in it."""
    if at.isascii():
        return errors.SPECIAL_CAUSES.get((component, at)) or errors.CHARACTER_CAUSES[component]
    is_lone = "\ud800" <= at <= "\udfff"
    return errors.SURROGATE_CAUSES[component] if is_lone else errors.FOREIGN_CAUSES[component]


_MAX_PROBLEMS: Final = 100
_BAD_IN_NID: Final = re.compile(f"[^{ALPHANUM}-]")
_BAD_IN_NSS: Final = re.compile(f"[^{PCHAR_SET}/%]|%(?!{HEXDIGS})")
_BAD_IN_OTHERS: Final = re.compile(f"[^{PCHAR_SET}/?%]|%(?!{HEXDIGS})")


def problems(text: str, most: int = _MAX_PROBLEMS) -> tuple[URNSyntaxError, ...]:
    """What keeps `text` from being a URN, from left to right, `most` at most; `()` for a URN.

    The first is the one that `parse` raises. The others are what is left when it is put right.
    """
    if NAMESTRING.fullmatch(text):
        return ()
    first = diagnose_text(text)
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
    if not NAMESTRING.fullmatch(alone):
        first = diagnose_text(alone)
        reached = first.position + 1
        yield URNSyntaxError(text, first.position, first.cause)
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

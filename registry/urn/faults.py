"""Where a text stops being a URN, and why: its first fault (RFC 8141, section 2)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from . import causes
from .causes import Cause
from .characters import find_undecoded_octet
from .syntax import ALPHANUM, REACH

MAX_NID_LENGTH: Final = 32
_LDH: Final = re.compile(f"[{ALPHANUM}-]*+")
_PARTS: Final = ("scheme", "nid", "nss", "r", "q", "f")
_URN: Final = "urn:"
_COMPONENT_MARKS: Final = {"?+": "r", "?=": "q"}
_ENDS: Final = frozenset({"", "#"})
_NEVER_FIRST: Final = frozenset({"/", "?"})


class Fault(NamedTuple):
    """The 0-based index of the first invalid character, and why it is invalid."""

    position: int
    cause: Cause


def find_first_fault(text: str) -> Fault:
    """The first reason why `text` is not a URN.

    Reads the text once, whatever is in it. The result for a URN has no meaning.
    """
    reach = REACH.match(text)
    if reach is None:
        return Fault(measure_scheme(text), causes.SCHEME_MISSING)
    component, end = _PARTS[reach.lastindex or 0], reach.end()
    if component == "scheme":
        return _find_nid_fault(text)
    if component == "nid":
        return Fault(end, find_cause(text, end, "nss", first=True))
    at = text[end]
    if at == "?" and text[end : end + 2] in _COMPONENT_MARKS:
        opened = _COMPONENT_MARKS[text[end : end + 2]]
        return Fault(end + 2, find_cause(text, end + 2, opened, first=True))
    return Fault(end, _find_character_cause(at, component))


def measure_scheme(text: str) -> int:
    """How many characters of `text` agree with "urn:"; a lookalike letter never does."""
    for index, expected in enumerate(_URN):
        if text[index : index + 1] not in (expected, expected.upper()):
            return index
    return len(_URN)


def _find_nid_fault(text: str) -> Fault:
    run = _LDH.match(text, len(_URN))
    start, end = len(_URN), run.end() if run else len(_URN)
    last = start + MAX_NID_LENGTH - 1
    if text.startswith("-", start):
        return Fault(start, causes.NID_HYPHEN)
    if end > last and text[last] == "-":
        return Fault(last, causes.NID_FULL)
    if end - start > MAX_NID_LENGTH:
        return Fault(last + 1, causes.NID_LONG)
    if text[end : end + 1] not in ("", ":"):
        return Fault(end, find_cause(text, end, "nid"))
    if end == start:
        return Fault(start, causes.NID_MISSING)
    if end - start == 1:
        return Fault(end, causes.NID_SHORT)
    if text[end - 1] == "-":
        return Fault(end - 1, causes.NID_HYPHEN)
    return Fault(end, causes.NSS_MISSING)


def find_cause(text: str, position: int, component: str, *, first: bool = False) -> Cause:
    """Why the character at `position` cannot be in `component`, or begin it."""
    at = text[position : position + 1]
    opens = text[position : position + 2] in _COMPONENT_MARKS
    if first and (at in _ENDS or opens) and component in causes.EMPTY_CAUSES:
        return causes.EMPTY_CAUSES[component]
    if first and component == "nss" and text.startswith("//", position):
        return causes.NSS_ADDRESS
    if first and at in _NEVER_FIRST and component in causes.BEGINNING_CAUSES:
        return causes.BEGINNING_CAUSES[component]
    return causes.CHARACTER_CAUSES[component] if opens else _find_character_cause(at, component)


def _find_character_cause(at: str, component: str) -> Cause:
    """Why the character `at` cannot be anywhere in `component`."""
    if at.isascii():
        return causes.SPECIAL_CAUSES.get((component, at)) or causes.CHARACTER_CAUSES[component]
    if find_undecoded_octet(at) is not None:
        return causes.UNDECODED_CAUSES[component]
    is_lone = "\ud800" <= at <= "\udfff"
    return causes.SURROGATE_CAUSES[component] if is_lone else causes.FOREIGN_CAUSES[component]

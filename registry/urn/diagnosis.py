"""Where and why a text stops being a URN."""

from __future__ import annotations

import re
from typing import Final

from registry.urn import causes
from registry.urn.errors import Cause, URNSyntaxError
from registry.urn.syntax import ALPHANUM, REACH

_LDH: Final = re.compile(f"[{ALPHANUM}-]*+")
_PARTS: Final = ("scheme", "nid", "nss", "r", "q", "f")
_URN: Final = "urn:"
_OPENED: Final = {"?+": "r", "?=": "q"}
_ENDS: Final = frozenset({"", "#"})
_NEVER_FIRST: Final = frozenset({"/", "?"})


def diagnose(text: str) -> URNSyntaxError:
    """The first thing that keeps `text`, which is not a URN, from being one (RFC 8141, section 2).

    Reads the text once, whatever is in it. The answer for a text that is a URN has no meaning.
    """
    reach = REACH.match(text)
    if reach is None:
        return URNSyntaxError(text, scheme_reach(text), causes.SCHEME)
    component, end = _PARTS[reach.lastindex or 0], reach.end()
    if component == "scheme":
        return _in_nid(text)
    if component == "nid":
        return URNSyntaxError(text, end, cause_within(text, end, "nss", first=True))
    at = text[end]
    if at == "?" and text[end : end + 2] in _OPENED:
        opened = _OPENED[text[end : end + 2]]
        return URNSyntaxError(text, end + 2, cause_within(text, end + 2, opened, first=True))
    return URNSyntaxError(text, end, _cause(at, component))


def scheme_reach(text: str) -> int:
    """How many characters of `text` agree with "urn:"; a foreign letter never does."""
    for index, expected in enumerate(_URN):
        if text[index : index + 1] not in (expected, expected.upper()):
            return index
    return len(_URN)


def _in_nid(text: str) -> URNSyntaxError:
    run = _LDH.match(text, len(_URN))
    start, end = len(_URN), run.end() if run else len(_URN)
    if text.startswith("-", start):
        return URNSyntaxError(text, start, causes.NID_HYPHEN)
    if end - start > 32:
        return URNSyntaxError(text, start + 32, causes.NID_LONG)
    if text[end : end + 1] not in ("", ":"):
        return URNSyntaxError(text, end, cause_within(text, end, "nid"))
    if end == start:
        return URNSyntaxError(text, start, causes.NID_MISSING)
    if end - start == 1:
        return URNSyntaxError(text, end, causes.NID_SHORT)
    if text[end - 1] == "-":
        return URNSyntaxError(text, end - 1, causes.NID_HYPHEN)
    return URNSyntaxError(text, end, causes.NSS_MISSING)


def cause_within(text: str, position: int, component: str, *, first: bool = False) -> Cause:
    """Why the character at `position` cannot stand in `component`, or as the first one of it."""
    at = text[position : position + 1]
    opens = text[position : position + 2] in _OPENED
    if first and (at in _ENDS or opens) and component in causes.EMPTY:
        return causes.EMPTY[component]
    if first and at in _NEVER_FIRST and component in causes.BEGINNINGS:
        return causes.BEGINNINGS[component]
    return causes.CHARACTERS[component] if opens else _cause(at, component)


def _cause(at: str, component: str) -> Cause:
    """Why the character `at` cannot stand in `component`, wherever in it."""
    if at.isascii():
        return causes.SPECIAL.get((component, at)) or causes.CHARACTERS[component]
    is_lone = "\ud800" <= at <= "\udfff"
    return causes.SURROGATES[component] if is_lone else causes.FOREIGN[component]

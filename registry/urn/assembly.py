"""Putting the parts of a URN together, so that they are read back as the same parts."""

from __future__ import annotations

import re
from typing import Final, TypedDict

from registry.urn.diagnosis import cause_within, diagnose
from registry.urn.errors import URNSyntaxError
from registry.urn.syntax import ALPHANUM, F_COMPONENT, NID, NSS, Q_COMPONENT, R_COMPONENT

# Component, what introduces it, and what it may hold, in the order they stand in a URN.
_PARTS: Final = tuple(
    (component, mark, re.compile(pattern))
    for component, mark, pattern in (
        ("nid", "urn:", NID),
        ("nss", ":", NSS),
        ("r", "?+", R_COMPONENT),
        ("q", "?=", Q_COMPONENT),
        ("f", "#", F_COMPONENT),
    )
)
_STRAY_IN_NID: Final = re.compile(f"[^{ALPHANUM}-]")


class Parts(TypedDict, total=False):
    """Parts of a URN by the names of its attributes; `None` is a component that is absent."""

    nid: str
    nss: str
    r_component: str | None
    q_component: str | None
    f_component: str | None


def compose(
    nid: str,
    nss: str,
    r_component: str | None = None,
    q_component: str | None = None,
    f_component: str | None = None,
) -> str:
    """The text of the URN with these parts, each already percent-encoded.

    Raises `URNSyntaxError` where a part cannot stand in its place; its `text` is the whole that
    was put together and its `position` counts in that.
    """
    parts = (nid, nss, r_component, q_component, f_component)
    given = [
        (component, mark, pattern, part)
        for (component, mark, pattern), part in zip(_PARTS, parts, strict=True)
        if part is not None
    ]
    text = "".join(mark + part for _, mark, _, part in given)
    start = 0
    for component, mark, pattern, part in given:
        start += len(mark)
        if not pattern.fullmatch(part):
            raise _misplaced(text, start, component, part, pattern)
        start += len(part)
    return text


def _misplaced(
    text: str, start: int, component: str, part: str, pattern: re.Pattern[str]
) -> URNSyntaxError:
    stray = _STRAY_IN_NID.search(part) if component == "nid" else None
    if component == "nid" and stray is None:
        return diagnose(text)
    reach = pattern.match(part)
    end = start + (stray.start() if stray else reach.end() if reach else 0)
    return URNSyntaxError(text, end, cause_within(text, end, component, first=end == start))

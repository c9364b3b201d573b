"""When two URNs are the same name, and where they differ (RFC 8141, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .urn import URN

_HAS_LOWER: Final = re.compile("%[0-9A-F]?+[a-f]")
_RUN_OF_TRIPLETS: Final = re.compile("(?:%[0-9A-Fa-f]{2})++")


def fold_assigned_name(nid: str, nss: str) -> str:
    """Fold what section 3.1 folds, and nothing else, in the two parts of a URN."""
    return f"urn:{nid.lower()}:{fold_percent_octets(nss)}"


def fold_percent_octets(text: str) -> str:
    """`text` with the hexadecimal digits of each percent-octet in upper case."""
    if _HAS_LOWER.search(text) is None:
        return text
    return _RUN_OF_TRIPLETS.sub(_uppercase_match, text)


def _uppercase_match(match: re.Match[str]) -> str:
    return match.group().upper()


_RULE: Final = "RFC 8141, section 3.1"
_FOLDS: Final[dict[str, Callable[[str], str]]] = {
    "scheme": str.lower,
    "nid": str.lower,
    "percent": fold_percent_octets,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two URNs are equivalent, and why.

    `folded` says where only the case differs that section 3.1 folds (`scheme`, `nid`, `percent`),
    `ignored` which components differ that it leaves out (`r`, `q`, `f`). `part` is the first part
    that differs (`nid` or `nss`, empty if they are equivalent) and `positions` the 0-based index in
    each text of the first differing character.
    """

    is_equivalent: bool
    folded: tuple[str, ...]
    ignored: tuple[str, ...]
    part: str = ""
    positions: tuple[int, int] | None = None
    rule: str = _RULE


def compare(first: URN, second: URN) -> Comparison:
    """Compare two URNs by section 3.1, and say which of its rules decided."""
    for given in (first, second):
        if not hasattr(given, "assigned_name"):
            raise TypeError(
                f"A URN is asked for, and this is of type {type(given).__name__}: parse it first."
            )
    folded, ignored = _list_folded(first, second), _list_ignored(first, second)
    if first.is_equivalent_to(second):
        return Comparison(True, folded, ignored)
    if first.nid.lower() != second.nid.lower():
        start = len("urn:") + _count_agreeing(first.nid.lower(), second.nid.lower())
        return Comparison(False, folded, ignored, "nid", (start, start))
    offset = len("urn::") + _count_agreeing(
        fold_percent_octets(first.nss), fold_percent_octets(second.nss)
    )
    positions = (offset + len(first.nid), offset + len(second.nid))
    return Comparison(False, folded, ignored, "nss", positions)


def _list_folded(first: URN, second: URN) -> tuple[str, ...]:
    spelled = {
        "scheme": (first.text[:3], second.text[:3]),
        "nid": (first.nid, second.nid),
        "percent": (first.nss, second.nss),
    }
    return tuple(
        name
        for name, (one, other) in spelled.items()
        if one != other and _FOLDS[name](one) == _FOLDS[name](other)
    )


def _list_ignored(first: URN, second: URN) -> tuple[str, ...]:
    components = {
        "r": (first.r_component, second.r_component),
        "q": (first.q_component, second.q_component),
        "f": (first.f_component, second.f_component),
    }
    return tuple(name for name, (one, other) in components.items() if one != other)


def _count_agreeing(first: str, second: str) -> int:
    """How many characters at the beginning of two texts are the same."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((index for index, (one, other) in pairs if one != other), shorter)

"""Namespace identifiers: their kinds, and which may be requested (RFC 8141, 5.1 and 5.2)."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Final, Literal

from registry.urn.finding import Finding
from registry.urn.nid_repair import repaired_nids
from registry.urn.nid_rules import broken, canonical

__all__ = [
    "PLACEHOLDER",
    "canonical",
    "check",
    "informal_number",
    "kind",
    "next_informal",
    "suggestions",
]

PLACEHOLDER: Final = "urn-N"
_INFORMAL: Final = re.compile("[Uu][Rr][Nn]-([1-9][0-9]{0,27})")


def check(text: str, taken: Container[str] = ()) -> tuple[Finding, ...]:
    """Every hard rule that keeps `text` from being registered as a formal NID, in order.

    `taken` holds the registered NIDs, deprecated and obsolete ones too. `()` means that it may be
    registered. The rules are those of RFC 8141, sections 2 and 5.1, and one of our own.
    """
    findings = tuple(broken(text, taken))
    offers = suggestions(text, taken) if findings else ()
    if not offers:
        return findings
    tried = f" Try {' or '.join(offers)}."
    return tuple(replace(finding, mend=finding.mend + tried) for finding in findings)


def suggestions(text: str, taken: Container[str] = ()) -> tuple[str, ...]:
    """Identifiers close to `text` that could be registered, two at most, likeliest first."""
    free = (offer for offer in repaired_nids(text) if not any(broken(offer, taken)))
    return tuple(offer for offer, _ in zip(free, range(2), strict=False))


def kind(text: str) -> Literal["formal", "informal"] | None:
    """What sort of namespace `text` can name by sections 5.1 and 5.2; `None` where neither."""
    if informal_number(text) is not None:
        return "informal"
    return None if any(broken(text)) else "formal"


def informal_number(text: str) -> int | None:
    """The number in an informal NID such as `urn-7` (section 5.2); `None` for any other text."""
    match = _INFORMAL.fullmatch(text)
    return int(match.group(1)) if match else None


def next_informal(taken: Iterable[str]) -> str:
    """The informal NID after the highest among `taken`: none is skipped, none used again."""
    numbers = (informal_number(text) or 0 for text in taken)
    return f"urn-{max(numbers, default=0) + 1}"

"""Two texts compared as URNs."""

from __future__ import annotations

from dataclasses import dataclass

from registry import urn as urns
from registry.desk.inspection import Inspection, inspect


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, each read for itself, and their comparison where both are URNs."""

    first: Inspection
    second: Inspection
    comparison: urns.Comparison | None

    @property
    def malformed(self) -> tuple[Inspection, ...]:
        """Those of the two that are not URNs, and so cannot be compared."""
        return tuple(each for each in (self.first, self.second) if each.urn is None)


def compare(first: str, second: str) -> Pair:
    """Compare two texts by RFC 8141, section 3.1, if both are URNs."""
    one, other = inspect(first), inspect(second)
    both = urns.compare(one.urn, other.urn) if one.urn and other.urn else None
    return Pair(one, other, both)

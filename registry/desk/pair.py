"""Two texts compared as URNs."""

from __future__ import annotations

from dataclasses import dataclass

from registry import urn as urns
from registry.desk.inspection import Inspection, inspect
from registry.rulebook import Equivalence, rule as rule_of


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, each read for itself, and their comparison where both are URNs.

    `by_namespace` compares them by what their registered namespace declares beyond RFC 8141; it
    is none where they have not one namespace, or no rule of it is held.
    """

    first: Inspection
    second: Inspection
    comparison: urns.Comparison | None
    by_namespace: Equivalence | None = None

    @property
    def is_merged(self) -> bool:
        """Whether only their namespace makes the two the same name."""
        if self.by_namespace is None or self.comparison is None:
            return False
        return self.by_namespace.is_equivalent and not self.comparison.is_equivalent

    @property
    def malformed(self) -> tuple[Inspection, ...]:
        """Those of the two that are not URNs, and so cannot be compared."""
        return tuple(each for each in (self.first, self.second) if each.urn is None)


def compare(first: str, second: str) -> Pair:
    """Compare two texts, if both are URNs, by RFC 8141, section 3.1, and by their namespace."""
    one, other = inspect(first), inspect(second)
    if not (one.urn and other.urn):
        return Pair(one, other, None)
    return Pair(one, other, urns.compare(one.urn, other.urn), by_namespace(one, other))


def by_namespace(one: Inspection, other: Inspection) -> Equivalence | None:
    """Compare two URNs by the rule of their namespace, if they have one and it is held."""
    if not (one.urn and other.urn and one.namespace) or one.namespace != other.namespace:
        return None
    rule = rule_of(one.namespace.nid)
    return rule.are_equivalent(one.urn, other.urn) if rule else None

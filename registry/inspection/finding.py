"""What the rule of a registered namespace says about a URN."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from registry.namespace_rules import NamePart, Ruling
from registry.selectors.name_rules import NameRule
from registry.urn import URN


class RuleStanding(StrEnum):
    """Whether a URN follows the rule of its registered namespace. It is a URN in every case."""

    FOLLOWS = "follows"
    AGAINST = "against"
    DOUBTFUL = "doubtful"
    NOT_DECIDED = "not decided"
    NO_RULE = "no rule"


@dataclass(frozen=True, slots=True)
class NamespaceFinding:
    """The finding on one URN. If no rule is held there is no ruling, and everything else is empty.

    `position` counts from 0 in the URN as it was written.
    """

    rule: NameRule | None
    ruling: Ruling | None

    @property
    def standing(self) -> RuleStanding:
        """Which of the findings it is."""
        return RuleStanding(self.ruling.outcome) if self.ruling else RuleStanding.NO_RULE

    @property
    def message(self) -> str:
        """The finding as a sentence, empty if no rule is held."""
        return self.ruling.message if self.ruling else ""

    @property
    def document(self) -> str:
        """The document that the finding is based on."""
        return self.ruling.source if self.ruling else ""

    @property
    def position(self) -> int | None:
        """Where the URN stops following the rule."""
        return self.ruling.position if self.ruling else None

    @property
    def preferred(self) -> str:
        """The whole URN in the form its namespace prefers, empty if it has none."""
        return self.ruling.preferred if self.ruling else ""

    @property
    def parts(self) -> tuple[NamePart, ...]:
        """The parts of the NSS, if the rule knows them."""
        return self.ruling.parts if self.ruling else ()

    @property
    def left_open(self) -> str:
        """What the rule does not check."""
        return self.rule.left_open if self.rule else ""


def check_against_rule(urn: URN, rule: NameRule | None) -> NamespaceFinding:
    """Check a URN against the rule of its namespace, if one is held."""
    return NamespaceFinding(rule, rule.check(urn) if rule else None)

"""What a grammar says of one name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Answer(StrEnum):
    """Yes, no, or that nobody looked far enough to say."""

    YES = "yes"
    NO = "no"
    NOT_DECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a name fits.

    Where it does not, `position` is the 0-based index of the first character that cannot stand,
    or the length of the name where it ends too early; `expected` says in words what could stand
    there and `found` what does, and `rule` which rule says so, empty where there are several or it
    has no name. Where nothing is decided, `reason` says why.
    """

    answer: Answer
    position: int | None = None
    expected: str = ""
    found: str = ""
    rule: str = ""
    reason: str = ""

    @property
    def message(self) -> str:
        """The verdict as a sentence, positions counted from 1 as people count."""
        if self.position is None:
            return self.reason or "The name fits."
        rule = f" by the rule “{self.rule}”" if self.rule else ""
        wanted = f"{self.expected} was expected{rule}."
        if not self.found:
            return f"The name ends after character {self.position}, where {wanted}"
        return f"At character {self.position + 1} there is {self.found}, where {wanted}"


YES: Final = Verdict(Answer.YES)


def not_decided(reason: object) -> Verdict:
    """Nothing was decided, for this reason."""
    return Verdict(Answer.NOT_DECIDED, reason=str(reason))

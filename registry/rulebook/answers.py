"""What a rule answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """Whether a name follows its rule; `DOUBTFUL` is a matter for people, and no verdict."""

    FOLLOWS = "follows"
    AGAINST = "against"
    DOUBTFUL = "doubtful"
    NOT_DECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a name: what it is called, how it is written, and what it means where known."""

    name: str
    text: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule says of one name.

    `check` is a stable id such as `rulebook.check-digits`; `source` cites the document. `position`
    is the 0-based index, in the text that was given, of the first character at fault, or the
    length of the text where it ends too early. `preferred` is the whole URN in the form its
    namespace prefers, empty where it has none; `parts` explain a name that is not against its
    rule.
    """

    outcome: Outcome
    check: str
    message: str
    source: str
    position: int | None = None
    preferred: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two names are the same, and by which rule.

    `source` cites the rule that decided, `merges` are the equivalences of the namespace that were
    needed, in its order; none where RFC 8141, section 3.1 alone decided.
    """

    is_equivalent: bool
    message: str
    source: str
    merges: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.is_equivalent

"""What is refused, what is not decided, and the limits of what is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class GrammarSyntaxError(ValueError):
    """A text is not a grammar of the given kind.

    `line` and `column` count from 1 and point at the first invalid character. `str()` is a message
    that can be shown, consisting of `message` (what and where) and `mend` (how to fix it).
    """

    def __init__(self, line: int, column: int, what: str, mend: str) -> None:
        super().__init__(line, column, what, mend)
        self.line = line
        self.column = column
        self.what = what
        self.mend = mend

    @property
    def message(self) -> str:
        """What is wrong, and where, counted from 1 as people count."""
        return f"{self.what} (line {self.line}, column {self.column})."

    def __str__(self) -> str:
        return f"{self.message} {self.mend}"


class NotDecided(Exception):
    """A question has an answer that we do not search for; `str()` is a reason that can be shown."""


# Effort is counted and not timed, so a question has the same answer on every machine. The limits
# are many times what the grammars of registered namespaces take.

LONGEST_TEXT: Final = 20_000
"""Characters of a grammar, including comments and layout."""
LONGEST_NAME: Final = 100_000
MAX_TOKENS: Final = 1_200
MAX_BRACKET_DEPTH: Final = 24
MAX_RULE_DEPTH: Final = 120
"""How deeply expressions, and the rules that they name, may be nested."""
MAX_REPEATS: Final = 5_000
MAX_POSITIONS: Final = 5_000
"""Places for a character in the grammar, once repeats are written out."""
MAX_RUNS: Final = 5_000
"""Runs of characters where the grammar treats neighbours differently."""
MAX_REMEMBERED_STATES: Final = 4_000
"""How much a grammar remembers of names already tried, before it starts afresh."""
MOST_SAMPLES: Final = 100


@dataclass(slots=True)
class Effort:
    """How many steps may still be taken. Several questions can share one."""

    left: int = 500_000

    @classmethod
    def for_a_name(cls) -> Effort:
        """The effort for trying one name, small enough for a list of them."""
        return cls(200_000)

    def spend(self, steps: int) -> None:
        """Use up `steps`; raises `NotDecided` once there are none left."""
        self.left -= steps
        if self.left < 0:
            raise NotDecided("The answer would take more steps than we allow for one question.")

"""What is refused, what is not decided, and the bounds of what is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class GrammarSyntaxError(ValueError):
    """A text is no grammar of the kind it was said to be.

    `line` and `column` count from 1 and point at the first character that cannot stand. `str()`
    is a message fit to show, made of `message` (what and where) and `mend` (how to put it right).
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
    """A question has an answer that is not looked for; `str()` is the reason, fit to show."""


# Everything is counted and nothing timed, so a question has the same answer on every machine. The
# figures are many times what the grammars of registered namespaces take.

LONGEST_TEXT: Final = 20_000
"""Characters of a grammar, its comments and layout included."""
LONGEST_NAME: Final = 100_000
MAX_TOKENS: Final = 1_200
MAX_BRACKET_DEPTH: Final = 24
MAX_RULE_DEPTH: Final = 120
"""How far expressions, and the rules that they name, may stand inside one another."""
MAX_REPEATS: Final = 5_000
MAX_POSITIONS: Final = 5_000
"""Places for a character in the grammar, once repeats are written out."""
MAX_RUNS: Final = 5_000
"""Runs of characters of which the grammar treats neighbours differently."""
MAX_REMEMBERED_STATES: Final = 4_000
"""What a grammar remembers of names already tried, before it starts afresh."""
MOST_SAMPLES: Final = 100


@dataclass(slots=True)
class Effort:
    """How many steps may still be taken. One can be shared by several questions."""

    left: int = 500_000

    @classmethod
    def for_a_name(cls) -> Effort:
        """What trying one name may take, so that a list of them can be tried."""
        return cls(200_000)

    def spend(self, steps: int) -> None:
        """Pay for `steps`; raises `NotDecided` once there are none left."""
        self.left -= steps
        if self.left < 0:
            raise NotDecided("The answer would take more steps than we allow for one question.")

"""How far reading and trying a grammar goes before it gives up, and says so.

Everything is counted and nothing timed, so a question has the same answer on every machine. The
figures are many times what the grammars of registered namespaces take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from registry.grammar.errors import NotDecided

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

"""Whether two grammars have the same names."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from registry.grammar.alphabet import joint
from registry.grammar.errors import NotDecided
from registry.grammar.limits import Effort
from registry.grammar.machine import Machine, State
from registry.grammar.verdict import Answer

Side: TypeAlias = Literal["first", "second", ""]
_Pair: TypeAlias = tuple[State, State]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two grammars have the same names: `YES`, `NO`, or `NOT_DECIDED` for a `reason`.

    Where they differ, `name` is a shortest name that only one of them has, and `accepted_by` is
    "first" for the grammar that was asked and "second" for the one it was compared with.
    """

    answer: Answer
    name: str = ""
    accepted_by: Side = ""
    reason: str = ""


def compare(first: Machine, second: Machine, effort: Effort) -> Comparison:
    """Walk both side by side until one may end and the other may not."""
    try:
        return _Walk(first, second, effort).compare()
    except NotDecided as reason:
        return Comparison(Answer.NOT_DECIDED, reason=str(reason))


class _Walk:
    """All pairs of states that the same text leads to, the shortest texts first."""

    def __init__(self, first: Machine, second: Machine, effort: Effort) -> None:
        self._machines = first, second
        self._effort = effort
        self._classes = joint(first.automaton.alphabet, second.automaton.alphabet)
        self._came_from: dict[_Pair, tuple[_Pair, str] | None] = {}

    def compare(self) -> Comparison:
        for pair in self._pairs():
            one, other = pair
            if one.accepts != other.accepts:
                side: Side = "first" if one.accepts else "second"
                return Comparison(Answer.NO, self._trace(pair), side)
        return Comparison(Answer.YES)

    def _pairs(self) -> Iterator[_Pair]:
        start = self._machines[0].start, self._machines[1].start
        self._came_from[start] = None
        waiting = deque([start])
        while waiting:
            pair = waiting.popleft()
            yield pair
            waiting.extend(self._onward(pair))

    def _onward(self, pair: _Pair) -> Iterator[_Pair]:
        (first, second), (one, other) = self._machines, pair
        self._effort.spend(2 * len(self._classes))
        for one_class, other_class, char in self._classes:
            following = (
                first.step(one, one_class, self._effort),
                second.step(other, other_class, self._effort),
            )
            if following not in self._came_from and (following[0].next or following[1].next):
                self._came_from[following] = pair, char
                yield following

    def _trace(self, pair: _Pair) -> str:
        chars: list[str] = []
        step = self._came_from[pair]
        while step is not None:
            before, char = step
            chars.append(char)
            step = self._came_from[before]
        return "".join(reversed(chars))

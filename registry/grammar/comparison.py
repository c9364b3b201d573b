"""Whether two grammars have the same names, and the shortest name that only one has."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from registry.grammar.alphabet import NAME_END, iterate_bits, pair_classes
from registry.grammar.automaton import (
    Automaton,
    Machine,
    MachineState,
    find_followers,
)
from registry.grammar.errors import Effort, NotDecided
from registry.grammar.matching import Answer

Side: TypeAlias = Literal["first", "second", ""]
_Pair: TypeAlias = tuple[MachineState, MachineState]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two grammars have the same names: `YES`, `NO`, or `NOT_DECIDED` for a `reason`.

    If they differ, `name` is a shortest name that only one of them has, and `accepted_by` is
    "first" for the grammar that was asked and "second" for the one it was compared with.
    """

    answer: Answer
    name: str = ""
    accepted_by: Side = ""
    reason: str = ""


def compare_machines(first: Machine, second: Machine, effort: Effort) -> Comparison:
    """Walk both side by side until one may end and the other may not."""
    try:
        return _PairWalk(first, second, effort).compare()
    except NotDecided as reason:
        return Comparison(Answer.NOT_DECIDED, reason=str(reason))


def have_shared_name(first: Machine, second: Machine, effort: Effort) -> bool:
    """Whether both have any name in common; raises `NotDecided` if that cannot be determined."""
    return _PairWalk(first, second, effort).shares()


class _PairWalk:
    """All pairs of states that the same text leads to, shortest texts first."""

    def __init__(self, first: Machine, second: Machine, effort: Effort) -> None:
        self._machines = first, second
        self._effort = effort
        self._classes = pair_classes(first.automaton.alphabet, second.automaton.alphabet)
        self._came_from: dict[_Pair, tuple[_Pair, str] | None] = {}

    def compare(self) -> Comparison:
        for pair in self._pairs():
            one, other = pair
            if one.accepts != other.accepts:
                side: Side = "first" if one.accepts else "second"
                return Comparison(Answer.NO, self._trace(pair), side)
        return Comparison(Answer.YES)

    def shares(self) -> bool:
        return any(one.accepts and other.accepts for one, other in self._pairs())

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


# The first automaton is walked place by place and never made deterministic, so this takes at most
# as many steps as it has places, times the states of the other, which should be few.


@dataclass(slots=True)
class ShortestNameSearch:
    """Looks for a name that `inside` has and `outside` does not."""

    inside: Automaton
    outside: Machine
    effort: Effort
    _classes: list[tuple[int, int, str]] = field(init=False)
    # For each length, the places just reached, by the state that the other is in.
    _reached: list[dict[MachineState, int]] = field(default_factory=list)
    _seen: dict[MachineState, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._classes = pair_classes(self.inside.alphabet, self.outside.automaton.alphabet)

    def name(self) -> str | None:
        """The shortest name, the most readable among equals; `None` if there is none."""
        start = self.outside.start
        front = {start: self.inside.start}
        while front:
            for state, onward in front.items():
                if onward & NAME_END and not state.accepts:
                    return self._trace(state)
            self._reached.append(self._advance(front))
            front = {
                state: find_followers(self.inside, places)
                for state, places in self._reached[-1].items()
            }
        return None

    def _advance(self, front: dict[MachineState, int]) -> dict[MachineState, int]:
        reached: dict[MachineState, int] = {}
        for state, onward in front.items():
            self.effort.spend(len(self._classes) + len(self.inside.places) // 400)
            for inner, outer, _ in self._classes:
                places = onward & self.inside.alphabet.takers[inner]
                if places:
                    self._reach(self.outside.step(state, outer, self.effort), places, reached)
        return reached

    def _reach(self, state: MachineState, places: int, reached: dict[MachineState, int]) -> None:
        new = places & ~self._seen.get(state, 0)
        if new:
            self.effort.spend(4 + new.bit_count() + len(self.inside.places) // 200)
            self._seen[state] = self._seen.get(state, 0) | new
            reached[state] = reached.get(state, 0) | new

    def _trace(self, state: MachineState) -> str:
        """The name by which `state` was reached, reconstructed from its end."""
        chars: list[str] = []
        wanted = NAME_END
        for step in range(len(self._reached) - 1, -1, -1):
            place = self._leading_to(wanted, self._reached[step][state])
            state, char = self._before(step, state, place)
            chars.append(char)
            wanted = 1 << place
        return "".join(reversed(chars))

    def _leading_to(self, wanted: int, places: int) -> int:
        return next(place for place in iterate_bits(places) if self.inside.follow[place] & wanted)

    def _before(self, step: int, state: MachineState, place: int) -> tuple[MachineState, str]:
        """A state of the previous step, and a character leading from it to `state` and `place`."""
        return next(
            (before, self._as_written(place, inner, outer, char))
            for before in self._before_places(step, place)
            for inner, outer, char in self._classes
            if self.inside.alphabet.takers[inner] >> place & 1
            and self.outside.step(before, outer, self.effort) is state
        )

    def _before_places(self, step: int, place: int) -> Iterator[MachineState]:
        """The states of the previous step with which `place` could come next."""
        if step == 0:
            yield self.outside.start
            return
        for before, places in self._reached[step - 1].items():
            if find_followers(self.inside, places) >> place & 1:
                yield before

    def _as_written(self, place: int, inner: int, outer: int, char: str) -> str:
        """`char`, or the grammar's spelling of it if both treat that the same."""
        written = self.inside.places[place].written or char
        is_same = (
            self.inside.alphabet.class_of(written) == inner
            and self.outside.automaton.alphabet.class_of(written) == outer
        )
        return written if is_same else char

"""The shortest name of one grammar that another does not have.

The first automaton is walked place by place and never made deterministic, so this takes at most
as many steps as it has places, times the states of the other, which should be few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from registry.grammar.alphabet import joint
from registry.grammar.automaton import Automaton
from registry.grammar.bits import numbers
from registry.grammar.limits import Effort
from registry.grammar.machine import Machine, State, after
from registry.grammar.place import END


@dataclass(slots=True)
class Search:
    """Looks for a name that `inside` has and `outside` has not."""

    inside: Automaton
    outside: Machine
    effort: Effort
    _classes: list[tuple[int, int, str]] = field(init=False)
    # For each length, the places just reached, by the state that the other is in.
    _reached: list[dict[State, int]] = field(default_factory=list)
    _seen: dict[State, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._classes = joint(self.inside.alphabet, self.outside.automaton.alphabet)

    def name(self) -> str | None:
        """The shortest name, the one easiest to read among equals; `None` where there is none."""
        start = self.outside.start
        front = {start: self.inside.start}
        while front:
            for state, onward in front.items():
                if onward & END and not state.accepts:
                    return self._trace(state)
            self._reached.append(self._advance(front))
            front = {
                state: after(self.inside, places) for state, places in self._reached[-1].items()
            }
        return None

    def _advance(self, front: dict[State, int]) -> dict[State, int]:
        reached: dict[State, int] = {}
        for state, onward in front.items():
            self.effort.spend(len(self._classes) + len(self.inside.places) // 400)
            for inner, outer, _ in self._classes:
                places = onward & self.inside.alphabet.takers[inner]
                if places:
                    self._reach(self.outside.step(state, outer, self.effort), places, reached)
        return reached

    def _reach(self, state: State, places: int, reached: dict[State, int]) -> None:
        new = places & ~self._seen.get(state, 0)
        if new:
            self.effort.spend(4 + new.bit_count() + len(self.inside.places) // 200)
            self._seen[state] = self._seen.get(state, 0) | new
            reached[state] = reached.get(state, 0) | new

    def _trace(self, state: State) -> str:
        """The name by which `state` was reached, read from its end to its beginning."""
        chars: list[str] = []
        wanted = END
        for step in range(len(self._reached) - 1, -1, -1):
            place = self._leading_to(wanted, self._reached[step][state])
            state, char = self._before(step, state, place)
            chars.append(char)
            wanted = 1 << place
        return "".join(reversed(chars))

    def _leading_to(self, wanted: int, places: int) -> int:
        return next(place for place in numbers(places) if self.inside.follow[place] & wanted)

    def _before(self, step: int, state: State, place: int) -> tuple[State, str]:
        """A state of the step before, and a character that leads from it to `state` and `place`."""
        return next(
            (before, self._as_written(place, inner, outer, char))
            for before in self._before_places(step, place)
            for inner, outer, char in self._classes
            if self.inside.alphabet.takers[inner] >> place & 1
            and self.outside.step(before, outer, self.effort) is state
        )

    def _before_places(self, step: int, place: int) -> Iterator[State]:
        """The states of the step before with which `place` could come next."""
        if step == 0:
            yield self.outside.start
            return
        for before, places in self._reached[step - 1].items():
            if after(self.inside, places) >> place & 1:
                yield before

    def _as_written(self, place: int, inner: int, outer: int, char: str) -> str:
        """`char`, or how the grammar writes it where that is the same to both."""
        written = self.inside.places[place].written or char
        is_same = (
            self.inside.alphabet.class_of(written) == inner
            and self.outside.automaton.alphabet.class_of(written) == outer
        )
        return written if is_same else char

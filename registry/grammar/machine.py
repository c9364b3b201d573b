"""The automaton at work: what may come next after what has been read.

A state is the set of places that may come next. States are made when they are first reached and
kept, so a name whose beginning has been read before takes one look-up for each character.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from registry.grammar.automaton import Automaton
from registry.grammar.bits import numbers
from registry.grammar.limits import MOST_STATES, Effort
from registry.grammar.place import END


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What may come next, as bits, and the states that each class of characters leads to."""

    next: int
    moves: dict[int, State] = field(default_factory=dict)

    @property
    def accepts(self) -> bool:
        """Whether the name may end here."""
        return bool(self.next & END)


_DEAD: Final = State(0)


class Machine:
    """Runs one automaton, and remembers what it has run through."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.start = State(automaton.start)
        self._states = {automaton.start: self.start}
        self._cost = 10 + len(automaton.places) // 200

    @property
    def is_full(self) -> bool:
        """Whether it has run through so much that a new one should take its place."""
        return len(self._states) > MOST_STATES

    def step(self, state: State, char_class: int, effort: Effort) -> State:
        """The state after a character of that class; one with nothing next where none can stand."""
        following = state.moves.get(char_class)
        if following is None:
            places = state.next & self.automaton.alphabet.takers[char_class]
            following = self._find(places, effort) if places else _DEAD
            state.moves[char_class] = following
        return following

    def _find(self, places: int, effort: Effort) -> State:
        effort.spend(self._cost + places.bit_count())
        onward = after(self.automaton, places)
        return self._states.setdefault(onward, State(onward))


def after(automaton: Automaton, places: int) -> int:
    """All that may follow any of `places`."""
    onward = 0
    for number in numbers(places):
        onward |= automaton.follow[number]
    return onward

"""The automaton of a grammar, and the machine that runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from registry.grammar.alphabet import NAME_END, Alphabet, Place, iterate_bits
from registry.grammar.construction import Construction
from registry.grammar.errors import MAX_REMEMBERED_STATES, Effort
from registry.grammar.expression import Expression
from registry.grammar.rule_set import RuleSet


@dataclass(frozen=True, slots=True)
class Automaton:
    """Places for characters, by number, and sets of them as the bits of integers.

    `start` is where a name may begin and `follow` what may come after each place; bit 0, in
    either, is the end of the name. `way_out` is, for each place, one of those that follow it and
    are nearer to the end. Every place leads to the end; `alphabet` says which take a character.
    """

    start: int
    places: tuple[Place, ...]
    follow: tuple[int, ...]
    way_out: tuple[int, ...]
    alphabet: Alphabet

    @property
    def is_empty(self) -> bool:
        """Whether no name at all fits."""
        return not self.start


def build_automaton(expression: Expression, rules: RuleSet, effort: Effort) -> Automaton:
    """The automaton of `expression`; raises `NotDecided` where we make none."""
    construction = Construction(rules, effort)
    start = construction.build(expression, NAME_END)
    resolved = _HubResolver(construction.hubs)
    follow = [resolved(after) for after in construction.follow]
    way_out = _find_ways_out(construction.places, follow, effort)
    alive = _to_bits(way_out)
    return Automaton(
        resolved(start) & alive,
        tuple(construction.places),
        tuple(after & alive for after in follow),
        tuple(way_out),
        Alphabet.of(construction.places, alive),
    )


class _HubResolver:
    """Puts what hubs stand for in their place."""

    def __init__(self, hubs: dict[int, int]) -> None:
        self._hubs = {hub.bit_length() - 1: stands_for for hub, stands_for in hubs.items()}
        self._all = sum(hubs)
        self._known: dict[int, int] = {}

    def __call__(self, after: int) -> int:
        if after & self._all and after not in self._known:
            self._known[after] = self._resolve(after)
        return self._known.get(after, after)

    def _resolve(self, after: int) -> int:
        resolved, waiting = after, after & self._all
        while waiting:
            for hub in iterate_bits(waiting):
                resolved |= self._hubs[hub]
            waiting, after = resolved & self._all & ~after, resolved
        return resolved & ~self._all


def _find_ways_out(places: list[Place], follow: list[int], effort: Effort) -> list[int]:
    """For each place one that follows it and leads to the end, -1 where none does."""
    way_out = [0, *[-1] * (len(places) - 1)]
    alive = NAME_END
    waiting = [number for number, place in enumerate(places) if place.charset]
    while waiting:
        effort.spend(len(waiting))
        left = []
        # Nearly always, what follows a place has a smaller number.
        for number in waiting:
            onward = follow[number] & alive
            if onward:
                alive |= 1 << number
                way_out[number] = (onward & -onward).bit_length() - 1
            else:
                left.append(number)
        if len(left) == len(waiting):
            break
        waiting = left
    return way_out


def _to_bits(way_out: list[int]) -> int:
    return sum(1 << number for number, onward in enumerate(way_out) if onward >= 0)


# A state is the set of places that may come next. States are made when they are first reached and
# kept, so a name whose beginning has been read before takes one look-up for each character.


@dataclass(frozen=True, slots=True, eq=False)
class MachineState:
    """What may come next, as bits, and the states that each class of characters leads to."""

    next: int
    moves: dict[int, MachineState] = field(default_factory=dict)

    @property
    def accepts(self) -> bool:
        """Whether the name may end here."""
        return bool(self.next & NAME_END)


_DEAD_STATE: Final = MachineState(0)


class Machine:
    """Runs one automaton, and remembers what it has run through."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.start = MachineState(automaton.start)
        self._states = {automaton.start: self.start}
        self._cost = 10 + len(automaton.places) // 200

    @property
    def is_full(self) -> bool:
        """Whether it has run through so much that a new one should take its place."""
        return len(self._states) > MAX_REMEMBERED_STATES

    def step(self, state: MachineState, char_class: int, effort: Effort) -> MachineState:
        """The state after a character of that class; one with nothing next where none can stand."""
        following = state.moves.get(char_class)
        if following is None:
            places = state.next & self.automaton.alphabet.takers[char_class]
            following = self._find(places, effort) if places else _DEAD_STATE
            state.moves[char_class] = following
        return following

    def _find(self, places: int, effort: Effort) -> MachineState:
        effort.spend(self._cost + places.bit_count())
        onward = find_followers(self.automaton, places)
        return self._states.setdefault(onward, MachineState(onward))


def find_followers(automaton: Automaton, places: int) -> int:
    """All that may follow any of `places`."""
    onward = 0
    for number in iterate_bits(places):
        onward |= automaton.follow[number]
    return onward

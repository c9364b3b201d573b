"""The automaton of a grammar, complete and without places that lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass

from registry.grammar.alphabet import Alphabet
from registry.grammar.bits import numbers
from registry.grammar.construction import Construction
from registry.grammar.expression import Expression
from registry.grammar.limits import Effort
from registry.grammar.place import END, Place
from registry.grammar.rulebook import Rulebook


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


def automaton(expression: Expression, rulebook: Rulebook, effort: Effort) -> Automaton:
    """The automaton of `expression`; raises `NotDecided` where we make none."""
    construction = Construction(rulebook, effort)
    start = construction.build(expression, END)
    resolved = _Resolver(construction.hubs)
    follow = [resolved(after) for after in construction.follow]
    way_out = _ways_out(construction.places, follow, effort)
    alive = _as_bits(way_out)
    return Automaton(
        resolved(start) & alive,
        tuple(construction.places),
        tuple(after & alive for after in follow),
        tuple(way_out),
        Alphabet.of(construction.places, alive),
    )


class _Resolver:
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
            for hub in numbers(waiting):
                resolved |= self._hubs[hub]
            waiting, after = resolved & self._all & ~after, resolved
        return resolved & ~self._all


def _ways_out(places: list[Place], follow: list[int], effort: Effort) -> list[int]:
    """For each place one that follows it and leads to the end, -1 where none does."""
    way_out = [0, *[-1] * (len(places) - 1)]
    alive = END
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


def _as_bits(way_out: list[int]) -> int:
    return sum(1 << number for number, onward in enumerate(way_out) if onward >= 0)

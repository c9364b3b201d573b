"""Names drawn from a grammar, for people to look at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, repeat
from random import Random
from typing import Final

from registry.grammar.alphabet import NAME_END, CharSet, CodePointRange, Place, iterate_bits
from registry.grammar.automaton import Automaton, Machine
from registry.grammar.comparison import ShortestNameSearch
from registry.grammar.errors import MOST_SAMPLES, Effort, NotDecided

_TRIES: Final = 6
_STEP: Final = 100
_HEAVIEST: Final = 12
_MANY: Final = 50
_SIGNS: Final = 0.1
_PLAIN: Final[tuple[CodePointRange, ...]] = ((48, 57), (65, 90), (97, 122))


def draw_names(
    automaton: Automaton, nothing: Machine, count: int, seed: int, effort: Effort
) -> tuple[str, ...]:
    """At most `count` different names, short ones first, always the same for the same `seed`.

    The shortest name of all is among them. `nothing` is a machine that has no name. There are
    fewer names where the grammar has no more, or the effort is spent.
    """
    names: set[str] = set()
    count = max(0, min(count, MOST_SAMPLES))
    try:
        for name in islice(
            _generate_names(automaton, nothing, count, Random(seed), effort), count * _TRIES
        ):
            names.add(name)
            if len(names) == count:
                break
    except NotDecided:
        pass
    return tuple(sorted(names, key=lambda name: (len(name), name)))


def _generate_names(
    automaton: Automaton, nothing: Machine, count: int, chance: Random, effort: Effort
) -> Iterator[str]:
    shortest = ShortestNameSearch(automaton, nothing, effort).name()
    if shortest is None:
        return
    yield shortest
    for more in chain.from_iterable(repeat(range(2 * count))):
        yield _walk_automaton(automaton, len(shortest) + more, chance, effort)


def _walk_automaton(automaton: Automaton, wanted: int, chance: Random, effort: Effort) -> str:
    """A name of about `wanted` characters: chance leads there, then the nearest way out."""
    chars: list[str] = []
    onward, way_out = automaton.start, (automaton.start & -automaton.start).bit_length() - 1
    while onward != NAME_END and not (len(chars) >= wanted and onward & NAME_END):
        effort.spend(_STEP + 4 * onward.bit_count())
        number = way_out if len(chars) >= wanted else _choose_place(automaton, onward, chance)
        chars.append(_choose_character(automaton.places[number], chance))
        onward, way_out = automaton.follow[number], automaton.way_out[number]
    return "".join(chars)


def _choose_place(automaton: Automaton, onward: int, chance: Random) -> int:
    """One of the places `onward`, those for many characters more often than those for few."""
    open_to = [number for number in iterate_bits(onward) if number]
    weights = [_weigh_place(automaton.places[number]) for number in open_to]
    return chance.choices(open_to, weights)[0]


def _weigh_place(place: Place) -> int:
    return min(CharSet(place.charset.ranges[:_HEAVIEST]).size, _HEAVIEST)


def _choose_character(place: Place, chance: Random) -> str:
    """One of its characters, rather a letter or a digit than a sign, and as it is written."""
    if place.written and place.written in place.charset:
        return place.written
    plain = [
        range(max(low, first), min(high, last) + 1)
        for low, high in place.charset.ranges[:_MANY]
        for first, last in _PLAIN
    ]
    plain = [each for each in plain if each]
    if not plain or chance.random() < _SIGNS:
        low, high = chance.choice(place.charset.ranges)
        return chr(chance.randint(low, high))
    return chr(chance.choice(chance.choices(plain, list(map(len, plain)))[0]))

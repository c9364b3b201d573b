"""Expressions that a backtracking program may take for ever to match.

Python and JavaScript backtrack. If a text can be read in two ways that begin and end alike, and
again after that, the number of ways doubles with each round, and a text that matches none of them
is tried in all. (In automata theory: exponential ambiguity.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from registry.grammar.alphabet import CharSet, iterate_bits
from registry.grammar.errors import Effort, NotDecided
from registry.grammar.expression import (
    EMPTY_TEXT,
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    Terminal,
)

_Ways: TypeAlias = Mapping[int, int]
_Pair: TypeAlias = tuple[int, int]
_MAX_WRITTEN_OUT: Final = 3
_EFFORT: Final = 500_000


@dataclass(frozen=True, slots=True)
class _Fragment:
    """Where a part of an expression begins and ends, in how many ways, and if it can be empty."""

    first: _Ways
    last: _Ways
    empty: int = 0


_EMPTY: Final = _Fragment({}, {}, 1)


def has_many_readings(expression: Expression) -> bool:
    """Whether the readings of a text may double as it grows; also if that cannot be determined.

    `expression` has been unfolded. A large number of repetitions counts as unbounded: its readings
    are enough to keep a program busy for ever.
    """
    try:
        return _Readings().are_many(expression)
    except NotDecided:
        return True


@dataclass(slots=True)
class _Readings:
    """The places for a character, and what may follow each, in how many ways (Glushkov)."""

    effort: Effort = field(default_factory=lambda: Effort(_EFFORT))
    characters: list[int] = field(default_factory=list)
    follow: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))

    def are_many(self, expression: Expression) -> bool:
        """Whether `expression` has a cycle in which the readings of a text double."""
        self._build(expression)
        return any(map(self._doubles, self._find_rounds()))

    def _build(self, expression: Expression) -> _Fragment:
        self.effort.spend(1 + len(self.characters))
        match expression:
            case Concatenation():
                return self._join(map(self._build, expression.parts))
            case Alternation():
                return _choose(map(self._build, expression.options))
            case Repetition():
                return self._repeat(expression)
            case Terminal():
                return self._add_place(expression.charset)
        raise TypeError(expression)

    def _add_place(self, charset: CharSet) -> _Fragment:
        place = len(self.characters)
        codes = (code for low, high in charset.ranges for code in range(low, min(high, 127) + 1))
        self.characters.append(sum(1 << code for code in codes))
        return _Fragment({place: 1}, {place: 1})

    def _join(self, fragments: Iterable[_Fragment]) -> _Fragment:
        whole = _EMPTY
        for each in fragments:
            self._connect(whole.last, each.first)
            whole = _Fragment(
                _add(whole.first, _scale(each.first, whole.empty)),
                _add(each.last, _scale(whole.last, each.empty)),
                whole.empty * each.empty,
            )
        return whole

    def _connect(self, last: _Ways, first: _Ways) -> None:
        self.effort.spend(len(last) * len(first))
        for before, ways in last.items():
            onward = self.follow[before]
            for after, more in first.items():
                onward[after] = onward.get(after, 0) + ways * more

    def _repeat(self, expression: Repetition) -> _Fragment:
        body, least, most = expression.body, expression.least, expression.most
        is_fixed = least == most and self._find_length(body) is not None
        if most is not None and (is_fixed or most <= _MAX_WRITTEN_OUT):
            more: Expression = EMPTY_TEXT
            for _ in range(most - least):
                more = Alternation((Concatenation((body, more)), EMPTY_TEXT))
            return self._join(map(self._build, (*[body] * least, more)))
        once = self._build(body)
        if most is not None and once.empty:
            # There are too many to tell which one was left out.
            raise NotDecided("What may be empty is repeated up to a number of times.")
        self._connect(once.last, once.first)
        return _Fragment(once.first, once.last, 1 if least == 0 else once.empty)

    def _find_length(self, expression: Expression) -> int | None:
        """The length of all texts of `expression`; `None` if it varies."""
        self.effort.spend(1)
        match expression:
            case Terminal():
                return 1
            case Concatenation():
                lengths = [self._find_length(part) for part in expression.parts]
                return None if None in lengths else sum(filter(None, lengths))
            case Alternation():
                options = {self._find_length(option) for option in expression.options}
                return options.pop() if len(options) == 1 else None
            case Repetition(least=least, most=most) if least == most:
                length = self._find_length(expression.body)
                return None if length is None else length * least
        return None

    def _find_rounds(self) -> Iterator[frozenset[int]]:
        """The places that lead to each other."""
        onward = [sum(1 << other for other in self.follow[place]) for place in self._places]
        for through in self._places:
            self.effort.spend(len(onward))
            for place in self._places:
                if onward[place] >> through & 1:
                    onward[place] |= onward[through]
        left = {place for place in self._places if onward[place] >> place & 1}
        while left:
            place = left.pop()
            together = {
                other for other in iterate_bits(onward[place]) if onward[other] >> place & 1
            }
            left -= together
            yield frozenset(together)

    @property
    def _places(self) -> range:
        return range(len(self.characters))

    def _doubles(self, together: frozenset[int]) -> bool:
        """Whether two ways around separate and meet again over the same text."""
        if any(self.follow[one].get(other, 0) > 1 for one in together for other in together):
            return True
        alike = [(place, place) for place in together]
        onward: dict[_Pair, list[_Pair]] = {}
        back: dict[_Pair, list[_Pair]] = defaultdict(list)
        waiting = list(alike)
        while waiting:
            pair = waiting.pop()
            if pair in onward:
                continue
            onward[pair] = list(self._step(pair, together))
            for following in onward[pair]:
                back[following].append(pair)
            waiting.extend(onward[pair])
        return any(one != other for one, other in _collect(alike, back))

    def _step(self, pair: _Pair, together: frozenset[int]) -> Iterator[_Pair]:
        for one in self.follow[pair[0]].keys() & together:
            for other in self.follow[pair[1]].keys() & together:
                self.effort.spend(1)
                if self.characters[one] & self.characters[other]:
                    yield one, other


def _collect(begin: list[_Pair], onward: Mapping[_Pair, list[_Pair]]) -> set[_Pair]:
    found: set[_Pair] = set()
    waiting = list(begin)
    while waiting:
        pair = waiting.pop()
        if pair not in found:
            found.add(pair)
            waiting.extend(onward.get(pair, ()))
    return found


def _choose(fragments: Iterable[_Fragment]) -> _Fragment:
    first: _Ways = {}
    last: _Ways = {}
    empty = 0
    for each in fragments:
        first, last = _add(first, each.first), _add(last, each.last)
        empty += each.empty
    return _Fragment(first, last, empty)


def _add(one: _Ways, other: _Ways) -> dict[int, int]:
    return {place: one.get(place, 0) + other.get(place, 0) for place in {**one, **other}}


def _scale(ways: _Ways, times: int) -> _Ways:
    return {place: count * times for place, count in ways.items()} if times else {}

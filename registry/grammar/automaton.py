"""The automaton of a grammar: built from its rules, and the machine that runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from registry.grammar.alphabet import NAME_END, NOWHERE, Alphabet, CharSet, Place, iterate_bits
from registry.grammar.errors import (
    MAX_POSITIONS,
    MAX_REMEMBERED_STATES,
    MAX_RULE_DEPTH,
    Effort,
    NotDecided,
)
from registry.grammar.expression import (
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    RuleReference,
    Terminal,
    Undecidable,
    make_alternation,
    make_concatenation,
)
from registry.grammar.rule_set import RuleSet


def remove_left_recursion(name: str, expression: Expression) -> Expression:
    """The left-recursive rule `name = a / name b` rewritten as `a *b`."""
    options = expression.options if isinstance(expression, Alternation) else (expression,)
    behind, others = [], []
    for option in options:
        parts = option.parts if isinstance(option, Concatenation) else (option,)
        if parts and isinstance(parts[0], RuleReference) and parts[0].name.lower() == name:
            behind.append(make_concatenation(parts[1:]))
        else:
            others.append(option)
    if not behind:
        return expression
    return Concatenation((make_alternation(others), Repetition(make_alternation(behind), 0, None)))


# Nobody nests classes of characters deeper than that.
_MAX_DEPTH: Final = 12


@dataclass(slots=True)
class SingleCharacters:
    """Which expressions are a single character from a set, with each examined once.

    Rules that are `marked` never count as one: their places must be told from others.
    """

    rules: RuleSet
    marked: frozenset[str] = frozenset()
    _known: dict[Expression, CharSet | None] = field(default_factory=dict)
    _apart: dict[Alternation, tuple[CharSet, tuple[Expression, ...]]] = field(default_factory=dict)

    def charset(self, expression: Expression, depth: int = 0) -> CharSet | None:
        """The characters `expression` always is one of; `None` if it may be something else."""
        if isinstance(expression, Terminal):
            return expression.charset
        if depth > _MAX_DEPTH or expression in self._known:
            return self._known.get(expression)
        # A recursive rule gets here again, and is not a single character.
        self._known[expression] = None
        self._known[expression] = self._look_into(expression, depth)
        return self._known[expression]

    def apart(self, expression: Alternation) -> tuple[CharSet, tuple[Expression, ...]]:
        """The options of `expression` that are single characters, in one set, and the others."""
        if expression not in self._apart:
            charsets = [(option, self.charset(option)) for option in expression.options]
            self._apart[expression] = (
                CharSet.union(charset for _, charset in charsets if charset is not None),
                tuple(option for option, charset in charsets if charset is None),
            )
        return self._apart[expression]

    def _look_into(self, expression: Expression, depth: int) -> CharSet | None:
        if isinstance(expression, RuleReference):
            if expression.name.lower() in self.marked:
                return None
            rule = self.rules.find(expression.name)
            return self.charset(rule.expression, depth + 1) if rule else None
        if isinstance(expression, Alternation):
            charsets = [self.charset(option, depth + 1) for option in expression.options]
            single = [charset for charset in charsets if charset is not None]
            return CharSet.union(single) if len(single) == len(charsets) else None
        return None


# This is Glushkov's automaton, built from the end of a name to its beginning. Every place for a
# character has a number; a set of places is an integer with their bits set, and bit 0 is the end.
# An expression is built from the set of what may follow it, and gives the set of what it may begin
# with. A *hub* stands for a set that is not complete yet, such as what a repeated expression may
# begin with: hubs are resolved once everything is built.


@dataclass(slots=True)
class Construction:
    """The places of a grammar as they are found; raises `NotDecided` if there are too many.

    `inside` are the places within rules whose names, in lower case, are `marked`.
    """

    rules: RuleSet
    effort: Effort
    marked: frozenset[str] = frozenset()
    inside: int = 0
    places: list[Place] = field(default_factory=lambda: [NOWHERE])
    follow: list[int] = field(default_factory=lambda: [0])
    hubs: dict[int, int] = field(default_factory=dict)
    singles: SingleCharacters = field(init=False)
    _open: dict[str, tuple[int, int]] = field(default_factory=dict)
    _built: dict[tuple[str, int, str, bool], int] = field(default_factory=dict)
    _depth: int = 0
    _marked_depth: int = 0

    def __post_init__(self) -> None:
        self.singles = SingleCharacters(self.rules, self.marked)

    def build(self, expression: Expression, after: int, rule: str = "") -> int:
        """The places that `expression`, which is in `rule`, may begin with."""
        self.effort.spend(1 + len(self.follow) // 500)
        self._depth += 1
        if self._depth > MAX_RULE_DEPTH:
            raise NotDecided("The rules use one another too deeply to be followed.")
        first = self._build(expression, after, rule)
        self._depth -= 1
        return first

    def _build(self, expression: Expression, after: int, rule: str) -> int:
        match expression:
            case Terminal():
                return self._place(Place(expression.charset, expression.written, rule), after)
            case Concatenation():
                return self._concatenation(expression, after, rule)
            case Alternation():
                return self._alternation(expression, after, rule)
            case Repetition():
                return self._repetition(expression, after, rule)
            case RuleReference():
                return self._reference(expression, after, rule)
            case Undecidable():
                raise NotDecided(expression.reason)

    def _place(self, place: Place, after: int) -> int:
        if len(self.places) > MAX_POSITIONS:
            raise NotDecided(
                f"Written out, the rule has more than {MAX_POSITIONS:,} places for a character."
            )
        self.places.append(place)
        self.follow.append(after)
        if self._marked_depth:
            self.inside |= 1 << len(self.places) - 1
        return 1 << len(self.places) - 1

    def _concatenation(self, expression: Concatenation, after: int, rule: str) -> int:
        for part in reversed(expression.parts):
            after = self.build(part, after, rule)
        return after

    def _alternation(self, expression: Alternation, after: int, rule: str) -> int:
        charset, others = self.singles.apart(expression)
        first = self._place(Place(charset, "", rule), after) if charset else 0
        for option in others:
            first |= self.build(option, after, rule)
        return first

    def _repetition(self, expression: Repetition, after: int, rule: str) -> int:
        body, least, most = expression.body, expression.least, expression.most
        if most is None:
            first = self._endless(body, after, rule)
            first = first | after if least == 0 else first
            least = max(least - 1, 0)
        else:
            first = after
            for _ in range(most - least):
                first = self.build(body, first, rule) | after
        for _ in range(least):
            first = self.build(body, first, rule)
        return first

    def _endless(self, body: Expression, after: int, rule: str) -> int:
        """`body` once or more: what it begins with may also follow it."""
        hub = self._place(NOWHERE, 0)
        first = self.build(body, after | hub, rule) & ~hub
        # Whatever has this hub after it also has `after` there.
        self.hubs[hub] = first & ~after
        return first

    def _reference(self, expression: RuleReference, after: int, rule: str) -> int:
        found = self.rules.find(expression.name)
        if found is None:
            raise NotDecided(f"The rule “{expression.name}” is used and not defined.")
        name = found.name.lower()
        label = found.name if self.rules.is_own(name) else rule
        self._marked_depth += name in self.marked
        first = self._referred(name, found.expression, after, label)
        self._marked_depth -= name in self.marked
        return first

    def _referred(self, name: str, expression: Expression, after: int, label: str) -> int:
        charset = self.singles.charset(expression)
        if charset is not None:
            return self._place(Place(charset, "", label), after)
        key = name, after, label, bool(self._marked_depth)
        if key not in self._built:
            self._built[key] = self._rule(name, expression, after, label)
        return self._built[key]

    def _rule(self, name: str, expression: Expression, after: int, label: str) -> int:
        """What a rule begins with; for recursion at its very end, that is a hub."""
        if name in self._open:
            return self._within_itself(name, after)
        self._open[name] = after, 0
        first = self.build(remove_left_recursion(name, expression), after, label)
        _, hub = self._open.pop(name)
        if hub:
            self.hubs[hub] = first = first & ~hub
        return first

    def _within_itself(self, name: str, after: int) -> int:
        outer, hub = self._open[name]
        if outer != after:
            raise NotDecided(f"The rule “{name}” uses itself in a way that we do not follow.")
        self._open[name] = outer, hub or self._place(NOWHERE, 0)
        return self._open[name][1]


@dataclass(frozen=True, slots=True)
class Automaton:
    """Places for characters, by number, and sets of them as bits of integers.

    `start` is where a name may begin and `follow` what may come after each place; bit 0, in either,
    is the end of the name. `way_out` has for each place one of the following places that is nearer
    to the end. Every place leads to the end; `alphabet` says which places accept a character.
    `inside` are the places within the marked rules.
    """

    start: int
    places: tuple[Place, ...]
    follow: tuple[int, ...]
    way_out: tuple[int, ...]
    alphabet: Alphabet
    inside: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether no name matches."""
        return not self.start


def build_automaton(
    expression: Expression,
    rules: RuleSet,
    effort: Effort,
    marked: frozenset[str] = frozenset(),
) -> Automaton:
    """The automaton of `expression`; raises `NotDecided` if it cannot be built.

    `marked` are names of rules, in lower case, whose places must be told from others.
    """
    construction = Construction(rules, effort, marked)
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
        construction.inside,
    )


class _HubResolver:
    """Replaces hubs by what they stand for."""

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
    """For each place one that follows it and leads to the end, -1 if none does."""
    way_out = [0, *[-1] * (len(places) - 1)]
    alive = NAME_END
    waiting = [number for number, place in enumerate(places) if place.charset]
    while waiting:
        effort.spend(len(waiting))
        left = []
        # What follows a place nearly always has a smaller number.
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


# A state is the set of places that may come next. States are created when they are first reached,
# and kept, so a known beginning of a name takes one look-up per character.


@dataclass(slots=True, eq=False)
class MachineState:
    """What may come next, as bits, and the states that each class of characters leads to.

    `expected` is what may come next in words, and by which rule, once that was asked.
    """

    next: int
    moves: dict[int, MachineState] = field(default_factory=dict)
    expected: tuple[str, str] | None = None

    @property
    def accepts(self) -> bool:
        """Whether the name may end here."""
        return bool(self.next & NAME_END)


_DEAD_STATE: Final = MachineState(0)


class Machine:
    """Runs one automaton, and remembers its states."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.start = MachineState(automaton.start)
        self._states = {automaton.start: self.start}
        self._cost = 10 + len(automaton.places) // 200

    @property
    def is_full(self) -> bool:
        """Whether it has enough states for a new one to replace it."""
        return len(self._states) > MAX_REMEMBERED_STATES

    def step(self, state: MachineState, char_class: int, effort: Effort) -> MachineState:
        """The state after a character of that class; an empty one if none is allowed."""
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


def find_marked_characters(automaton: Automaton, text: str, effort: Effort) -> list[bool]:
    """Which characters of `text` are in the marked rules, whichever way it is read.

    A text that is only the beginning of a name, or stops being one, is read as far as possible.
    Raises `NotDecided` when the effort is spent.
    """
    taken: list[int] = []
    onward = automaton.start
    for char in text:
        places = onward & automaton.alphabet.takers[automaton.alphabet.class_of(char)]
        effort.spend(1 + places.bit_count())
        taken.append(places)
        onward = find_followers(automaton, places)
    if onward & NAME_END:
        # Only what leads to the end is a reading of the whole name.
        wanted = NAME_END
        for position in range(len(taken) - 1, -1, -1):
            reaching = [
                number
                for number in iterate_bits(taken[position])
                if automaton.follow[number] & wanted
            ]
            effort.spend(1 + len(reaching))
            wanted = taken[position] = sum(1 << number for number in reaching)
    return [bool(places) and not places & ~automaton.inside for places in taken]

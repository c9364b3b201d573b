"""From rules to the places where characters stand, and what may follow each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from registry.grammar.alphabet import NOWHERE, CharSet, Place
from registry.grammar.errors import (
    MAX_POSITIONS,
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
    """The rule `name` with `name = a / name b` written as what it says: `a *b`."""
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


# Deeper than that, nobody nests classes of characters.
_MAX_DEPTH: Final = 12


@dataclass(slots=True)
class SingleCharacters:
    """Which expressions are a single character out of a set, each looked into once."""

    rules: RuleSet
    _known: dict[Expression, CharSet | None] = field(default_factory=dict)
    _apart: dict[Alternation, tuple[CharSet, tuple[Expression, ...]]] = field(default_factory=dict)

    def charset(self, expression: Expression, depth: int = 0) -> CharSet | None:
        """The characters `expression` is always one of; `None` where it may be something else."""
        if isinstance(expression, Terminal):
            return expression.charset
        if depth > _MAX_DEPTH or expression in self._known:
            return self._known.get(expression)
        # A rule that leads to itself is met here again, and is no single character.
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
            rule = self.rules.find(expression.name)
            return self.charset(rule.expression, depth + 1) if rule else None
        if isinstance(expression, Alternation):
            charsets = [self.charset(option, depth + 1) for option in expression.options]
            single = [charset for charset in charsets if charset is not None]
            return CharSet.union(single) if len(single) == len(charsets) else None
        return None


# This is Glushkov's automaton, built from the end of a name to its beginning. Every place for a
# character has a number; a set of places is an integer with their bits set, and bit 0 is the end.
# An expression is built with the set of what may come after it, and gives the set of what it may
# begin with. A *hub* stands for a set that is not complete yet, as that which an expression may
# begin with is when it repeats: hubs are resolved once everything is built.


@dataclass(slots=True)
class Construction:
    """The places of a grammar as they are found; raises `NotDecided` where there are too many."""

    rules: RuleSet
    effort: Effort
    places: list[Place] = field(default_factory=lambda: [NOWHERE])
    follow: list[int] = field(default_factory=lambda: [0])
    hubs: dict[int, int] = field(default_factory=dict)
    singles: SingleCharacters = field(init=False)
    _open: dict[str, tuple[int, int]] = field(default_factory=dict)
    _built: dict[tuple[str, int, str], int] = field(default_factory=dict)
    _depth: int = 0

    def __post_init__(self) -> None:
        self.singles = SingleCharacters(self.rules)

    def build(self, expression: Expression, after: int, rule: str = "") -> int:
        """The places that `expression`, which stands in `rule`, may begin with."""
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
        """`body` once or more: what it begins with may also come after it."""
        hub = self._place(NOWHERE, 0)
        first = self.build(body, after | hub, rule) & ~hub
        # Whatever has this hub after it has `after` there as well.
        self.hubs[hub] = first & ~after
        return first

    def _reference(self, expression: RuleReference, after: int, rule: str) -> int:
        found = self.rules.find(expression.name)
        if found is None:
            raise NotDecided(f"The rule “{expression.name}” is used and not defined.")
        name = found.name.lower()
        label = found.name if self.rules.is_own(name) else rule
        charset = self.singles.charset(found.expression)
        if charset is not None:
            return self._place(Place(charset, "", label), after)
        if (name, after, label) not in self._built:
            self._built[name, after, label] = self._rule(name, found.expression, after, label)
        return self._built[name, after, label]

    def _rule(self, name: str, expression: Expression, after: int, label: str) -> int:
        """What a rule begins with; within itself, at its very end, that is a hub."""
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

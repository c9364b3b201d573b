"""Expressions with rule names replaced by their content, and without redundant repetition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from registry.grammar.errors import Effort, NotDecided
from registry.grammar.expression import (
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    RuleReference,
    Undecidable,
    make_alternation,
    make_concatenation,
    make_repetition,
)
from registry.grammar.rule_set import RuleSet

_EFFORT: Final = 100_000


def unfold(expression: Expression, rules: RuleSet) -> Expression:
    """An equivalent expression that only has `Terminal`, `Concatenation` and the like.

    Nested alternatives are merged, and unbounded repetitions within such a repetition are repeated
    once: `1*(1*ALPHA / ":")` becomes `1*(ALPHA / ":")`. Parts may be shared. Raises `NotDecided` if
    a rule is recursive, undefined, or in words for people.
    """
    return _Unfolding(rules).unfold(expression)


def is_empty_text(expression: Expression) -> bool:
    """Whether an unfolded expression is just the empty text."""
    return isinstance(expression, Concatenation) and not expression.parts


class _Unfolding:
    """Examines each rule once."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._effort = Effort(_EFFORT)
        self._known: dict[str, Expression | None] = {}

    def unfold(self, expression: Expression) -> Expression:
        self._effort.spend(1)
        match expression:
            case Concatenation():
                return make_concatenation(self._unfold_row(expression.parts))
            case Alternation():
                options = self._spread(map(self.unfold, expression.options))
                return make_alternation(dict.fromkeys(options))
            case Repetition():
                return self._unfold_repetition(expression)
            case RuleReference():
                return self._look_up(expression.name.lower())
            case Undecidable():
                raise NotDecided(expression.reason)
        return expression

    def _look_up(self, name: str) -> Expression:
        found = self._rules.find(name)
        if found is None:
            raise NotDecided(f"The rule “{name}” is used and not defined.")
        if name not in self._known:
            # Found again before it is complete, it is recursive.
            self._known[name] = None
            self._known[name] = self.unfold(found.expression)
        known = self._known[name]
        if known is None:
            raise NotDecided(f"The rule “{name}” uses itself.")
        return known

    def _unfold_row(self, parts: Iterable[Expression]) -> Iterator[Expression]:
        for part in map(self.unfold, parts):
            row = part.parts if isinstance(part, Concatenation) else (part,)
            self._effort.spend(len(row))
            yield from row

    def _spread(self, options: Iterable[Expression]) -> Iterator[Expression]:
        for option in options:
            row = option.options if isinstance(option, Alternation) else (option,)
            self._effort.spend(len(row))
            yield from row

    def _unfold_repetition(self, expression: Repetition) -> Expression:
        body, least = self.unfold(expression.body), expression.least
        if is_empty_text(body):
            return body
        if expression.most is not None:
            return make_repetition(body, least, expression.most)
        waiting, options = [body], dict[Expression, None]()
        while waiting:
            option = waiting.pop()
            if isinstance(option, Alternation):
                waiting.extend(reversed(option.options))
            elif isinstance(option, Repetition) and option.most is None and option.least <= 1:
                least *= option.least
                waiting.append(option.body)
            elif is_empty_text(option):
                least = 0
            else:
                options[option] = None
            self._effort.spend(len(waiting) + 1)
        return make_repetition(make_alternation(options), least, None)

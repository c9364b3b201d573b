"""Expressions that are one character, such as `ALPHA / DIGIT / "-"`, over however many rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from registry.grammar.charset import CharSet
from registry.grammar.expression import Alternation, Expression, Reference, Terminal
from registry.grammar.rulebook import Rulebook

# Deeper than that, nobody nests classes of characters.
_DEEPEST: Final = 12


@dataclass(slots=True)
class Singles:
    """Which expressions are a single character out of a set, each looked into once."""

    rulebook: Rulebook
    _known: dict[Expression, CharSet | None] = field(default_factory=dict)
    _apart: dict[Alternation, tuple[CharSet, tuple[Expression, ...]]] = field(default_factory=dict)

    def charset(self, expression: Expression, depth: int = 0) -> CharSet | None:
        """The characters `expression` is always one of; `None` where it may be something else."""
        if isinstance(expression, Terminal):
            return expression.charset
        if depth > _DEEPEST or expression in self._known:
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
        if isinstance(expression, Reference):
            rule = self.rulebook.find(expression.name)
            return self.charset(rule.expression, depth + 1) if rule else None
        if isinstance(expression, Alternation):
            charsets = [self.charset(option, depth + 1) for option in expression.options]
            single = [charset for charset in charsets if charset is not None]
            return CharSet.union(single) if len(single) == len(charsets) else None
        return None

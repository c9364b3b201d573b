"""Rules that use themselves at their own beginning."""

from __future__ import annotations

from registry.grammar.expression import (
    Alternation,
    Concatenation,
    Expression,
    Reference,
    Repetition,
    alternation,
    concatenation,
)


def without_left_recursion(name: str, expression: Expression) -> Expression:
    """The rule `name` with `name = a / name b` written as what it says: `a *b`."""
    options = expression.options if isinstance(expression, Alternation) else (expression,)
    behind, others = [], []
    for option in options:
        parts = option.parts if isinstance(option, Concatenation) else (option,)
        if parts and isinstance(parts[0], Reference) and parts[0].name.lower() == name:
            behind.append(concatenation(parts[1:]))
        else:
            others.append(option)
    if not behind:
        return expression
    return Concatenation((alternation(others), Repetition(alternation(behind), 0, None)))

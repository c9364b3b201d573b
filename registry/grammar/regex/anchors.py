"""Anchors, which say nothing where an expression speaks of whole names anyway."""

from __future__ import annotations

from dataclasses import replace

from registry.grammar.expression import (
    EMPTY,
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    Undecidable,
)

BEGINNING = "beginning"
END = "end"


def without_anchors(expression: Expression, first: bool = True, last: bool = True) -> Expression:
    """`expression` with the anchors taken out that stand where a name begins or ends.

    `first` and `last` say whether nothing comes before and after it. An anchor anywhere else
    stays, and with it the whole expression is not decided.
    """
    match expression:
        case Undecidable(edge=edge) if (first and edge == BEGINNING) or (last and edge == END):
            return EMPTY
        case Alternation():
            return Alternation(
                tuple(without_anchors(option, first, last) for option in expression.options)
            )
        case Concatenation():
            return Concatenation(tuple(_parts(expression.parts, first, last)))
        case Repetition():
            once = expression.most == 1
            body = without_anchors(expression.body, first and once, last and once)
            return replace(expression, body=body)
    return expression


def _parts(parts: tuple[Expression, ...], first: bool, last: bool) -> list[Expression]:
    solid = [place for place, part in enumerate(parts) if not _is_nothing(part)]
    begins, ends = (solid[0], solid[-1]) if solid else (len(parts), 0)
    return [
        without_anchors(part, first and place <= begins, last and place >= ends)
        for place, part in enumerate(parts)
    ]


def _is_nothing(expression: Expression) -> bool:
    """Whether this is an anchor or empty, and takes no character of a name."""
    if isinstance(expression, Concatenation):
        return all(map(_is_nothing, expression.parts))
    return isinstance(expression, Undecidable) and bool(expression.edge)

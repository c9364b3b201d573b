"""From the text of a grammar to its rules."""

from __future__ import annotations

from collections.abc import Iterator

from registry.grammar.abnf.splitting import Written, split
from registry.grammar.abnf.structure import check
from registry.grammar.abnf.tokens import tokens
from registry.grammar.abnf.tree import expression
from registry.grammar.abnf.values import prose
from registry.grammar.errors import GrammarSyntaxError
from registry.grammar.expression import Expression, Reference, Undecidable
from registry.grammar.rule import Rule


def rules(text: str) -> tuple[Rule, ...]:
    """The rules of an ABNF grammar, in order and as written.

    Raises `GrammarSyntaxError` at the first thing that keeps the text from being one.
    """
    found = tokens(text)
    if not found:
        raise GrammarSyntaxError(1, 1, "There is no rule here", "Write one: name = …")
    written = split(found)
    for each in written:
        check(each.head, each.body)
    return tuple(map(_rule, written))


def _rule(written: Written) -> Rule:
    return Rule(
        written.head.text,
        written.head.line,
        expression(written),
        tuple(each.name for each in _leaves(written) if isinstance(each, Reference)),
        tuple(each.reason for each in _leaves(written) if isinstance(each, Undecidable)),
        written.adds,
    )


def _leaves(written: Written) -> Iterator[Expression]:
    for token in written.body:
        if token.kind == "rulename":
            yield Reference(token.text)
        elif token.kind == "prose":
            yield prose(token)

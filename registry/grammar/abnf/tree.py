"""From the tokens of a rule to what it says, by way of the library `abnf`.

The library parses ABNF by the grammar of RFC 5234, section 4, and takes a time that grows with
the square of what it is given. So it is given one alternative after the other, and of each the
shape alone, in which every name, string or number is one letter; the leaves of its tree and the
tokens then come in the same order. Rules are much of a shape, and a shape is parsed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from abnf.parser import ABNFGrammarRule, Node, ParseError

from registry.grammar.abnf.splitting import Written
from registry.grammar.abnf.tokens import Token
from registry.grammar.abnf.values import number, prose, repeated, string
from registry.grammar.expression import (
    Expression,
    Reference,
    alternation,
    concatenation,
    repetition,
)

_VALUES: Final[dict[str, Callable[[Token], Expression]]] = {
    "rulename": lambda token: Reference(token.text),
    "string": string,
    "number": number,
    "prose": prose,
}
_SHORTEST: Final = {**dict.fromkeys(_VALUES, "a"), "repeat": "1"}


def expression(rule: Written) -> Expression:
    """What `rule` says; raises `GrammarSyntaxError` where its tokens are no rule."""
    try:
        return alternation([_alternative(tokens) for tokens in _alternatives(rule.body)])
    except ParseError as error:
        what = f"The rule “{rule.head.text}” is no ABNF"
        mend = "Compare it with RFC 5234, section 4."
        raise rule.head.error(what, mend) from error


def _alternatives(body: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The alternatives of a rule, between the slashes that stand in no brackets."""
    begin = depth = 0
    for place, token in enumerate(body):
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "slash" and depth == 0:
            yield body[begin:place]
            begin = place + 1
    yield body[begin:]


def _alternative(tokens: Sequence[Token]) -> Expression:
    root = _parse(_shape(tokens))
    leaves = (token for token in tokens if token.kind in _SHORTEST)
    return _concatenation(root, leaves)


def _shape(body: Sequence[Token]) -> str:
    pieces = ((" " * token.is_apart) + _SHORTEST.get(token.kind, token.text) for token in body)
    return "".join(pieces).strip()


@lru_cache(maxsize=256)
def _parse(shape: str) -> Node:
    return ABNFGrammarRule("concatenation").parse_all(shape)


def _alternation(node: Node, leaves: Iterator[Token]) -> Expression:
    return alternation([_concatenation(each, leaves) for each in _named(node, "concatenation")])


def _concatenation(node: Node, leaves: Iterator[Token]) -> Expression:
    return concatenation([_repetition(each, leaves) for each in _named(node, "repetition")])


def _repetition(node: Node, leaves: Iterator[Token]) -> Expression:
    repeat = next(leaves) if _named(node, "repeat") else None
    body = _element(_named(node, "element")[0].children[0], leaves)
    return body if repeat is None else repeated(repeat, body)


def _element(node: Node, leaves: Iterator[Token]) -> Expression:
    if node.name in ("group", "option"):
        inside = _alternation(_named(node, "alternation")[0], leaves)
        return inside if node.name == "group" else repetition(inside, 0, 1)
    leaf = next(leaves)
    return _VALUES[leaf.kind](leaf)


def _named(node: Node, name: str) -> list[Node]:
    return [child for child in node.children if child.name == name]

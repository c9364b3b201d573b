"""Which tokens make up which rule (RFC 5234, sections 2.2, 3.3 and 4).

A rule begins where the first word of a line is followed by "=" or "=/". How deep lines are
indented does not matter, so a grammar copied out of a page is read as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from registry.grammar.abnf.tokens import Token
from registry.grammar.errors import GrammarSyntaxError


@dataclass(frozen=True, slots=True)
class Written:
    """A rule as it was written: its name, whether it adds to another ("=/"), and the rest."""

    head: Token
    adds: bool
    body: tuple[Token, ...]


def split(tokens: Sequence[Token]) -> list[Written]:
    """The rules that `tokens` make up; raises `GrammarSyntaxError` where they make up none."""
    heads = [place for place in range(len(tokens)) if _is_head(tokens, place)]
    _check_beginning(tokens, heads)
    margin = min((tokens[place].column for place in heads), default=1)
    rules = []
    for place, following in zip(heads, [*heads[1:], len(tokens)], strict=False):
        body = tuple(tokens[place + 2 : following])
        for token, after in zip(body, [*body[1:], None], strict=False):
            _check_within(token, after, margin)
        rules.append(Written(tokens[place], tokens[place + 1].text == "=/", body))
    return rules


def _is_head(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    is_defined = place + 1 < len(tokens) and tokens[place + 1].kind == "defined"
    return token.kind == "rulename" and token.is_first and is_defined


def _check_beginning(tokens: Sequence[Token], heads: Sequence[int]) -> None:
    """The first token of all has to begin a rule."""
    if heads and heads[0] == 0:
        return
    first = tokens[0]
    if len(tokens) > 1 and tokens[1].kind == "defined":
        raise _bad_name(first, tokens[1])
    if first.kind == "repeat" and len(tokens) > 2 and tokens[2].kind == "defined":
        raise _bad_name(first, tokens[2])
    if first.kind == "rulename":
        raise first.error(f"No “=” follows “{first.text}”", "Begin with a rule: name = …")
    mend = "Begin with a name and “=”."
    raise first.error(f"A rule does not begin with “{first.text}”", mend)


def _bad_name(token: Token, defined: Token) -> GrammarSyntaxError:
    if token.kind == "prose":
        mend = f"Write {token.text[1:-1].strip()} {defined.text} …, without the brackets."
        return token.error(f"“{token.text}” is no name of a rule", mend)
    mend = "A name begins with a letter and has letters, digits and hyphens."
    return token.error(f"What stands before “{defined.text}” is no name of a rule", mend)


def _check_within(token: Token, after: Token | None, margin: int) -> None:
    """Nothing inside a rule may look like the beginning of another."""
    if after is not None and after.kind == "defined":
        if token.kind != "rulename" or token.is_first:
            raise _bad_name(token, after)
        mend = f"Put “{token.text} {after.text} …” on a line of its own."
        raise token.error(f"The rule “{token.text}” does not begin its line", mend)
    if token.kind == "defined":
        raise token.error(f"No name stands before “{token.text}”", "Write the name of the rule.")
    if token.kind == "rulename" and token.is_first and token.column <= margin:
        mend = "Put “=” behind it; or indent the line, if it continues the rule above."
        raise token.error(f"No “=” follows “{token.text}”", mend)

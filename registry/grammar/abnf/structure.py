"""Whether the signs of a rule stand where they may (RFC 5234, sections 3 and 4).

The parser that follows knows whether a rule is right. These checks say where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from registry.grammar.abnf.tokens import ELEMENTS, Token
from registry.grammar.limits import DEEPEST_BRACKETS

_CLOSING: Final = {"(": ")", "[": "]"}


def check(head: Token, body: Sequence[Token]) -> None:
    """Raise `GrammarSyntaxError` at the first token of `body` that cannot stand there."""
    before: Token | None = None
    opened: list[Token] = []
    for token in body:
        if token.kind in ELEMENTS or token.kind == "repeat":
            _check_element(token, before)
        elif before is None or before.kind in ("slash", "open", "repeat"):
            _check_gap(token, before)
        if token.kind == "open":
            _open(token, opened)
        elif token.kind == "close":
            _close(token, opened)
        before = token
    _check_end(head, before, opened)


def _check_element(token: Token, before: Token | None) -> None:
    if before is None:
        return
    if before.kind == "repeat":
        _check_repeated(token, before)
    elif not token.is_apart and before.kind not in ("slash", "open"):
        what = f"A space is missing between “{before.text}” and “{token.text}”"
        raise token.error(what, "Put a space between what follows one another.")


def _check_repeated(token: Token, repeat: Token) -> None:
    if token.kind == "repeat":
        mend = "Put brackets around what the second repeats."
        raise token.error(f"“{repeat.text}” and “{token.text}” repeat the same", mend)
    if token.is_apart:
        what = f"“{repeat.text}” stands apart from what it repeats"
        raise repeat.error(what, f"Write “{repeat.text}{token.text}” without a space.")


def _check_gap(token: Token, before: Token | None) -> None:
    if before is not None and before.kind == "repeat":
        what = f"Nothing follows “{before.text}” to be repeated"
        raise before.error(what, "It stands in front of what it repeats: *DIGIT.")
    mend = 'Write what is missing, or "" for nothing at all.'
    if token.kind == "close":
        raise token.error(f"Nothing stands before “{token.text}”", mend)
    if token.kind == "slash":
        raise token.error("“/” has no alternative before it", mend)


def _open(token: Token, opened: list[Token]) -> None:
    opened.append(token)
    if len(opened) > DEEPEST_BRACKETS:
        what = f"Brackets stand in brackets more than {DEEPEST_BRACKETS} deep"
        raise token.error(what, "Give the inner part a rule of its own.")


def _close(token: Token, opened: list[Token]) -> None:
    if not opened:
        raise token.error(f"“{token.text}” closes nothing", "Take it out, or open it before.")
    opener = opened.pop()
    if _CLOSING[opener.text] != token.text:
        what = f"“{token.text}” closes “{opener.text}” of line {opener.line}"
        raise token.error(what, f"Write “{_CLOSING[opener.text]}” here.")


def _check_end(head: Token, last: Token | None, opened: Sequence[Token]) -> None:
    if opened:
        opener = opened[-1]
        mend = f"Write “{_CLOSING[opener.text]}” where it ends."
        raise opener.error(f"“{opener.text}” is not closed", mend)
    if last is None:
        raise head.error(f"The rule “{head.text}” says nothing", "Write what it stands for.")
    if last.kind == "slash":
        mend = 'Write it, take out the “/”, or write "" for nothing at all.'
        raise last.error("“/” has no alternative behind it", mend)
    if last.kind == "repeat":
        _check_gap(last, last)

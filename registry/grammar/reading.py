"""Reading a grammar of either kind."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from registry.grammar import abnf, regex
from registry.grammar.errors import GrammarSyntaxError
from registry.grammar.expression import Expression, Reference
from registry.grammar.grammar import Grammar
from registry.grammar.limits import LONGEST_TEXT
from registry.grammar.rulebook import Rulebook

Kind: TypeAlias = Literal["abnf", "regex"]
KINDS: Final[tuple[Kind, ...]] = ("abnf", "regex")


def read(text: str, kind: str = "abnf", *, nid: str = "") -> Grammar:
    """Read a grammar: "abnf" by RFC 5234 and RFC 7405, or "regex", a regular expression.

    `nid` is the identifier of the namespace, "urn-N" for an informal one without a number yet.
    Raises `GrammarSyntaxError` where the text is no such grammar, and `ValueError` for a `kind`
    that is neither. What is right and goes beyond what is tried here is read, and says so.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind of grammar called {kind!r}")
    if len(text) > LONGEST_TEXT:
        what = f"The text has {len(text):,} characters, and {LONGEST_TEXT:,} are the most"
        raise GrammarSyntaxError(1, 1, what, "Leave out the rules that names do not need.")
    if kind == "regex":
        return Grammar(Rulebook(), regex.expression(text), nid)
    return _abnf(text, nid)


def _abnf(text: str, nid: str) -> Grammar:
    rulebook = Rulebook(abnf.rules(text))
    start = rulebook.start
    expression: Expression = Reference(start.name) if start else Reference("")
    return Grammar(rulebook, expression, nid)

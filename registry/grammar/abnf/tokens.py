"""The words and signs of ABNF, each with its place (RFC 5234, section 4; RFC 7405)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from registry.grammar.abnf.layout import lines
from registry.grammar.abnf.mends import no_token
from registry.grammar.errors import GrammarSyntaxError
from registry.grammar.limits import MOST_TOKENS

# No part of this repeats what it could also leave to the next, so a line is read once.
_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t]+)|(?P<comment>;.*)"
    r"|(?P<rulename>[A-Za-z][A-Za-z0-9-]*)"
    r'|(?P<string>(?:%[sSiI])?"[ !#-~]*")'
    r"|(?P<number>%[bBdDxX][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?)"
    r"|(?P<prose><[ -=?-~]*>)"
    r"|(?P<repeat>[0-9]*\*[0-9]*|[0-9]+)"
    r"|(?P<defined>=/?)|(?P<slash>/)|(?P<open>[(\[])|(?P<close>[)\]])"
)
ELEMENTS: Final = frozenset({"rulename", "string", "number", "prose", "open"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign; `is_first` on its line, `is_apart` from the one before it."""

    kind: str
    text: str
    line: int
    column: int
    is_first: bool
    is_apart: bool

    def error(self, what: str, mend: str) -> GrammarSyntaxError:
        """What is wrong with this token."""
        return GrammarSyntaxError(self.line, self.column, what, mend)


def tokens(text: str) -> list[Token]:
    """All tokens of a grammar; raises `GrammarSyntaxError` where there is none to be found."""
    found: list[Token] = []
    for number, line in lines(text):
        found.extend(_in_line(number, line))
        if len(found) > MOST_TOKENS:
            what = f"The grammar has more than {MOST_TOKENS:,} words and signs"
            raise found[MOST_TOKENS].error(what, "Leave out the rules that names do not need.")
    return found


def _in_line(number: int, line: str) -> Iterator[Token]:
    at, is_first, is_apart = 0, True, True
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise no_token(number, line, at)
        kind = str(match.lastgroup)
        if kind in ("blank", "comment"):
            is_apart = True
        else:
            yield Token(kind, match.group(), number, at + 1, is_first, is_apart)
            is_first = is_apart = False
        at = match.end()

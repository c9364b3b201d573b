"""What a grammar says, in whichever notation it is written, and its rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from registry.grammar.alphabet import CharSet

# The names are those of RFC 5234, sections 3 and 4.


@dataclass(frozen=True, slots=True, eq=False)
class Terminal:
    """One character from a set; `written` is the grammar's spelling of it, if it is a letter."""

    charset: CharSet
    written: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Concatenation:
    """One after the other; with no parts, the empty text."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Alternation:
    """One of several; with no options, nothing matches."""

    options: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Repetition:
    """`body` from `least` to `most` times; `None` is unlimited."""

    body: Expression
    least: int
    most: int | None


@dataclass(frozen=True, slots=True, eq=False)
class RuleReference:
    """What the rule of this name says; case does not matter (RFC 5234, section 2.1)."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Undecidable:
    """Something that no machine, or not ours, can try, and why.

    `edge` is set for the mark of the beginning ("^") or the end ("$") of the name.
    """

    reason: str
    edge: str = ""


Expression: TypeAlias = (
    Terminal | Concatenation | Alternation | Repetition | RuleReference | Undecidable
)

EMPTY_TEXT: Final = Concatenation()


def make_concatenation(parts: Iterable[Expression]) -> Expression:
    """`parts` in sequence; a single one is itself."""
    row = tuple(parts)
    return row[0] if len(row) == 1 else Concatenation(row)


def make_alternation(options: Iterable[Expression]) -> Expression:
    """One of `options`, with single characters merged into one set."""
    row = tuple(options)
    single = [option for option in row if isinstance(option, Terminal)]
    if len(single) > 1:
        together = Terminal(CharSet.union(option.charset for option in single))
        row = (together, *(option for option in row if not isinstance(option, Terminal)))
    return row[0] if len(row) == 1 else Alternation(row)


def make_repetition(body: Expression, least: int, most: int | None) -> Expression:
    """`body` repeated; once is itself and never is the empty text."""
    if most == 0:
        return EMPTY_TEXT
    return body if least == most == 1 else Repetition(body, least, most)


def make_literal(text: str, *, either_case: bool = True) -> Expression:
    """`text`, in upper or lower case unless `either_case` is false (RFC 7405, section 2.1)."""
    return make_concatenation(make_character(char, either_case=either_case) for char in text)


@lru_cache(maxsize=1_024)
def make_character(char: str, *, either_case: bool) -> Terminal:
    """One character, in upper or lower case if `either_case` is true."""
    charset = CharSet.from_text(char)
    return Terminal(charset.either_case() if either_case else charset, char)


@dataclass(frozen=True, slots=True)
class Rule:
    """A name and what it stands for; `line` says where it is written, counted from 1.

    `uses` are the names of rules in it, as written, and `prose` what is left to people. `adds` is
    set if the rule is written with "=/", to add to another of its name.
    """

    name: str
    line: int
    expression: Expression
    uses: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    adds: bool = False

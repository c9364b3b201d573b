"""A rule of a grammar."""

from __future__ import annotations

from dataclasses import dataclass

from registry.grammar.expression import Expression


@dataclass(frozen=True, slots=True)
class Rule:
    """A name and what it stands for; `line` says where it is written, counted from 1.

    `uses` are the names of rules in it, as written, and `prose` what is left to people. `adds`
    is set where the rule is written with "=/", to add to another of its name.
    """

    name: str
    line: int
    expression: Expression
    uses: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    adds: bool = False

"""When two names are the same, as a namespace declares it beyond RFC 8141, section 3.1.

A declaration is a list of statements, each a line for people and programs. They can only merge: a
name is compared by one spelling computed from it alone, so names that are the same by section 3.1
stay the same whatever is declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from registry.grammar.errors import NotDecided
from registry.grammar.grammar import Grammar

MAX_STATEMENTS: Final = 20
MAX_PREFIX_LENGTH: Final = 100


class StatementKind(StrEnum):
    """What a statement ignores, in the order in which statements are applied."""

    NOTHING = "only RFC 8141"
    CASE = "case"
    PREFIX = "prefix"
    HYPHENS = "hyphens"
    SPACES = "spaces"
    LEADING_ZEROS = "leading zeros"


_ORDER: Final = tuple(StatementKind)
_CASE_OF: Final = re.compile(r"case of ([A-Za-z][A-Za-z0-9-]*)")
# A prefix may contain the characters of a name (RFC 8141, section 2), with whole triplets.
_PREFIX: Final = re.compile(
    r"prefix ((?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})+)"
    r" = ((?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})+)"
)
_ZEROS: Final = re.compile(r"%[0-9A-Fa-f]{2}|(?<![0-9A-Za-z])0+(?=[0-9])")
HOW_TO_STATE: Final = (
    "Write “case”, “case of” and the name of a rule, “hyphens”, “spaces”, “leading zeros”,"
    " “prefix a: = b:”, or “only RFC 8141”."
)


class EquivalenceSyntaxError(ValueError):
    """A line is not a valid statement, or conflicts with others: the fault, and how to fix it."""

    def __init__(self, line: str, what: str, how: str) -> None:
        super().__init__(f"{what} {how}")
        self.line, self.what, self.how = line, what, how


@dataclass(frozen=True, slots=True)
class EquivalenceStatement:
    """One line of a declaration. `part` names a rule of the grammar, `prefixes` are a pair."""

    kind: StatementKind
    part: str = ""
    prefixes: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        if self.part:
            return f"case of {self.part}"
        if self.kind is StatementKind.PREFIX:
            return "prefix {} = {}".format(*self.prefixes)
        return str(self.kind)

    @property
    def words(self) -> str:
        """What it ignores, for the middle of a sentence."""
        if self.part:
            return f"the case of letters in “{self.part}”"
        if self.kind is StatementKind.PREFIX:
            return "whether a name begins with “{}” or “{}”".format(*self.prefixes)
        return _WORDS[self.kind]


_WORDS: Final = {
    StatementKind.NOTHING: "nothing",
    StatementKind.CASE: "the case of letters",
    StatementKind.HYPHENS: "hyphens",
    StatementKind.SPACES: "spaces",
    StatementKind.LEADING_ZEROS: "zeros before a number",
}


def parse_statement(line: str) -> EquivalenceStatement:
    """Read one line of a declaration; raises `EquivalenceSyntaxError`."""
    text = " ".join(line.split())
    if found := _CASE_OF.fullmatch(text):
        return EquivalenceStatement(StatementKind.CASE, part=found[1])
    if found := _PREFIX.fullmatch(text):
        if found[1] == found[2]:
            what = f"“{line}” has the same beginning twice."
            raise EquivalenceSyntaxError(line, what, "Name two that differ.")
        if max(map(len, found.groups())) > MAX_PREFIX_LENGTH:
            what = f"A beginning has at most {MAX_PREFIX_LENGTH} characters."
            raise EquivalenceSyntaxError(line, what, "Name what differs alone.")
        return EquivalenceStatement(StatementKind.PREFIX, prefixes=(found[1], found[2]))
    if text in _ORDER and text != StatementKind.PREFIX:
        return EquivalenceStatement(StatementKind(text))
    raise EquivalenceSyntaxError(line, f"“{line}” says nothing that we know.", HOW_TO_STATE)


@dataclass(frozen=True, slots=True)
class DeclaredEquivalence:
    """What a namespace declares; empty if it declares that it adds nothing to section 3.1."""

    statements: tuple[EquivalenceStatement, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The rules of the grammar that it names."""
        return tuple(each.part for each in self.statements if each.part)

    @property
    def steps(self) -> tuple[tuple[EquivalenceStatement, ...], ...]:
        """The statements in the order they apply; all pairs of prefixes are one step."""
        alone = [(each,) for each in self.statements if each.kind is not StatementKind.PREFIX]
        pairs = tuple(each for each in self.statements if each.kind is StatementKind.PREFIX)
        steps = [*alone, *([pairs] if pairs else [])]
        return tuple(sorted(steps, key=lambda step: _get_rank(step[0])))

    def find_merged(self, nss: str, grammar: Grammar | None = None) -> str:
        """The one spelling of `nss` shared by all names that are the same by the declaration.

        `grammar` says where the named parts are; without it they are empty.
        """
        for step in self.steps:
            nss = self.take_step(step, nss, grammar)
        return nss

    def take_step(
        self, step: Sequence[EquivalenceStatement], nss: str, grammar: Grammar | None
    ) -> str:
        """`nss` without what the statements of one of the `steps` ignore."""
        statement = step[0]
        if statement.part:
            return lower_parts(nss, (statement.part,), grammar)
        if statement.kind is StatementKind.PREFIX:
            return self._unite_prefixes(step, nss, grammar)
        return _MERGES[statement.kind](nss)

    def _unite_prefixes(
        self, pairs: Sequence[EquivalenceStatement], nss: str, grammar: Grammar | None
    ) -> str:
        """`nss` with its beginning replaced by the first of the equivalent ones."""
        groups: list[set[str]] = []
        for each in pairs:
            # By now, differences of case that do not matter are gone from the name.
            pair = {self._fold_case(prefix, grammar) for prefix in each.prefixes}
            touched = [group for group in groups if group & pair]
            groups = [group for group in groups if not group & pair]
            groups.append(pair.union(*touched))
        matching = [(each, group) for group in groups for each in group if nss.startswith(each)]
        if not matching:
            return nss
        prefix, group = max(matching, key=lambda found: len(found[0]))
        return min(group, key=lambda each: (len(each), each)) + nss[len(prefix) :]

    def _fold_case(self, prefix: str, grammar: Grammar | None) -> str:
        for each in self.statements:
            if each.kind is StatementKind.CASE:
                prefix = self.take_step((each,), prefix, grammar)
        return prefix


def parse_equivalence(lines: Iterable[str]) -> DeclaredEquivalence | None:
    """Read a declaration; `None` without any line, since nothing is declared then.

    Raises `EquivalenceSyntaxError` for an invalid line, and for statements that conflict.
    """
    found = [parse_statement(line) for line in lines if line.strip()]
    if not found:
        return None
    if len(found) > MAX_STATEMENTS:
        what = f"There are more than {MAX_STATEMENTS} statements."
        raise EquivalenceSyntaxError(str(found[-1]), what, "Say it with fewer.")
    kinds = {each.kind for each in found}
    if StatementKind.NOTHING in kinds:
        if len(kinds) > 1:
            what = "“only RFC 8141” stands beside other statements."
            how = "Leave it out, or leave out the others."
            raise EquivalenceSyntaxError(str(StatementKind.NOTHING), what, how)
        return DeclaredEquivalence()
    return DeclaredEquivalence(tuple(sorted(dict.fromkeys(found), key=_get_rank)))


def _get_rank(statement: EquivalenceStatement) -> int:
    return _ORDER.index(statement.kind)


def lower_parts(nss: str, parts: Sequence[str], grammar: Grammar | None) -> str:
    """`nss` with letters lowered that are in one of the `parts`, rules of `grammar`."""
    if grammar is None:
        return nss
    try:
        marked = grammar.find_parts(nss, parts)
    except NotDecided:
        return nss
    return "".join(
        char.lower() if inside else char for char, inside in zip(nss, marked, strict=True)
    )


def _remove_leading_zeros(nss: str) -> str:
    return _ZEROS.sub(lambda found: found[0] if found[0][0] == "%" else "", nss)


_MERGES: Final[dict[StatementKind, Callable[[str], str]]] = {
    StatementKind.NOTHING: lambda nss: nss,
    StatementKind.CASE: str.lower,
    StatementKind.HYPHENS: lambda nss: nss.replace("-", ""),
    StatementKind.SPACES: lambda nss: nss.replace("%20", ""),
    StatementKind.LEADING_ZEROS: _remove_leading_zeros,
}


def describe_statements(statements: Iterable[EquivalenceStatement]) -> str:
    """What a declaration ignores, for the middle of a sentence."""
    *most, last = (each.words for each in statements)
    return " and ".join(filter(None, (", ".join(most), last)))

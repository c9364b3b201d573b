"""Findings on a grammar: its names, its rules, and whether its names are whole URNs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from registry.grammar import rule_set
from registry.grammar.alphabet import LAST_CODE_POINT, NAME_END, CharSet, iterate_bits
from registry.grammar.automaton import Automaton, Machine, build_automaton, find_followers
from registry.grammar.comparison import Comparison, compare_machines
from registry.grammar.errors import Effort, NotDecided
from registry.grammar.expression import (
    Alternation,
    Expression,
    Repetition,
    RuleReference,
    Terminal,
    make_alternation,
    make_concatenation,
    make_literal,
)
from registry.grammar.matching import Answer
from registry.grammar.rule_set import RuleSet
from registry.urn import Finding, Severity
from registry.urn.nid import PLACEHOLDER, canonical, informal_number

_SCHEME: Final = "urn:"
_MAX_NID_LENGTH: Final = 32
_MAX_PLACES: Final = 200
_PREFIX: Final = re.compile("[Uu][Rr][Nn]:([A-Za-z0-9-]+):")
_COMPONENTS: Final = re.compile(r"\?[+=]|#")


class Scope(StrEnum):
    """What the names of a grammar are: the whole URN (its assigned-name), or only its NSS."""

    WHOLE = "whole"
    NSS = "nss"


def find_scope(whole: Automaton) -> tuple[Scope, str]:
    """The scope of a grammar, and the NID that all its names have, if it is always the same.

    A grammar describes whole names if each of them begins with "urn:" in some case.
    """
    onward = whole.start
    for char in _SCHEME:
        if _find_only_letter(whole, onward) != char:
            return Scope.NSS, ""
        onward = find_followers(whole, onward)
    return Scope.WHOLE, _find_nid(whole, onward)


def _find_nid(whole: Automaton, onward: int) -> str:
    chars: list[str] = []
    while len(chars) <= _MAX_NID_LENGTH:
        char = _find_only_letter(whole, onward)
        if char in ("", ":"):
            return "".join(chars) if char else ""
        chars.append(char)
        onward = find_followers(whole, onward)
    return ""


def _find_only_letter(whole: Automaton, onward: int) -> str:
    """The only character that can come next, in lower case; empty if there are others."""
    if not onward or onward & NAME_END or onward.bit_count() > _MAX_PLACES:
        return ""
    charset = CharSet.union(whole.places[number].charset for number in iterate_bits(onward))
    char = chr(charset.ranges[-1][1])
    lower = char.lower() if char.isascii() else char
    return lower if charset.is_within(CharSet.from_text(lower).either_case()) else ""


def split_full_name(name: str) -> tuple[str, int]:
    """The NID of a full name and where its NSS begins; ("", 0) for anything else."""
    match = _PREFIX.match(name)
    return (match.group(1), match.end()) if match else ("", 0)


def strip_components(name: str) -> str:
    """A full name without its r-, q- and f-components (RFC 8141, section 2.3)."""
    prefix = _PREFIX.match(name)
    components = _COMPONENTS.search(name, prefix.end()) if prefix else None
    return name[: components.start()] if components else name


def is_same_nid(nid: str, wanted: str) -> bool:
    """Whether `nid` is `wanted`, or any informal one if that is the placeholder "urn-N"."""
    if wanted.lower() == PLACEHOLDER.lower() and informal_number(nid) is not None:
        return True
    return canonical(nid) == canonical(wanted)


def add_prefix(nid: str, nss: Expression) -> Expression:
    """Whole names: the scheme and `nid`, in any case, and an NSS such as `nss`."""
    return make_concatenation(
        (make_literal(_SCHEME), build_nid_expression(nid), make_literal(":"), nss)
    )


def build_nid_expression(nid: str) -> Expression:
    """What may be the NID: `nid` in any case, any informal one for "urn-N", or any at all."""
    if not nid:
        return RuleReference("NID")
    if nid.lower() != PLACEHOLDER.lower():
        return make_literal(nid)
    first, digit = (Terminal(CharSet.of((ord(low), ord("9")))) for low in "10")
    number = make_concatenation((first, Repetition(digit, 0, _MAX_NID_LENGTH - len(PLACEHOLDER))))
    return make_concatenation(
        (make_literal(PLACEHOLDER[:-1]), make_alternation((number, make_literal("N"))))
    )


@lru_cache(maxsize=64)
def build_permitted_automaton(kind: Scope, nid: str, with_components: bool = False) -> Automaton:
    """What RFC 8141, section 2 allows as an NSS, or as a whole name with `nid`.

    With components anything may follow the sign of one, though that is no part of a name (2.3).
    """
    nss: Expression = RuleReference("NSS")
    if with_components:
        signs = make_alternation([make_literal(sign) for sign in ("#", "?+", "?=")])
        anything = Repetition(Terminal(CharSet.of((0, LAST_CODE_POINT))), 0, None)
        nss = make_concatenation((nss, Repetition(make_concatenation((signs, anything)), 0, 1)))
    expression = nss if kind is Scope.NSS else add_prefix(nid, nss)
    return build_automaton(expression, RuleSet(), Effort())


def build_empty_machine() -> Machine:
    """A machine that accepts no name."""
    return Machine(_build_empty_automaton())


@cache
def _build_empty_automaton() -> Automaton:
    return build_automaton(Alternation(), RuleSet(), Effort())


MAX_NAMES_LISTED: Final = 20


def check_grammar_names(
    names: Automaton, undecided: str, nid: str, found_nid: str
) -> Iterator[Finding]:
    """Findings on the names of a grammar: none can be tried, there are none, or another NID's."""
    if undecided:
        yield build_grammar_finding(
            "undecided",
            Severity.WARN,
            f"No name can be tried against this rule. {undecided}",
            "local rule",
            "Write it so that names can be tried, or leave them to people.",
        )
    elif names.is_empty:
        yield build_grammar_finding(
            "empty",
            Severity.WARN,
            "No name at all fits this rule.",
            "RFC 8141, section 2.2",
            "Look for a rule that leads back to itself without an end.",
        )
    elif found_nid and not is_same_nid(found_nid, nid):
        yield build_grammar_finding(
            "nid",
            Severity.WARN,
            f"The rule describes names that begin with “urn:{found_nid}:”, not “urn:{nid}:”.",
            "RFC 8141, section 2.1",
            f"Write “{nid}” in the rule, or describe only what follows it.",
        )


def build_grammar_finding(
    name: str, severity: Severity, message: str, source: str, mend: str = ""
) -> Finding:
    """A finding on the grammar, to be shown with the Syntax section."""
    return Finding(f"grammar.{name}", severity, message, source, mend, section="syntax")


def quote_names(names: Iterable[str]) -> str:
    """Names of rules in quotation marks, not more than people can read."""
    row = [f"“{name}”" for name in dict.fromkeys(names)]
    more = f" and {len(row) - MAX_NAMES_LISTED} more" if len(row) > MAX_NAMES_LISTED else ""
    return ", ".join(row[:MAX_NAMES_LISTED]) + more


_SMALL_EFFORT: Final = 10_000


def find_redefined_rules(rules: RuleSet, start: str) -> Iterator[Finding]:
    compared = {
        rule.name: _compare_with_known(rule.name, rules)
        for name, rule in rules.own.items()
        if rule_set.is_fixed_rule(name)
    }
    same = [name for name, result in compared.items() if result.answer is Answer.YES]
    if same:
        yield build_grammar_finding(
            "repeated",
            Severity.NOTE,
            f"{quote_names(same)}: the same as in {_list_sources(same)}, and not needed here.",
            rule_set.CORE_RULES,
            "They may stay, or be left out and the document that has them be named.",
        )
    for name, result in compared.items():
        if result.answer is not Answer.YES:
            yield _describe_difference(name, result)


def _describe_difference(name: str, result: Comparison) -> Finding:
    source = rule_set.find_known_source(name)
    example = f": they differ on “{result.name}”" if result.name.isprintable() else ""
    return build_grammar_finding(
        "redefined",
        Severity.WARN if source == rule_set.CORE_RULES else Severity.NOTE,
        f"“{name}” is not what it is in {source}{example}.",
        source,
        "Give the rule another name, so that nobody takes it for the other.",
    )


def _compare_with_known(name: str, rules: RuleSet) -> Comparison:
    effort = Effort(_SMALL_EFFORT)
    try:
        own, known = (
            Machine(build_automaton(RuleReference(name), book, effort))
            for book in (rules, RuleSet())
        )
    except NotDecided as reason:
        return Comparison(Answer.NOT_DECIDED, reason=str(reason))
    return compare_machines(own, known, effort)


def find_borrowed_rules(rules: RuleSet, start: str) -> Iterator[Finding]:
    used = [name for rule in rules.own.values() for name in rule.uses]
    taken = [
        name
        for name in used
        if name.lower() not in rules.own
        and rule_set.find_known_source(name) not in ("", rule_set.CORE_RULES)
    ]
    if taken:
        yield build_grammar_finding(
            "borrowed",
            Severity.NOTE,
            f"{quote_names(taken)}: not defined here, and taken from {_list_sources(taken)}.",
            "RFC 5234, section 2.1",
            "Say so in the text, or add the rules.",
        )


def _list_sources(names: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(map(rule_set.find_known_source, names)))


def check_grammar_rules(rules: RuleSet, start: str) -> Iterator[Finding]:
    """Findings on the rules of `rules`, of which `start` describes a name."""
    for check in _RULE_CHECKS:
        yield from check(rules, start)


def _find_undefined(rules: RuleSet, start: str) -> Iterator[Finding]:
    places: dict[str, list[int]] = {}
    for rule in rules.own.values():
        for name in rule.uses:
            if rules.find(name) is None:
                places.setdefault(name, []).append(rule.line)
    for name, lines in list(places.items())[:MAX_NAMES_LISTED]:
        where = f"in the rule of line {lines[0]}"
        yield build_grammar_finding(
            "undefined",
            Severity.WARN,
            f"“{name}” is used {where} and defined nowhere.",
            "RFC 5234, section 2.1",
            "Add a rule for it, or put it in quotation marks if it is meant as text.",
        )


def _find_unused(rules: RuleSet, start: str) -> Iterator[Finding]:
    reached = rules.reached(start)
    unused = [rule.name for name, rule in rules.own.items() if name not in reached]
    if unused:
        yield build_grammar_finding(
            "unused",
            Severity.NOTE,
            f"Names, which “{start}” describes, make no use of {quote_names(unused)}.",
            "RFC 5234, section 2.2",
            "Leave out what is not needed, or put the rule that describes names first.",
        )


def _find_replaced(rules: RuleSet, start: str) -> Iterator[Finding]:
    for before, rule in rules.replaced[:MAX_NAMES_LISTED]:
        yield build_grammar_finding(
            "replaced",
            Severity.WARN,
            f"“{rule.name}” of line {before.line} is defined again in line {rule.line},"
            " and only the later one counts.",
            "RFC 5234, section 3.3",
            "Rename one of them; names differ in more than case. To add to a rule, write “=/”.",
        )
    for rule in rules.orphans[:MAX_NAMES_LISTED]:
        yield build_grammar_finding(
            "orphan",
            Severity.WARN,
            f"“{rule.name} =/” in line {rule.line} adds to a rule that is not there before it.",
            "RFC 5234, section 3.3",
            "Write “=”, or move the line behind the rule that it adds to.",
        )


def _find_prose(rules: RuleSet, start: str) -> Iterator[Finding]:
    for rule in rules.own.values():
        for reason in rule.prose[:MAX_NAMES_LISTED]:
            yield build_grammar_finding(
                "prose",
                Severity.WARN,
                f"In the rule “{rule.name}”, {reason}",
                "RFC 5234, section 4",
                "Write it as a rule, if it can be written as one.",
            )


def _find_recursive(rules: RuleSet, start: str) -> Iterator[Finding]:
    cycle = rules.cycle(rules.reached(start))
    if cycle:
        through = f" through {quote_names(cycle[1:])}" if len(cycle) > 1 else ""
        yield build_grammar_finding(
            "recursive",
            Severity.NOTE,
            f"“{cycle[0]}” uses itself{through}.",
            "RFC 5234, section 3.6",
            "If it only repeats, say how often: 1*item.",
        )


_RULE_CHECKS: Final[tuple[Callable[[RuleSet, str], Iterator[Finding]], ...]] = (
    _find_undefined,
    _find_prose,
    _find_replaced,
    find_redefined_rules,
    _find_recursive,
    find_borrowed_rules,
    _find_unused,
)

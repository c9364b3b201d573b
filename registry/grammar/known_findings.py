"""Rules that have the name of a rule that everyone knows, or are taken from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from registry.grammar import known_rules
from registry.grammar.automaton import automaton
from registry.grammar.comparison import Comparison, compare
from registry.grammar.errors import NotDecided
from registry.grammar.expression import Reference
from registry.grammar.findings import finding, listed
from registry.grammar.limits import Effort
from registry.grammar.machine import Machine
from registry.grammar.rulebook import Rulebook
from registry.grammar.verdict import Answer
from registry.urn import Finding, Severity

_SMALL_EFFORT: Final = 10_000


def redefined(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    compared = {
        rule.name: _with_known(rule.name, rulebook)
        for name, rule in rulebook.own.items()
        if known_rules.is_fixed(name)
    }
    same = [name for name, result in compared.items() if result.answer is Answer.YES]
    if same:
        yield finding(
            "repeated",
            Severity.NOTE,
            f"{listed(same)}: the same as in {_sources(same)}, and not needed here.",
            known_rules.CORE,
            "They may stay, or be left out and the document that has them be named.",
        )
    for name, result in compared.items():
        if result.answer is not Answer.YES:
            yield _differing(name, result)


def _differing(name: str, result: Comparison) -> Finding:
    source = known_rules.source(name)
    example = f": they differ on “{result.name}”" if result.name.isprintable() else ""
    return finding(
        "redefined",
        Severity.WARN if source == known_rules.CORE else Severity.NOTE,
        f"“{name}” is not what it is in {source}{example}.",
        source,
        "Give the rule another name, so that nobody takes it for the other.",
    )


def _with_known(name: str, rulebook: Rulebook) -> Comparison:
    effort = Effort(_SMALL_EFFORT)
    try:
        own, known = (
            Machine(automaton(Reference(name), book, effort)) for book in (rulebook, Rulebook())
        )
    except NotDecided as reason:
        return Comparison(Answer.NOT_DECIDED, reason=str(reason))
    return compare(own, known, effort)


def borrowed(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    used = [name for rule in rulebook.own.values() for name in rule.uses]
    taken = [
        name
        for name in used
        if name.lower() not in rulebook.own
        and known_rules.source(name) not in ("", known_rules.CORE)
    ]
    if taken:
        yield finding(
            "borrowed",
            Severity.NOTE,
            f"{listed(taken)}: not defined here, and taken from {_sources(taken)}.",
            "RFC 5234, section 2.1",
            "Say so in the text, or add the rules.",
        )


def _sources(names: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(map(known_rules.source, names)))

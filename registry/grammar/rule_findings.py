"""What there is to say about the rules of a grammar, one function for each thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from registry.grammar.findings import MOST, finding, listed
from registry.grammar.known_findings import borrowed, redefined
from registry.grammar.rulebook import Rulebook
from registry.urn import Finding, Severity


def of_rules(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    """Findings on the rules of `rulebook`, of which `start` describes a name."""
    for check in _CHECKS:
        yield from check(rulebook, start)


def _undefined(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    places: dict[str, list[int]] = {}
    for rule in rulebook.own.values():
        for name in rule.uses:
            if rulebook.find(name) is None:
                places.setdefault(name, []).append(rule.line)
    for name, lines in list(places.items())[:MOST]:
        where = f"in the rule of line {lines[0]}"
        yield finding(
            "undefined",
            Severity.WARN,
            f"“{name}” is used {where} and defined nowhere.",
            "RFC 5234, section 2.1",
            "Add a rule for it, or put it in quotation marks if it is meant as text.",
        )


def _unused(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    reached = rulebook.reached(start)
    unused = [rule.name for name, rule in rulebook.own.items() if name not in reached]
    if unused:
        yield finding(
            "unused",
            Severity.NOTE,
            f"Names, which “{start}” describes, make no use of {listed(unused)}.",
            "RFC 5234, section 2.2",
            "Leave out what is not needed, or put the rule that describes names first.",
        )


def _replaced(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    for before, rule in rulebook.replaced[:MOST]:
        yield finding(
            "replaced",
            Severity.WARN,
            f"“{rule.name}” of line {before.line} is defined again in line {rule.line},"
            " and only the later one counts.",
            "RFC 5234, section 3.3",
            "Rename one of them; names differ in more than case. To add to a rule, write “=/”.",
        )
    for rule in rulebook.orphans[:MOST]:
        yield finding(
            "orphan",
            Severity.WARN,
            f"“{rule.name} =/” in line {rule.line} adds to a rule that is not there before it.",
            "RFC 5234, section 3.3",
            "Write “=”, or move the line behind the rule that it adds to.",
        )


def _prose(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    for rule in rulebook.own.values():
        for reason in rule.prose[:MOST]:
            yield finding(
                "prose",
                Severity.WARN,
                f"In the rule “{rule.name}”, {reason}",
                "RFC 5234, section 4",
                "Write it as a rule, if it can be written as one.",
            )


def _recursive(rulebook: Rulebook, start: str) -> Iterator[Finding]:
    cycle = rulebook.cycle(rulebook.reached(start))
    if cycle:
        through = f" through {listed(cycle[1:])}" if len(cycle) > 1 else ""
        yield finding(
            "recursive",
            Severity.NOTE,
            f"“{cycle[0]}” uses itself{through}.",
            "RFC 5234, section 3.6",
            "If it only repeats, say how often: 1*item.",
        )


_CHECKS: Final[tuple[Callable[[Rulebook, str], Iterator[Finding]], ...]] = (
    _undefined,
    _prose,
    _replaced,
    redefined,
    _recursive,
    borrowed,
    _unused,
)

"""What there is to say about a grammar as a whole, and how it is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from registry.grammar.automaton import Automaton
from registry.grammar.scope import is_same_nid
from registry.urn import Finding, Severity

MOST: Final = 20


def of_names(names: Automaton, undecided: str, nid: str, found_nid: str) -> Iterator[Finding]:
    """Findings on the names of a grammar: none can be tried, there are none, or of another NID."""
    if undecided:
        yield finding(
            "undecided",
            Severity.WARN,
            f"No name can be tried against this rule. {undecided}",
            "local rule",
            "Write it so that names can be tried, or leave them to people.",
        )
    elif names.is_empty:
        yield finding(
            "empty",
            Severity.WARN,
            "No name at all fits this rule.",
            "RFC 8141, section 2.2",
            "Look for a rule that leads back to itself without an end.",
        )
    elif found_nid and not is_same_nid(found_nid, nid):
        yield finding(
            "nid",
            Severity.WARN,
            f"The rule describes names that begin with “urn:{found_nid}:”, not “urn:{nid}:”.",
            "RFC 8141, section 2.1",
            f"Write “{nid}” in the rule, or describe only what follows it.",
        )


def finding(name: str, severity: Severity, message: str, source: str, mend: str = "") -> Finding:
    """A finding on the grammar, to be shown with the Syntax section."""
    return Finding(f"grammar.{name}", severity, message, source, mend, section="syntax")


def listed(names: Iterable[str]) -> str:
    """Names of rules, each in quotation marks, as many as can be read."""
    row = [f"“{name}”" for name in dict.fromkeys(names)]
    more = f" and {len(row) - MOST} more" if len(row) > MOST else ""
    return ", ".join(row[:MOST]) + more

"""Whether the identifier may be registered (RFC 8141, sections 5.1 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.fields import field
from registry.template.placeholder import occurrences
from registry.template.template import Template
from registry.urn import nid
from registry.urn.finding import Finding, Severity

_INFORMAL: Final = "RFC 8141, section 5.2"
_WHERE_NUMBERED: Final = frozenset({"syntax", "grammar", "examples"})


def formal_identifier_may_be_registered(template: Template, context: Context) -> Iterator[Finding]:
    """A new formal identifier keeps the hard rules of 5.1."""
    if context.is_new and not context.is_informal and template.nid:
        yield from nid.check(template.nid, context.taken)


def informal_identifier_is_left_open(template: Template, context: Context) -> Iterator[Finding]:
    """The registrant of an informal namespace does not choose its identifier (5.2)."""
    if not (context.is_new and context.is_informal and template.nid) or context.publishing:
        return
    if template.nid != nid.PLACEHOLDER:
        yield finding(
            "nid",
            "informal.identifier",
            Severity.BLOCK,
            f"“{template.nid[:40]}” cannot be asked for: the registry numbers informal namespaces.",
            f"Write {nid.PLACEHOLDER}, with a capital N.",
            _INFORMAL,
        )


def informal_identifier_was_assigned(template: Template, context: Context) -> Iterator[Finding]:
    """What is published is the next number, not taken before (5.2)."""
    if not (context.is_new and context.is_informal and context.publishing and template.nid):
        return
    if nid.informal_number(template.nid) is None:
        yield finding(
            "nid",
            "informal.number",
            Severity.BLOCK,
            f"“{template.nid[:40]}” is not the identifier of an informal namespace.",
            "Assign the next number.",
            _INFORMAL,
        )
    elif nid.canonical(template.nid) in context.taken:
        yield finding(
            "nid",
            "nid.registered",
            Severity.BLOCK,
            f"“{template.nid}” is registered already.",
            "Assign the next number.",
            _INFORMAL,
        )


def informal_names_leave_room(template: Template, context: Context) -> Iterator[Finding]:
    """The syntax of an informal namespace shows where its number goes (ours)."""
    if not (context.is_new and context.is_informal) or context.publishing or not template.syntax:
        return
    if not _WHERE_NUMBERED & occurrences(template).keys():
        yield finding(
            "syntax",
            "informal.placeholder",
            Severity.WARN,
            f"Neither Syntax nor the examples say {nid.PLACEHOLDER}, so the number will not appear"
            " in them.",
            f"Write names as urn:{nid.PLACEHOLDER}: and what follows. The registry replaces"
            f" {nid.PLACEHOLDER} by the identifier it assigns.",
            _INFORMAL,
        )


def informal_names_are_numbered(template: Template, context: Context) -> Iterator[Finding]:
    """Nothing waits for a number once the text is published (ours)."""
    if not (context.is_informal and context.publishing):
        return
    for name, count in occurrences(template).items():
        yield finding(
            name,
            "informal.unnumbered",
            Severity.BLOCK,
            f"{field(name).label} still has {nid.PLACEHOLDER}, counted {count:,}.",
            "Put the assigned identifier in its place.",
            _INFORMAL,
        )

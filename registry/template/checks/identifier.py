"""Whether identifier, version and date are acceptable (RFC 8141, 5.1, 5.2, Appendix A)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.fields import field
from registry.template.template import Template, occurrences
from registry.urn import nid
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_INFORMAL: Final = "RFC 8141, section 5.2"
_WHERE_NUMBERED: Final = frozenset({"syntax", "grammar", "examples"})


def formal_identifier_may_be_registered(template: Template, context: Context) -> Iterator[Finding]:
    """A new formal identifier follows the hard rules of 5.1."""
    if context.is_new and not context.is_informal and template.nid:
        yield from nid.check(template.nid, context.taken)


def informal_identifier_is_left_open(template: Template, context: Context) -> Iterator[Finding]:
    """The registrant of an informal namespace does not choose its identifier (5.2)."""
    if not (context.is_new and context.is_informal and template.nid) or context.publishing:
        return
    if template.nid != nid.PLACEHOLDER:
        yield build_finding(
            "nid",
            "informal.identifier",
            Severity.BLOCK,
            f"“{template.nid[:40]}” cannot be asked for: the registry numbers informal namespaces.",
            f"Write {nid.PLACEHOLDER}, with a capital N.",
            _INFORMAL,
        )


def informal_identifier_was_assigned(template: Template, context: Context) -> Iterator[Finding]:
    """What is published is the next number, not used before (5.2)."""
    if not (context.is_new and context.is_informal and context.publishing and template.nid):
        return
    if nid.informal_number(template.nid) is None:
        yield build_finding(
            "nid",
            "informal.number",
            Severity.BLOCK,
            f"“{template.nid[:40]}” is not the identifier of an informal namespace.",
            "Assign the next number.",
            _INFORMAL,
        )
    elif nid.canonical(template.nid) in context.taken:
        yield build_finding(
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
        yield build_finding(
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
    """No placeholder for a number is left once the text is published (ours)."""
    if not (context.is_informal and context.publishing):
        return
    for name, count in occurrences(template).items():
        yield build_finding(
            name,
            "informal.unnumbered",
            Severity.BLOCK,
            f"{field(name).label} still has {nid.PLACEHOLDER}, counted {count:,}.",
            "Put the assigned identifier in its place.",
            _INFORMAL,
        )


_WHOLE: Final = re.compile(r"[1-9][0-9]{0,8}")
_ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LEAVE: Final = "Leave it empty: the registry enters it."


def version_counts_on(template: Template, context: Context) -> Iterator[Finding]:
    """The version is an integer, one more than the last."""
    version = template.version
    if version and not _WHOLE.fullmatch(version):
        message = f"{quote_excerpt(version)} is not a version: versions are 1, 2, 3 and so on."
        yield build_finding("version", "version.number", Severity.WARN, message, _LEAVE)
    elif version and context.version is not None and int(version) != context.version:
        message = f"Version says {version}, and the next version is {context.version}."
        yield build_finding("version", "version.next", Severity.WARN, message, _LEAVE)


def date_is_a_day_that_has_come(template: Template, context: Context) -> Iterator[Finding]:
    """The date is a day, not in the future, and not before that of the last version."""
    if not template.date:
        return
    day = _parse_day(template.date)
    if day is None:
        message = f"{quote_excerpt(template.date)} is not a day written as year, month, day."
        yield build_finding("date", "date.form", Severity.WARN, message, _LEAVE)
    elif day > context.today:
        message = f"Date says {template.date}, which is still to come."
        yield build_finding("date", "date.future", Severity.WARN, message, _LEAVE)
    elif context.last_date is not None and day < context.last_date:
        message = f"Date says {template.date}; the last version is of {context.last_date}."
        yield build_finding("date", "date.older", Severity.WARN, message, _LEAVE)


def _parse_day(text: str) -> datetime.date | None:
    if not _ISO.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None

"""Version and date, where somebody wrote them (RFC 8141, Appendix A)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.template import Template
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity

_WHOLE: Final = re.compile(r"[1-9][0-9]{0,8}")
_ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LEAVE: Final = "Leave it empty: the registry enters it."


def version_counts_on(template: Template, context: Context) -> Iterator[Finding]:
    """The version is a whole number, one more than the last."""
    version = template.version
    if version and not _WHOLE.fullmatch(version):
        message = f"{excerpt(version)} is not a version: versions are 1, 2, 3 and so on."
        yield finding("version", "version.number", Severity.WARN, message, _LEAVE)
    elif version and context.version is not None and int(version) != context.version:
        message = f"Version says {version}, and the next version is {context.version}."
        yield finding("version", "version.next", Severity.WARN, message, _LEAVE)


def date_is_a_day_that_has_come(template: Template, context: Context) -> Iterator[Finding]:
    """The date is a day, not to come, and not before that of the last version."""
    if not template.date:
        return
    day = _day(template.date)
    if day is None:
        message = f"{excerpt(template.date)} is not a day written as year, month, day."
        yield finding("date", "date.form", Severity.WARN, message, _LEAVE)
    elif day > context.today:
        message = f"Date says {template.date}, which is still to come."
        yield finding("date", "date.future", Severity.WARN, message, _LEAVE)
    elif context.last_date is not None and day < context.last_date:
        message = f"Date says {template.date}; the last version is of {context.last_date}."
        yield finding("date", "date.older", Severity.WARN, message, _LEAVE)


def _day(text: str) -> datetime.date | None:
    if not _ISO.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None

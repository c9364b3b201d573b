"""One automatic finding about a text, and its weight."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """The weight of a finding: only `BLOCK` stops anybody."""

    BLOCK = "block"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: what is wrong, by which rule, and how to fix it.

    `check` is a stable id such as `nid.registered`; `source` cites the rule ("RFC 8141, section
    5.1"); `section` names the template field concerned, empty for the whole text.
    """

    check: str
    severity: Severity
    message: str
    source: str
    mend: str = ""
    section: str = ""

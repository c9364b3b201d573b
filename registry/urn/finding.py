"""What a machine has to say about a text: one finding, and how much it weighs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs: only `BLOCK` stops anybody."""

    BLOCK = "block"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of the machine: what is wrong, by which rule, and how to put it right.

    `check` is a stable id such as `nid.registered`; `source` cites the rule ("RFC 8141,
    section 5.1"); `section` names the template field it speaks of, empty when it speaks of all.
    """

    check: str
    severity: Severity
    message: str
    source: str
    mend: str = ""
    section: str = ""

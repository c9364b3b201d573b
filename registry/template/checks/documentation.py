"""Whether the document that is pointed to will be found (RFC 8141, 6.2 and Appendix A)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

_NONE: Final = re.compile(r"\s*(?:none|no|nothing|nil|n/?a)\b", re.I)
_MOVING: Final = re.compile(
    r"\bwiki\b|/wiki/|docs\.google\.|drive\.google\.|dropbox\.com|onedrive|sharepoint|notion\.so"
    r"|github\.com/\S{1,200}/(?:blob|tree)/(?:main|master|trunk|develop)\b"
    r"|raw\.githubusercontent\.com/\S{1,200}/(?:main|master)/|/latest\b|\bwork in progress\b"
    r"|\blatest version\b|\bintranet\b|//localhost|\bdraft-[a-z0-9-]{3,80}-latest\b",
    re.I,
)
_FOUND: Final = re.compile(
    r"https?://|\burn:|\bdoi\b|10\.[0-9]{4,9}/|\bRFC ?[0-9]{3,5}|\bISBN\b|\bISSN\b|\bISO\b|\bIEC\b"
    r"|\bITU-?T?\b|\bdraft-[a-z0-9]|\b(?:part|no\.?|number|edition|version|standard) ?[0-9]"
    r"|\b(?:1[89]|20)[0-9]{2}\b",
    re.I,
)


def documentation_stays_as_it_is(template: Template, context: Context) -> Iterator[Finding]:
    """A page that is rewritten from time to time documents nothing for long (6.2)."""
    match = _MOVING.search(template.documentation)
    if match:
        yield finding(
            "documentation",
            "documentation.moving",
            Severity.WARN,
            f"Documentation points to something that changes or moves: “{match[0][:40]}”.",
            "Point to a dated edition, a release or a tag of it.",
            "RFC 8141, section 6.2",
        )


def documentation_can_be_found(template: Template, context: Context) -> Iterator[Finding]:
    """A reference has an address, a number or at least a year (Appendix A)."""
    text = template.documentation
    if text.strip() and not _NONE.match(text) and not _FOUND.search(text):
        yield finding(
            "documentation",
            "documentation.vague",
            Severity.NOTE,
            "Documentation gives neither an address nor a number or a year.",
            "Add an address where the document will stay, its edition and its date.",
        )

"""What single sections are asked for by name in RFC 8141."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

_MAIL: Final = re.compile(r"[\w+-]@[\w-]+\.\w")
_PHONE: Final = re.compile(r"\+[0-9][0-9 ().-]{6}|\b[0-9]{2,5}[ ()/.-]+[0-9]{2,4}[ .-]?[0-9]{2}")
_POSTAL: Final = re.compile(
    r"\b(?:street|str\.|strasse|straße|road|avenue|lane|square|rue|via|calle|p\.? ?o\.? ?box)\b"
    r"|(?:^|,)[ \t]*(?:[A-Z]{1,2}-)?[0-9]{4,6}[ ]+[^\W\d_]{2}",
    re.I | re.M,
)
_CONTACTS: Final = (_MAIL, _PHONE, _POSTAL)
_INTENTION: Final = re.compile(
    r"\b(?:intend|inten[ts]|anticipat|expect|plan|foresee|foreseen|will|may|can|no|not|none|never"
    r"|yes|operat|provid|offer|run|resolvable|resolvers?|resolved)",
    re.I,
)


def registrant_can_be_reached(template: Template, context: Context) -> Iterator[Finding]:
    """Somebody can be written to or called (Appendix A)."""
    text = template.registrant
    if text and not any(pattern.search(text) for pattern in _CONTACTS):
        yield finding(
            "registrant",
            "registrant.contact",
            Severity.WARN,
            "Registrant gives no mail address, telephone number or postal address.",
            "Add a mail address, best a shared one that stays when people change.",
        )


def resolution_says_whether(template: Template, context: Context) -> Iterator[Finding]:
    """Resolution has to say whether it is intended (6.4.6)."""
    text = template.resolution
    if text and not _INTENTION.search(text):
        yield finding(
            "resolution",
            "resolution.intention",
            Severity.NOTE,
            "Resolution does not seem to say whether names are meant to be looked up.",
            "Begin with “Resolution is intended” or “Resolution is not intended”.",
        )

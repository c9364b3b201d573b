"""How names fare outside: among other names, in programs, at services (RFC 8141, 6.4.5, 6.4.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.checks.wording import count_words
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

_FEW: Final = 7
_NOTHING: Final = re.compile(r"\b(?:none|no|nothing|not)\b", re.I)
_INTENDED: Final = re.compile(
    r"\b(?:resolution|lookup|look-up|resolving|resolvers?|services?)\b[^.]{0,60}"
    r"\b(?:is|are|will be)[ ](?:also[ ])?"
    r"(?:intended|planned|anticipated|expected|available|foreseen)\b"
    r"|^yes\b",
    re.I,
)
_OPERATOR: Final = re.compile(
    r"\b(?:operat|runs?\b|run by|provid|offer|maintain|recommend|host|by (?:the|its|each|our)\b"
    r"|our\b|answers?\b|at https?:|third part|others may|members? may)",
    re.I,
)


def interoperability_says_where_one_looked(
    template: Template, context: Context
) -> Iterator[Finding]:
    """Known issues MUST be given; "none" is worth as much as the search for them (6.4.5)."""
    text = template.interoperability
    short = bool(text.strip()) and count_words(text, _FEW) < _FEW
    if short and _NOTHING.search(text):
        yield finding(
            "interoperability",
            "interoperability.short",
            Severity.WARN,
            "Interoperability says that there is nothing, and not where you looked.",
            "Name the namespaces, schemes and numbering systems that you compared, and what"
            " programs may do to the names.",
        )


def resolution_says_by_whom(template: Template, context: Context) -> Iterator[Finding]:
    """Where resolution is intended, the assigner says whether it runs a service (6.4.6)."""
    text = template.resolution
    if _INTENDED.search(text) and not _OPERATOR.search(text):
        yield finding(
            "resolution",
            "resolution.operator",
            Severity.NOTE,
            "Resolution is intended, and nothing is said about who runs a service.",
            "Say whether your organization runs one, or which it recommends.",
        )

"""Documents that no longer hold, and advice that went with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.characters import position
from registry.template.checks.context import Context, finding
from registry.template.fields import ORDER, field
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

_OBSOLETE: Final = re.compile(r"\bRFC[ -]?(2141|2611|3406|5226)\b", re.I)
_SUCCESSOR: Final = {"2141": "8141", "2611": "8141", "3406": "8141", "5226": "8126"}
# A text may tell its own past.
_HISTORY: Final = frozenset({"prior_use", "additional_information", "revision_information"})
_EXPERIMENTAL: Final = re.compile(
    r"\burn:x-[a-z0-9]|\bexperimental (?:urn )?namespaces?\b"
    r"|[\"“‘'`]X-[\"”’'`]|\bX-(?: prefix| namespaces?| NIDs?)\b",
    re.I,
)


def obsolete_documents_are_not_cited(template: Template, context: Context) -> Iterator[Finding]:
    """Rules are taken from documents that are in force (RFC 8141, header and appendix C)."""
    seen: set[str] = set()
    for name in ORDER:
        for match in _OBSOLETE.finditer(template[name]) if name not in _HISTORY else ():
            number = match[1]
            if number not in seen:
                seen.add(number)
                yield finding(
                    name,
                    "citation.obsolete",
                    Severity.WARN,
                    f"{field(name).label} cites RFC {number} in"
                    f" {position(template[name], match.start())}, which is obsolete.",
                    f"Cite RFC {_SUCCESSOR[number]}, and look whether what is cited still holds.",
                    "RFC 8141, header" if number != "5226" else "RFC 8126, header",
                )


def experimental_names_are_not_advised(template: Template, context: Context) -> Iterator[Finding]:
    """Experimental namespaces, which began with X-, are no more (RFC 8141, appendix C)."""
    for name in ORDER:
        match = _EXPERIMENTAL.search(template[name]) if name not in _HISTORY else None
        if match:
            yield finding(
                name,
                "citation.experimental",
                Severity.WARN,
                f"{field(name).label} speaks of experimental names (“{match[0]}”) in"
                f" {position(template[name], match.start())}; there are none any more.",
                "Use the namespace “example” for examples, and names of this namespace otherwise.",
                "RFC 8141, appendix C",
            )

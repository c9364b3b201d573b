"""Whether every question that has to be answered is answered, and its document can be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.fields import (
    DOCUMENTATION_FIELD,
    FIELDS,
    REVISION_INFORMATION_FIELD,
    Field,
)
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

_NO_ANSWER: Final = re.compile(r"n\.?[ /]?a\.?|(?:not|none) applicable\.?|[-–—.?…]+", re.I)
_BARE_NONE: Final = re.compile(r"(?:none|no|nothing|nil)\.?", re.I)
_NONE_WITH_REASON: Final = re.compile(r"none\s*(?:[.,;:(–—-]|because\b|since\b|as\b|$)", re.I)
_ADDRESS: Final = "://"


def sections_are_filled_in(template: Template, context: Context) -> Iterator[Finding]:
    """Each required section says something (Appendix A; 6.2 for revisions)."""
    for each in FIELDS:
        if context.requires(each) and not template[each.name].strip():
            yield _report_empty(each, context)


def not_applicable_is_no_answer(template: Template, context: Context) -> Iterator[Finding]:
    """A required section is not brushed aside with "n/a" or a dash."""
    for each in FIELDS:
        text = template[each.name].strip()
        if context.requires(each) and _says_only(_NO_ANSWER, text):
            yield build_finding(
                each.name,
                "answer.not-applicable",
                context.unfinished,
                f"{each.label} says only “{text}”, and an answer is required.",
                "Answer in a sentence. If there is nothing to tell, say what you considered.",
            )


def documentation_points_somewhere(template: Template, context: Context) -> Iterator[Finding]:
    """No document needs a reason (ours); on the fast track it will not do (6.3)."""
    text = template.documentation.strip()
    if context.is_fast_track and _NONE_WITH_REASON.match(text) and _ADDRESS not in text:
        yield build_finding(
            "documentation",
            "documentation.specification",
            Severity.BLOCK,
            "Documentation names no specification, and the fast track requires one.",
            "Point to the specification, or ask for the community path instead.",
            "RFC 8141, section 6.3",
        )
    elif _says_only(_BARE_NONE, text):
        yield build_finding(
            "documentation",
            "documentation.reason",
            Severity.WARN,
            f"Documentation says only “{text}”.",
            "Point to a stable document, or write none and the reason.",
            "RFC 8141, section 6.2",
        )


def _says_only(pattern: re.Pattern[str], text: str) -> bool:
    return len(text) <= 20 and pattern.fullmatch(text) is not None


def _report_empty(each: Field, context: Context) -> Finding:
    if each is REVISION_INFORMATION_FIELD:
        return build_finding(
            each.name,
            "revision.empty",
            Severity.BLOCK,
            "Revision Information is empty, and a revision has to say what changed.",
            "Describe what is different from the version before, and why.",
        )
    if each is DOCUMENTATION_FIELD and context.is_fast_track:
        return build_finding(
            each.name,
            "documentation.specification",
            Severity.BLOCK,
            "Documentation is empty, and the fast track requires a specification.",
            "Point to the specification, or ask for the community path instead.",
            "RFC 8141, section 6.3",
        )
    return build_finding(
        each.name,
        "section.empty",
        Severity.BLOCK,
        f"{each.label} is empty.",
        each.guidance[0],
    )


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
        yield build_finding(
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
        yield build_finding(
            "documentation",
            "documentation.vague",
            Severity.NOTE,
            "Documentation gives neither an address nor a number or a year.",
            "Add an address where the document will stay, its edition and its date.",
        )

"""Whether every question that has to be answered is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.definition import Field
from registry.template.fields import DOCUMENTATION, FIELDS, REVISION_INFORMATION
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
            yield _empty(each, context)


def not_applicable_is_no_answer(template: Template, context: Context) -> Iterator[Finding]:
    """A required section is not brushed aside with "n/a" or a dash."""
    for each in FIELDS:
        text = template[each.name].strip()
        if context.requires(each) and _says_only(_NO_ANSWER, text):
            yield finding(
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
        yield finding(
            "documentation",
            "documentation.specification",
            Severity.BLOCK,
            "Documentation names no specification, and the fast track requires one.",
            "Point to the specification, or ask for the community path instead.",
            "RFC 8141, section 6.3",
        )
    elif _says_only(_BARE_NONE, text):
        yield finding(
            "documentation",
            "documentation.reason",
            Severity.WARN,
            f"Documentation says only “{text}”.",
            "Point to a stable document, or write none and the reason.",
            "RFC 8141, section 6.2",
        )


def _says_only(pattern: re.Pattern[str], text: str) -> bool:
    return len(text) <= 20 and pattern.fullmatch(text) is not None


def _empty(each: Field, context: Context) -> Finding:
    if each is REVISION_INFORMATION:
        return finding(
            each.name,
            "revision.empty",
            Severity.BLOCK,
            "Revision Information is empty, and a revision has to say what changed.",
            "Describe what is different from the version before, and why.",
        )
    if each is DOCUMENTATION and context.is_fast_track:
        return finding(
            each.name,
            "documentation.specification",
            Severity.BLOCK,
            "Documentation is empty, and the fast track requires a specification.",
            "Point to the specification, or ask for the community path instead.",
            "RFC 8141, section 6.3",
        )
    return finding(
        each.name,
        "section.empty",
        Severity.BLOCK,
        f"{each.label} is empty.",
        each.guidance[0],
    )

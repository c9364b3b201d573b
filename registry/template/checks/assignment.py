"""Who assigns names, and whether a name stays what it is (RFC 8141, 5.1 and 6.4.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.checks.wording import is_begun, question, sentences, unanswered
from registry.template.template import Template
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity

_OPENNESS: Final = question(
    "openness",
    r"open\b|closed|limited|only\b|alone\b|restrict|any(?:one|body)|who(?:ever)?\b"
    r"|first[- ]come|delegat|members?\b|exclusive|sole|authori[sz]",
)
_UNIQUE: Final = question(
    "uniqueness",
    r"unique|twice|once\b|sequen|counter|counted|algorithm|hash|collision|duplicat"
    r"|one list|single list|the list\b|next (?:free )?number|same name|in (?:the )?order"
    r"|numbers? (?:its|their|the)|numbered|register(?:ed|s)? (?:in|with|by)|block|range",
)
_KEPT: Final = re.compile(
    r"\b(?:never|not|no(?! longer)|nor|without)\b[^.;]{0,80}\b(?:again|re-?assign|re-?us|re-?issu"
    r"|re-?alloc|re-?cycl|other|another|anything else|twice|changed?|taken out)"
    r"|\bfor ?ever|\bfor good\b|\bpermanent|\bpersist|\bin perpetuity|\bindefinite"
    r"|\bkeeps? its (?:name|number|code)|\bnames?\b[^.;]{0,40}\bstays?\b",
    re.I,
)
_GIVEN_AWAY: Final = re.compile(
    r"\b(?:available (?:again )?(?:to|for) (?:an)?other"
    r"|(?:can|may|will) be (?:used|given|assigned) (?:again|to (?:an)?other)"
    r"|(?:re-?assigned|re-?issued|recycled|re-?used) (?:after|when|if|to))",
    re.I,
)
_DENIED: Final = re.compile(r"\b(?:never|not|nor|no (?:name|number|code))\b", re.I)
_BORROWED: Final = re.compile(
    r"\b(?:domain names?|host ?names?|country codes?|iso 3166(?:-1)?|ip addresses"
    r"|(?:tele)?phone numbers?|mail addresses|trademarks?|ticker symbols?|postal codes?)\b",
    re.I,
)
_MINDED: Final = re.compile(
    r"\b(?:change[sd]? hands|expire|owner|re-?assigned|at the time|on the day|as of|passe[sd] to"
    r"|changes? its|lapse|transfer|dated?\b|even (?:if|after) (?:it|the (?:domain|country|number))"
    r"|means nothing|not (?:based|built|taken))",
    re.I,
)


def assignment_says_for_whom(template: Template, context: Context) -> Iterator[Finding]:
    """Assignment is open, closed or limited, and says which (6.4.3, item 1)."""
    if _is_silent(template, _OPENNESS.signs):
        yield finding(
            "assignment",
            "assignment.openness",
            Severity.NOTE,
            "Assignment does not seem to say whether it is open, closed or limited.",
            "Say who assigns names, and how somebody else may ask for one.",
        )


def assignment_keeps_names_unique(template: Template, context: Context) -> Iterator[Finding]:
    """Something keeps the same name from being given twice (6.4.3, item 2)."""
    if is_begun(template.assignment) and unanswered(template.assignment, (_UNIQUE,)):
        yield finding(
            "assignment",
            "assignment.unique",
            Severity.NOTE,
            "Assignment does not seem to say what keeps a name from being given twice.",
            "Describe the list, the number ranges or the algorithm.",
        )


def names_are_never_reassigned(template: Template, context: Context) -> Iterator[Finding]:
    """A name, once given, is never given to anything else (5.1, item 3)."""
    given = _given_away(template.assignment)
    if given:
        yield finding(
            "assignment",
            "assignment.reassigned",
            Severity.WARN,
            f"Names seem to be given a second time: {excerpt(given)}.",
            "A URN means one thing for ever; let old names rest.",
            "RFC 8141, section 5.1",
        )
    elif _is_silent(template, _KEPT):
        yield finding(
            "assignment",
            "assignment.reassigned",
            Severity.WARN,
            "Assignment does not seem to say that a name is never given to anything else.",
            "State it, also for the time after the thing or its owner is gone.",
            "RFC 8141, section 5.1",
        )


def names_do_not_rest_on_what_changes_hands(
    template: Template, context: Context
) -> Iterator[Finding]:
    """Names built on those that others assign anew change their meaning with them (5.1)."""
    match = _BORROWED.search(template.syntax) or _BORROWED.search(template.assignment)
    if match and not _MINDED.search(template.assignment):
        yield finding(
            "assignment",
            "assignment.borrowed",
            Severity.WARN,
            f"Names seem to rest on something that others assign, and assign again: “{match[0]}”.",
            "Say what becomes of the names when it passes to somebody else; a date within the"
            " name often helps.",
            "RFC 8141, section 5.1",
        )


def _given_away(text: str) -> str:
    """The sentence that lets names be given again; empty where none does."""
    return next(
        (each for each in sentences(text) if _GIVEN_AWAY.search(each) and not _DENIED.search(each)),
        "",
    )


def _is_silent(template: Template, signs: re.Pattern[str]) -> bool:
    return is_begun(template.assignment) and not signs.search(template.assignment)

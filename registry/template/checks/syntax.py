"""What the words on Syntax have to settle, and what they cannot (RFC 8141, 2.3 and 6.4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.characters import position
from registry.template.checks.context import Context, finding
from registry.template.checks.wording import is_begun, question, sentences, unanswered
from registry.template.fields import field
from registry.template.template import Template
from registry.urn.characters import describe, excerpt
from registry.urn.finding import Finding, Severity

_ENCODING: Final = question(
    "encoding",
    r"percent|(?:un)?encod|escap|ascii|%[0-9a-f]{2}",
)
_EQUIVALENCE: Final = question(
    "equivalence",
    r"equivalen|case\b|case-|same\b|identical|compar|matter|distinct",
)
_COMPONENT: Final = re.compile(
    r"\b[rqf]-components?\b|\bfragment|\bquery (?:part|component|string)|\?\+|\?=", re.I
)
_RESOLVING: Final = re.compile(r"\br-components?\b|\?\+", re.I)
_MEANS: Final = re.compile(
    r"\b(?:means|mean|carr(?:y|ies)|select\w*|specif(?:y|ies)|denotes?|indicates?|chooses?"
    r"|contains?|holds?|passe[sd]|used (?:to|for|by)|gives|give)\b",
    re.I,
)
_NOT: Final = re.compile(
    r"\b(?:not?|none|nothing|never|neither|nor|without|undefined|reserved|ignored?|future|once)\b"
    r"|n[’']t\b",
    re.I,
)
_FORBIDS: Final = re.compile(
    r"\b(?:(?:must|may|shall|can|are|is|should) ?not|cannot|never|no)\b[^.]{0,40}"
    r"\b(?:allow|permit|append|add|contain|include|have|use|carry|follow|be present|occur|valid)"
    r"|\b(?:forbid|forbidden|prohibit|disallow|invalid|illegal)",
    re.I,
)
_MEANING: Final = re.compile(
    r"\b(?:meaning|defin|semantic|effect|purpose|special|interpret|role|significan)", re.I
)
_NAME: Final = re.compile(r"\burn:[A-Za-z0-9-]{2,32}:[^\s<>\"“”„«»‘’]*", re.I)
_BEYOND: Final = re.compile(r"[^\x00-\x7f]")
_COMMENT: Final = re.compile(r";[^\n]*")
_PUNCTUATION: Final = "….,–—·•"


def encoding_is_spoken_of(template: Template, context: Context) -> Iterator[Finding]:
    """A reader knows how characters are written that URNs reserve (6.4.2, items 2 and 4)."""
    if is_begun(template.syntax) and unanswered(template.syntax, (_ENCODING,)):
        yield finding(
            "syntax",
            "syntax.encoding",
            Severity.NOTE,
            "Syntax does not say whether anything in a name is percent-encoded.",
            "Say which characters are, or that nothing is.",
        )


def equivalence_is_spoken_of(template: Template, context: Context) -> Iterator[Finding]:
    """A reader knows when two names are the same (6.4.2, item 3)."""
    if is_begun(template.syntax) and unanswered(template.syntax, (_EQUIVALENCE,)):
        yield finding(
            "syntax",
            "syntax.equivalence",
            Severity.NOTE,
            "Syntax does not say when two names are the same, nor whether case matters.",
            "Say so, even if section 3 of RFC 8141 is all that holds.",
        )


def r_components_wait_for_their_standard(template: Template, context: Context) -> Iterator[Finding]:
    """What r-components mean is kept for a standard to come (2.3.1)."""
    for name in ("syntax", "resolution"):
        for sentence in sentences(template[name]):
            if (
                _RESOLVING.search(sentence)
                and _MEANS.search(sentence)
                and not _NOT.search(sentence)
            ):
                yield finding(
                    name,
                    "syntax.r-component",
                    Severity.WARN,
                    f"{field(name).label} gives r-components a meaning: {excerpt(sentence)}. They"
                    " should not be used before there is a standard for them.",
                    "Leave r-components without a meaning; parameters for the resource itself can"
                    " stand in a q-component.",
                    "RFC 8141, section 2.3.1",
                )
                break


def components_are_not_forbidden(template: Template, context: Context) -> Iterator[Finding]:
    """Anybody may append components to any name, whatever its namespace says (2.3)."""
    for sentence in sentences(template.syntax):
        if (
            _COMPONENT.search(sentence)
            and _FORBIDS.search(sentence)
            and not _MEANING.search(sentence)
        ):
            yield finding(
                "syntax",
                "syntax.components",
                Severity.WARN,
                f"Syntax seems to forbid components: {excerpt(sentence)}. They may be used with"
                " the names of any namespace.",
                "Say that they have no meaning in this namespace, which is what can be said.",
                "RFC 8141, section 2.3",
            )
            return


def names_are_written_in_ascii(template: Template, context: Context) -> Iterator[Finding]:
    """What is beyond ASCII is percent-encoded in a name (2.2; 1.2.2)."""
    for name, start, text in _written(template):
        foreign = _BEYOND.search(text.rstrip(_PUNCTUATION))
        if foreign:
            place = position(template[name], start + foreign.start())
            yield finding(
                name,
                "syntax.ascii",
                Severity.WARN,
                f"{field(name).label} has {describe(foreign[0])} within a name or a rule, in"
                f" {place}.",
                "Write the octets of its UTF-8 form percent-encoded, and let the rule say so.",
                "RFC 8141, section 2.2",
            )
            return


def _gives_meaning(sentence: str) -> bool:
    return _MEANS.search(sentence) is not None and _NOT.search(sentence) is None


def _written(template: Template) -> Iterator[tuple[str, int, str]]:
    """Names that stand in the text, and the grammar without what is only said beside it."""
    for match in _NAME.finditer(template.syntax):
        yield "syntax", match.start(), match[0]
    bare = _COMMENT.sub(lambda comment: " " * len(comment[0]), template.grammar)
    if template.grammar_kind in ("abnf", "regex"):
        yield "grammar", 0, bare if template.grammar_kind == "abnf" else template.grammar

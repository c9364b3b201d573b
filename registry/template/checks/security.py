"""Whether security and privacy were thought of (RFC 8141, section 6.4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.checks.wording import count_words, is_begun, listed, question, unanswered
from registry.template.template import Template
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity

_FEW: Final = 20
_LONG: Final = 60
_BOILERPLATE: Final = re.compile(
    r"\bno (?:additional|new|known|specific|special|particular|further|other)?[ ]?"
    r"(?:security|privacy|considerations)\b"
    r"|\b(?:introduce|raise|pose)s? no\b|\bno different (?:from|than)\b|\bbeyond th(?:ose|at)\b"
    r"|\bthe usual measures\b|\bsee (?:the )?security considerations\b",
    re.I,
)
_QUESTIONS: Final = (
    question(
        "what happens if two names are taken for one or one for two",
        r"compar|equivalen|mistak|taken for|taking|confus|false (?:pos|neg|name)|wrong"
        r"|mix(?:ed|ing)|differ|collision|typ(?:o|ing)|slip",
    ),
    question(
        "what a name reveals",
        r"reveal|privacy|private|personal|persons?\b|people|leak|disclos|confiden"
        r"|tells?\b|sensitive|who\b|nothing about|anonym|donor|author",
    ),
    question(
        "whether names can be guessed or collected",
        r"guess|harvest|enumerat|collect|crawl|scan|whole (?:list|director)|predict"
        r"|in sequence|listed|random",
    ),
)
_MAIL: Final = re.compile(r"[\w.+-]{1,64}(?:@|%40)(?:[\w-]{1,63}\.){1,5}[a-z]{2,20}", re.I)
_PHONE: Final = re.compile(r"(?:tel|phone|mobile|msisdn)[:/=.-]?\+?[0-9]{6,15}|\+[0-9]{8,15}", re.I)


def security_says_more_than_nothing(template: Template, context: Context) -> Iterator[Finding]:
    """A few words, or those that stand everywhere, answer nobody."""
    text = template.security_privacy
    few = bool(text.strip()) and count_words(text, _FEW) < _FEW
    usual = _BOILERPLATE.search(text) if count_words(text, _LONG) < _LONG else None
    if few or usual:
        how = f"says what stands everywhere, {excerpt(usual[0])}" if usual else "is very short"
        yield finding(
            "security_privacy",
            "security.short",
            Severity.WARN,
            f"Security and Privacy {how}.",
            "Say what you considered for assigning, comparing, sending and looking up names.",
        )


def security_answers_its_questions(template: Template, context: Context) -> Iterator[Finding]:
    """The three matters that 6.4.4 names are spoken of."""
    text = template.security_privacy
    missing = unanswered(text, _QUESTIONS) if is_begun(text) else []
    if missing:
        yield finding(
            "security_privacy",
            "security.questions",
            Severity.NOTE,
            f"Security and Privacy does not seem to say {listed(missing)}.",
            "Add a sentence on each, also where there is nothing to fear.",
        )


def examples_name_no_person(template: Template, context: Context) -> Iterator[Finding]:
    """An example shows no mail address or telephone number (ours, for 6.4.4)."""
    for name in ("examples", "counter_examples", "syntax"):
        match = _MAIL.search(template[name]) or _PHONE.search(template[name])
        if match:
            yield finding(
                name,
                "examples.personal",
                Severity.WARN,
                f"{excerpt(match[0])} looks like the address or the telephone number of somebody.",
                "Use one that belongs to nobody, and consider what such names reveal.",
                "RFC 8141, section 6.4.4",
            )
            return

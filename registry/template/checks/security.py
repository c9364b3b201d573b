"""What could go wrong with names, and what they reveal (6.4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import (
    count_words,
    has_enough_words,
    speaks_for_itself,
)
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_MIN_SECURITY_WORDS: Final = 20
_LONG: Final = 60
_BOILERPLATE: Final = re.compile(
    r"\bno (?:(?:additional|new|known|specific|special|particular|further|other|major|significant"
    r"|obvious|relevant|immediate)\b[ ]?(?:and |or )?){0,2}(?:security|privacy|considerations"
    r"|concerns|issues|risks|threats|implications)\b"
    r"|\b(?:introduce|raise|pose|create|present)s? no\b"
    r"|\bdo(?:es)? not (?:introduce|raise|pose|create|present|add|have|anticipate)\b"
    r"|\bno different (?:from|than)\b|\b(?:beyond|other than|apart from|besides) (?:th(?:ose|at"
    r"|e)|what)\b"
    r"|\bsecurity considerations (?:of|in|for|described|given|from|that)\b[^.;]{0,80}\bappl(?:y"
    r"|ies)\b"
    r"|\bthe usual (?:measures|considerations|precautions)\b|\bcommon to all URNs?\b"
    r"|\bsame as (?:for|those|with|any)\b|\bsee (?:the )?security considerations\b",
    re.I,
)
_MAIL: Final = re.compile(r"[\w.+-]{1,64}(?:@|%40)(?:[\w-]{1,63}\.){1,5}[a-z]{2,20}", re.I)
_PHONE: Final = re.compile(r"(?:tel|phone|mobile|msisdn)[:/=.-]?\+?[0-9]{6,15}|\+[0-9]{8,15}", re.I)


def security_says_more_than_nothing(template: Template, context: Context) -> Iterator[Finding]:
    """A few words, or standard phrases, answer nothing."""
    text = template.security_privacy
    if not text.strip() or (has_enough_words(text) and not speaks_for_itself(text)):
        return
    few = count_words(text, _MIN_SECURITY_WORDS) < _MIN_SECURITY_WORDS
    usual = _BOILERPLATE.search(text) if count_words(text, _LONG) < _LONG else None
    if few or usual:
        said = f"says only what every text says, {quote_excerpt(usual[0])}" if usual else ""
        yield build_finding(
            "security_privacy",
            "security.short",
            Severity.WARN,
            f"Security and Privacy {said or 'is very short'}.",
            "Say what you considered for assigning, comparing, sending and looking up names.",
        )


def examples_name_no_person(template: Template, context: Context) -> Iterator[Finding]:
    """An example shows no mail address or telephone number (ours, for 6.4.4)."""
    for name in ("examples", "counter_examples", "syntax"):
        match = _MAIL.search(template[name]) or _PHONE.search(template[name])
        if match:
            yield build_finding(
                name,
                "examples.personal",
                Severity.WARN,
                f"{quote_excerpt(match[0])} looks like the address or the telephone number of"
                " somebody.",
                "Use one that belongs to nobody, and consider what such names reveal.",
                "RFC 8141, section 6.4.4",
            )
            return

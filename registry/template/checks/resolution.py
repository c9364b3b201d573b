"""Whether names can be looked up, with whose services, and under which conditions (6.4.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import (
    find_sentence,
    is_denied,
    split_clauses,
)
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_RESOLUTION_WORDS: Final = ("resol", "look", "service", "server")


def resolution_names_its_operator(template: Template, context: Context) -> Iterator[Finding]:
    """If resolution is intended, the assigner says whether it runs a service (6.4.6: SHOULD)."""
    if template.resolution_intended == "yes" and not template.resolution_operator.strip():
        yield build_finding(
            "resolution_operator",
            "resolution.operator",
            Severity.WARN,
            "Resolution is intended, and nobody is named who operates a service.",
            "Say whether your organization runs one, or which one it recommends.",
        )


_OTHERS_MAY: Final = re.compile(
    r"\b(?:any(?:one|body|body else)?|others?|third part(?:y|ies)|members?|vendors?|compan(?:y|ies)"
    r"|organi[sz]ations?|institutions?|partners?|operators?|users?|companies|assigners?|agenc\w+)"
    r"\b[^.;]{0,60}\b(?:may|can|might|could|will be able to|(?:is|are) (?:free|welcome|invited"
    r"|encouraged|allowed|able) to)\b[^.;]{0,60}\b(?:operat|run|provid|offer|host|set up|register"
    r"|establish|deploy|publish)\w*\b[^.;]{0,60}\b(?:resol|service|server|look-?up)",
    re.I,
)
_ADVERTISED: Final = re.compile(
    r"\b(?:publicly |openly )?advertis(?:e|es|ed|ing)\b|\b(?:keep|maintain|publish|public|our)\w*\b"
    r"[^.;]{0,30}\b(?:list|director(?:y|ies)|registr(?:y|ies)|catalogue|register|index)\b"
    r"[^.;]{0,40}\b(?:resol\w+|services?|servers?)\b"
    r"|\b(?:resolv\w+|resolution services?|services?|servers?)\b[^.;]{0,60}\b(?:(?:will be|are|is"
    r"|be|can be|may be) (?:\w+ ){0,2}(?:listed|registered|published|advertised|announced))\b",
    re.I,
)
_REQUIREMENTS: Final = re.compile(
    r"\brequire|\bcondition|\bcriteri|\b(?:must|shall|has to|have to|needs? to|should)\b"
    r"|\bto be (?:listed|registered|advertised)|\bprovided that|\bqualif|\beligib|\bobligation"
    r"|\bpolic(?:y|ies)\b|\bagreement|\brules?\b|\bonly (?:if|where|services)",
    re.I,
)


def services_advertised_have_requirements(
    template: Template, context: Context
) -> Iterator[Finding]:
    """A list of other people's services says what those must do (6.4.6)."""
    text = template.resolution
    if _REQUIREMENTS.search(text):
        return
    sentence = find_sentence(text, _RESOLUTION_WORDS, _advertises_services)
    if sentence:
        yield build_finding(
            "resolution",
            "resolution.requirements",
            Severity.WARN,
            "Resolution speaks of services that others run or that are advertised, and does not"
            f" say what they must do: {quote_excerpt(sentence)}.",
            "List the requirements for a service to be advertised, or say where to read them.",
        )


def _advertises_services(sentence: str) -> bool:
    return any(
        (_OTHERS_MAY.search(clause) or _ADVERTISED.search(clause)) and not is_denied(clause)
        for clause in split_clauses(sentence)
    )


_PROMISED: Final = re.compile(
    r"\b(?:names?|URNs?|identifiers?) (?:can|will|shall|may) be (?:resolved|looked up"
    r"|dereferenced)\b"
    r"|\b(?:will|does|do) (?:operate|run|provide|offer)\b[^.;]{0,40}\b(?:resol|look-?up)\w*"
    r"|\b(?:runs|operates|provides|offers)\b[^.;]{0,40}\b(?:resolver|resolution service|look-?up)",
    re.I,
)


def resolution_is_what_other_sections_promise(
    template: Template, context: Context
) -> Iterator[Finding]:
    """No other section promises what the answer to the question denies (ours)."""
    if template.resolution_intended != "no":
        return
    for name in ("purpose", "assignment", "security_privacy"):
        sentence = find_sentence(
            template[name],
            _RESOLUTION_WORDS,
            lambda each: _PROMISED.search(each) is not None and not is_denied(each),
        )
        if sentence:
            yield build_finding(
                "resolution_intended",
                "resolution.contradiction",
                Severity.NOTE,
                "You answer that resolution is not intended, but another section says"
                f" {quote_excerpt(sentence)}.",
                "Let both say the same.",
            )
            return

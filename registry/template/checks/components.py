"""What is said about r-, q- and f-components (RFC 8141, section 2.3), and what must not be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import find_sentence, is_denied, split_clauses
from registry.template.fields import field
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_COMPONENT: Final = re.compile(
    r"\b[rqf]-components?\b|\bfragments?\b|\bquer(?:y|ies) (?:parts?|components?|strings?)"
    r"|\?\+|\?=",
    re.I,
)
_COMPONENT_WORDS: Final = ("-comp", "fragment", "quer", "?+", "?=")
_WHERE: Final = ("syntax", "purpose", "assignment", "interoperability", "resolution")

_RESOLVING: Final = re.compile(r"\br-components?\b|\?\+", re.I)
_GIVES_MEANING: Final = re.compile(
    r"\b(?:means?|meaning (?:is|of)|carr(?:y|ies)|carrying|select\w*|specif(?:y|ies|ying)"
    r"|denot\w+|indicat\w+|choos\w+|chosen|contain\w*|holds?|used (?:to|for"
    r"|by|as)"
    r"|gives?|given|tells?|ask(?:s|ed)? for|request\w*|appended to (?:ask|say|request|select)"
    r"|sets?|names?|stands? for|control\w*|allow\w*|lets?|parameters?|language|version)\b",
    re.I,
)
_PASSED_ON: Final = re.compile(
    r"\b(?:pass(?:es|ed|ing)?|suppl(?:y|ies|ied|ying)|sent|forward\w*|hand(?:s|ed)?)\b"
    r"(?: on| along| through| unchanged)?\b",
    re.I,
)
"""What 2.3.1 demands of whoever asks a resolution service, and no meaning."""
_R_COMPONENT_VALUE: Final = re.compile(r"\?\+(?=[^\s\"”’'`)\].,;])[^\s\"”’'`]+")
_LATER: Final = re.compile(
    r"\b(?:future|once|until|until then|when [^.;]{0,40}(?:standardi[sz]ed|specified|defined))\b",
    re.I,
)


def r_components_wait_for_their_standard(template: Template, context: Context) -> Iterator[Finding]:
    """The meaning of r-components is reserved for a future standard (2.3.1)."""
    for name in (*_WHERE, "examples"):
        sentence = find_sentence(template[name], ("r-comp", "?+"), _gives_r_component_meaning)
        if sentence:
            yield build_finding(
                name,
                "syntax.r-component",
                Severity.WARN,
                f"{field(name).label} gives r-components a meaning: {quote_excerpt(sentence)}."
                " They should not be used before there is a standard for them.",
                "Leave r-components without a meaning. Parameters for the resource itself can go"
                " in a q-component.",
                "RFC 8141, section 2.3.1",
            )


def _gives_r_component_meaning(sentence: str) -> bool:
    return any(
        (
            _R_COMPONENT_VALUE.search(clause)
            or _GIVES_MEANING.search(_PASSED_ON.sub(" ", _RESOLVING.sub(" ", clause)))
        )
        and not is_denied(clause)
        and not _LATER.search(sentence)
        for clause in split_clauses(sentence.replace(": ", " "))
        if _RESOLVING.search(clause)
    )


_FORBIDS: Final = re.compile(
    r"\b(?:(?:must|may|shall|can|are|is|should|do|does) ?not|cannot|never|no)\b[^.]{0,40}"
    r"\b(?:allow|permit|append|add|contain|include|have|use|carry|follow|be present|occur|valid)"
    r"|\b(?:forbid|forbidden|prohibit|disallow|invalid|illegal)",
    re.I,
)
_HAS_NO_MEANING: Final = re.compile(
    r"\b(?:meaning|defin|semantic|effect|purpose|special|interpret|role|significan|support|specif"
    r"|provision|particular|impose|restrict|require|need|compar|equivalen)",
    re.I,
)


def components_are_not_forbidden(template: Template, context: Context) -> Iterator[Finding]:
    """Anyone may append components to any name, whatever its namespace says (2.3)."""
    sentence = find_sentence(template.syntax, _COMPONENT_WORDS, _forbids_components)
    if sentence:
        yield build_finding(
            "syntax",
            "syntax.components",
            Severity.WARN,
            f"Syntax seems to forbid components: {quote_excerpt(sentence)}. They may be used"
            " with the names of any namespace.",
            "Say that they have no meaning in this namespace, if that is what you mean.",
            "RFC 8141, section 2.3",
        )


def _forbids_components(sentence: str) -> bool:
    return (
        _COMPONENT.search(sentence) is not None
        and _FORBIDS.search(sentence) is not None
        and not _HAS_NO_MEANING.search(sentence)
    )


_QUERYING: Final = re.compile(
    r"\bq-components?\b|\bquer(?:y|ies) (?:parts?|components?|strings?|parameters?)|\?=", re.I
)
_NEEDS: Final = re.compile(
    r"\b(?:requir(?:es?|ed|ing|ement)|needs?|needed|necessary|mandatory|obligatory|compulsory"
    r"|depends? on|rel(?:y|ies) on"
    r"|(?:must|shall|has to|have to) (?:always )?(?:be )?(?:given|present|supplied|passed|provided"
    r"|included|added|appended|sent|specified|carry|contain|have|include|supply|pass|give|send))\b"
    r"|\bonly (?:if|when|with|by)\b|\b(?:only|solely) (?:work|resolv)\w+",
    re.I,
)
_FAILS_WITHOUT: Final = re.compile(
    r"\b(?:cannot|can ?not|not|never|no|fails?|error|refus\w+|reject\w*)\b[^.;]{0,80}"
    r"\b(?:without|unless|lack\w*|miss(?:es|ing)|omit\w*)\b"
    r"|\b(?:without|unless|lack\w*|missing|omit\w*|absen\w+)\b[^.;]{0,80}"
    r"\b(?:cannot|can ?not|not|never|no|fails?|error|refus\w+|reject\w*|impossible)\b",
    re.I,
)
_NEEDS_NOTHING: Final = re.compile(
    r"\b(?:not|never|no|none|nor|neither|cannot|nothing)\b[^.;]{0,60}"
    r"\b(?:requir|need|necess|mandat|depend|rel(?:y|ies)|consider)"
    r"|\b(?:must|shall|should|does|do|is|are|need) not (?:be )?(?:requir|need|depend|rel)"
    r"|\bneed not\b|n[’']t (?:requir|need|depend|rel)|\b(?:no|not any) (?:q-component|query)",
    re.I,
)
_ABOUT_RESOLUTION: Final = re.compile(r"\bresol|\bservice|\blook(?:ed)?[- ]?up|\bserver", re.I)


def resolution_needs_no_q_component(template: Template, context: Context) -> Iterator[Finding]:
    """A resolver must not require what is meant for the resource (2.3.2)."""
    for name in ("syntax", "purpose", "resolution"):
        needs = _asks_for_q_component if name == "resolution" else _resolves_by_q_component
        sentence = find_sentence(template[name], _COMPONENT_WORDS, needs)
        if sentence:
            yield build_finding(
                name,
                "resolution.q-component",
                Severity.WARN,
                f"Resolution seems to need a q-component: {quote_excerpt(sentence)}. No resolver"
                " may require one.",
                "Put what a resolver has to know into the name itself, or resolve the name without"
                " the q-component too.",
                "RFC 8141, section 2.3.2",
            )
            return


def _resolves_by_q_component(sentence: str) -> bool:
    return _ABOUT_RESOLUTION.search(sentence) is not None and _asks_for_q_component(sentence)


def _asks_for_q_component(sentence: str) -> bool:
    if _QUERYING.search(sentence) and _FAILS_WITHOUT.search(sentence):
        return True
    return any(
        _NEEDS.search(clause) is not None and not _NEEDS_NOTHING.search(clause)
        for clause in split_clauses(sentence)
        if _QUERYING.search(clause)
    )

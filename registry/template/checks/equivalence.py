"""When two names are the same: what RFC 8141 requires, and what a revision changes.

A namespace can declare more names the same than section 3.1 does, but never fewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from registry.grammar import Answer, Grammar, GrammarSyntaxError
from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import find_sentence, is_denied, split_clauses
from registry.template.checks.rule import read_rule
from registry.template.fields import field
from registry.template.template import Template
from registry.urn import URNSyntaxError, parse
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_WHERE: Final = ("syntax", "assignment", "interoperability", "security_privacy", "resolution")
_PROCEDURE: Final = "RFC 8141, section 3.1"

_IDENTIFIER: Final = re.compile(
    r"(?<!after )(?<!after the )(?<!behind the )(?<!following the )(?<!follows the )"
    r"(?<!follow the )(?<!beyond the )(?<!within the )(?<!in the )(?<!under the )(?<!unlike the )"
    r"(?<!not the )(?<!except the )(?<!except for the )(?<!apart from the )(?<!besides the )"
    r"(?:\bNIDs?\b|\bnamespace (?:identifier|ID)\b|\b(?:URI|URN) scheme\b"
    r"|[\"“‘'`]urn(?::[a-z0-9-]{2,32}:?)?[\"”’'`]|\burn:[a-z0-9-]{2,32}:(?=[\s\"”’'`,.;]|$)"
    r"|\b(?:entire|whole|complete|full) (?:URNs?|names?|strings?)\b"
    r"|\b(?:URNs?|names?|strings?) (?:as a whole|in (?:its|their) entirety)"
    r"|\ball (?:parts|portions|components|characters) of (?:the|a|each|every) (?:URN|name)s?\b)",
    re.I,
)
_CASE_COUNTS: Final = re.compile(
    r"\bcase[- ]sensitive(?:ly)?\b|\bcase[- ]sensitivity (?:applies|holds)"
    r"|\b(?:letter |upper[- ]?(?:and|or) lower[- ]?)?case\b[^.;]{0,60}?\b(?:matters?|counts?"
    r"|(?:is|are) (?:significant|relevant|important|distinguished|distinctive|observed|preserved"
    r"|taken into account|to be (?:kept|observed|preserved))|makes? a difference"
    r"|(?:must|shall|has to|have to) be (?:kept|observed|preserved|respected|matched))\b"
    r"|\b(?:preserve|keep|retain|respect|observe|match)\w*[^.;]{0,12}\b(?:letter )?case\b"
    r"|\b(?:upper[- ]?case|lower[- ]?case|capital)[^.;]{0,60}\b(?:distinguish\w*|differ(?:s|ent)?"
    r"|distinct)\b"
    r"|\bdiffer\w*[^.;]{0,40}\bin (?:letter )?case\b[^.;]{0,60}\b(?:different|distinct|two)\b"
    r"|\b(?:must|shall|has to|have to|is required to|are required to|can only|may only)\b"
    r"[^.;]{0,40}\b(?:upper|lower)[- ]?case\b",
    re.I,
)
_CASE_IS_FREE: Final = re.compile(
    r"\bcase[- ]insensitive|\beither (?:letter )?case\b|\bany (?:mix of )?case\b"
    r"|\b(?:convert|normali[sz]|fold|chang|turn|map)\w*[^.;]{0,40}\b(?:upper|lower|a single)"
    r"|\b(?:upper|lower)[- ]?case\b[^.;]{0,40}\b(?:before|for the purpose|for comparison)"
    r"|\bequivalen|\bthe same (?:name|URN|resource|identifier)",
    re.I,
)


def identifier_is_compared_without_case(template: Template, context: Context) -> Iterator[Finding]:
    """Scheme and NID are compared in lower case, whatever a namespace says (3.1)."""
    for name, sentence in _find_sentences(
        template, ("case", "capital"), _makes_identifier_case_count
    ):
        yield build_finding(
            name,
            "equivalence.identifier-case",
            Severity.WARN,
            f"{field(name).label} makes letter case count in “urn” or the identifier:"
            f" {quote_excerpt(sentence)}. Case never matters there.",
            "Limit the rule to the part after the identifier.",
            _PROCEDURE,
        )


def makes_case_count(sentence: str) -> bool:
    """Whether a sentence says that names differ by the case of letters."""
    return any(
        not is_denied(clause)
        and _CASE_COUNTS.search(clause) is not None
        and _CASE_IS_FREE.search(clause) is None
        for clause in split_clauses(sentence)
    )


def _makes_identifier_case_count(sentence: str) -> bool:
    return any(
        not is_denied(clause)
        and _CASE_COUNTS.search(clause)
        and _IDENTIFIER.search(clause)
        and not _CASE_IS_FREE.search(clause)
        for clause in split_clauses(sentence)
    )


_ENCODING_WORDS: Final = ("percent", "pct-", "escap", "encod", "decod", "%")
_DECODED: Final = re.compile(
    r"\b(?:percent[- ]?|un|de)?(?:decod(?:e|ed|es|ing)|unescap\w*|unencod\w*)\b"
    r"|\bpercent[- ]?encoding normali[sz]ation\b"
    r"|\b(?:convert|translat|resolv|replac|turn|expand)\w*[^.;]{0,60}\b(?:characters?|octets?)"
    r" (?:that )?they (?:stand for|represent|encode)",
    re.I,
)
_COMPARING: Final = re.compile(
    r"\bcompar\w+|\bequivalen\w+|\bequal\w*|\bidentical|\bmatch\w*|\b(?:the|are|is) same\b"
    r"|\bsame (?:name|URN|resource)|\bdetermin\w+ whether",
    re.I,
)
_ENCODED_IS_PLAIN: Final = re.compile(
    r"(?:%[0-9a-f]{2}|percent[- ]?encoded (?:form|character|version|spelling|name)s?)"
    r"[^.;]{0,80}\b(?:are|is)\b[^.;]{0,30}\b(?:equivalent|equal|identical|the same)"
    r"|\b(?:equivalent|equal|identical|the same)\b[^.;]{0,60}"
    r"\b(?:whether|if)\b[^.;]{0,60}\b(?:percent[- ]?encoded|escaped)",
    re.I,
)
_TRIPLET: Final = re.compile(r"%[0-9a-f]{2}", re.I)
_HEX_CASE: Final = re.compile(
    r"\bhex|\b(?:upper|lower)[- ]?case|\bcase\b|%[0-9]?[a-f][0-9a-f]?.{0,40}%[0-9]?[A-F]", re.I
)


def percent_encoding_stays_when_compared(template: Template, context: Context) -> Iterator[Finding]:
    """Names are compared as they are encoded, without decoding (3.1)."""
    for name, sentence in _find_sentences(template, _ENCODING_WORDS, _decodes_before_comparing):
        yield build_finding(
            name,
            "equivalence.decoding",
            Severity.WARN,
            f"{field(name).label} has percent-encoded characters decoded for comparison:"
            f" {quote_excerpt(sentence)}. They must not be.",
            "Say which characters are always percent-encoded and which never are. Then each name"
            " has one spelling.",
            _PROCEDURE,
        )


def _decodes_before_comparing(sentence: str) -> bool:
    if not _COMPARING.search(sentence):
        return False
    if _ENCODED_IS_PLAIN.search(sentence) and not is_denied(sentence):
        return len(_TRIPLET.findall(sentence)) < 2 and not _HEX_CASE.search(sentence)
    return any(_DECODED.search(each) and not is_denied(each) for each in split_clauses(sentence))


_COMPONENTS: Final = re.compile(
    r"\b[rqf]-(?:, |components?|and|or|/)|\bfragments?\b|\bquery (?:part|component|string)s?"
    r"|\bcomponents (?:after|behind|following)",
    re.I,
)
_COUNT: Final = re.compile(
    r"\b(?:is|are|be|being)\b[^.;]{0,30}\b(?:compared|taken into account|significant|considered"
    r"|included|part of|relevant|evaluated|used)\b[^.;]{0,80}"
    r"|\b(?:participat|enter|count)\w*\b[^.;]{0,20}\b(?:compar|equivalen)\w*"
    r"|\b(?:compar(?:e|es|ing|ison)|equivalence)\b[^.;]{0,40}\b(?:includ|consider|tak|cover|extend"
    r"|uses?\b)\w*",
    re.I,
)
_COUNT_ALONE: Final = re.compile(
    r"\b(?:is|are|be)\b(?: also| all| likewise)? compared\b|\bsignificant\b", re.I
)
_TELL_APART: Final = re.compile(
    r"\b(?:differ\w*|distinct|unequal|various|other)\b[^.;]{0,120}\b(?:not (?:be )?(?:URN-)?"
    r"(?:equivalent|the same|equal|identical)|different (?:names|URNs|resources|things|objects)"
    r"|distinct (?:names|URNs|resources|things)|distinguish\w*|two (?:names|resources|URNs))"
    r"|\b(?:equivalent|the same|equal|identical)\b[^.;]{0,30}\b(?:only|just) (?:if|when|where)\b"
    r"|\b(?:equivalent|the same|equal|identical)\b[^.;]{0,20}\b(?:if|when|where)\b[^.;]{0,60}"
    r"\bcomponents?\b[^.;]{0,40}\b(?:match|agree|equal|same|identical|too|as well)",
    re.I,
)
_SET_ASIDE: Final = re.compile(
    r"\b(?:ignor|disregard|irrespective|regardless|exclud|irrelevant|strip|remov|without)\w*", re.I
)


def components_are_not_compared(template: Template, context: Context) -> Iterator[Finding]:
    """R-, q- and f-components are ignored when names are compared (3.1)."""
    for name, sentence in _find_sentences(
        template, ("compon", "fragment", "query"), _compares_components
    ):
        yield build_finding(
            name,
            "equivalence.components",
            Severity.WARN,
            f"{field(name).label} has components compared: {quote_excerpt(sentence)}. They must be"
            " ignored.",
            "Put whatever tells two names apart into the name itself.",
            _PROCEDURE,
        )


def _compares_components(sentence: str) -> bool:
    if not _COMPONENTS.search(sentence) or _SET_ASIDE.search(sentence):
        return False
    if _TELL_APART.search(sentence):
        return True
    return any(
        _COMPONENTS.search(clause)
        and (
            _COUNT_ALONE.search(clause)
            or (_COUNT.search(clause) and _COMPARING.search(clause) is not None)
        )
        and not is_denied(clause)
        for clause in split_clauses(sentence)
    )


def _find_sentences(
    template: Template, words: tuple[str, ...], test: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """The first sentence of each field that passes the test."""
    for name in _WHERE:
        sentence = find_sentence(template[name], words, test)
        if sentence:
            yield name, sentence


class Merger(NamedTuple):
    """A difference that a text may say to ignore, the words for it, and how to remove it."""

    words: str
    anchors: tuple[str, ...]
    signs: re.Pattern[str]
    vary: Callable[[str], Iterator[str]]


def _vary_case(nss: str) -> Iterator[str]:
    yield from (nss.lower(), nss.upper(), nss.swapcase())


def _vary_hyphens(nss: str) -> Iterator[str]:
    yield nss.replace("-", "")
    if len(nss) > 1:
        yield f"{nss[: len(nss) // 2]}-{nss[len(nss) // 2 :]}"


_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])")
_NUMBER: Final = re.compile(r"(?<![0-9])(?=[0-9])")


def _vary_zeros(nss: str) -> Iterator[str]:
    yield _ZEROS.sub("", nss)
    yield _NUMBER.sub("0", nss)


def _vary_blanks(nss: str) -> Iterator[str]:
    yield re.sub(r"%20|\+|_", "", nss)


_NO_DIFFERENCE: Final = (
    r"(?:ignored|removed|stripped|dropped|left out|omitted|optional|insignificant"
    r"|(?:not?|never|without|neither) (?:\w+ ){0,3}(?:significan\w+|count\w*|matter|difference"
    r"|meaning|taken into account|considered|compared|relevant))"
)
MERGERS: Final = (
    Merger(
        "letter case",
        ("case",),
        re.compile(
            r"\bcase[- ]insensitiv|\bnot case[- ]sensitiv|\b(?:letter )?case\b[^.;]{0,40}\b(?:is"
            r"|are"
            r"|does|do|makes?|has)\b[^.;]{0,20}" + _NO_DIFFERENCE + r"|\bin either case\b"
            r"|\b(?:ignor\w+|regardless of|irrespective of|without regard to|whatever) (?:the "
            r"|their )?"
            r"(?:letter )?case\b|\bcase (?:does not matter|makes no difference|never counts)"
            r"|\b(?:upper|lower)[- ]?case\b[^.;]{0,60}\b(?:are (?:the same|equivalent)"
            r"|interchangeabl"
            r"|mean the same)|\bequivalent\b[^.;]{0,40}\bcase\b",
            re.I,
        ),
        _vary_case,
    ),
    Merger(
        "hyphens",
        ("hyphen", "dash"),
        re.compile(
            rf"\b(?:hyphens?|dashes)\b[^.;]{{0,50}}\b{_NO_DIFFERENCE}"
            r"|\b(?:ignor|remov|strip|drop|omit)\w*[^.;]{0,20}\b(?:hyphens?|dashes)"
            r"|\bwith (?:and|or) without (?:the |a )?hyphens?",
            re.I,
        ),
        _vary_hyphens,
    ),
    Merger(
        "leading zeros",
        ("zero",),
        re.compile(
            rf"\bleading zeroe?s?\b[^.;]{{0,50}}\b{_NO_DIFFERENCE}"
            r"|\b(?:ignor|remov|strip|drop|omit)\w*[^.;]{0,20}\bleading zero"
            r"|\bwith (?:and|or) without (?:the |a )?leading zero",
            re.I,
        ),
        _vary_zeros,
    ),
    Merger(
        "blanks",
        ("space", "blank", "underscore"),
        re.compile(
            rf"\b(?:spaces|blanks|white ?space|underscores)\b[^.;]{{0,50}}\b{_NO_DIFFERENCE}"
            r"|\b(?:ignor|remov|strip|drop)\w*[^.;]{0,20}\b(?:spaces|blanks|white ?space"
            r"|underscores)",
            re.I,
        ),
        _vary_blanks,
    ),
)
"""Differences beyond section 3.1 that a text may say to ignore."""
_ABOUT_PREFIX_ALONE: Final = re.compile(
    r"\b(?:NID|namespace identifier|namespace ID|scheme|hexadecimal|hex digits|percent)\b", re.I
)
_ABOUT_NAMES: Final = re.compile(
    r"\bNSS\b|namespace[- ]specific|\bentire|\bwhole|\bnames?\b|\bcodes?\b|\bletters?\b|\bparts?\b"
    r"|\bURNs?\b|\bprefix",
    re.I,
)


def list_mergers(text: str) -> tuple[Merger, ...]:
    """Differences that Syntax says to ignore between names of the namespace."""
    return tuple(
        each for each in MERGERS if find_sentence(text, each.anchors, partial(_merges, each))
    )


def _merges(merger: Merger, sentence: str) -> bool:
    return any(
        merger.signs.search(clause)
        and (not _ABOUT_PREFIX_ALONE.search(clause) or _ABOUT_NAMES.search(clause))
        for clause in split_clauses(sentence)
    )


_MAX_NAMES_VARIED: Final = 20
_MAX_SAMPLES: Final = 8


def revision_merges_no_two_names(template: Template, context: Context) -> Iterator[Finding]:
    """What distinguished two names until now still does, since both may be in use (5; 3.1)."""
    previous = context.previous
    if previous is None or template.syntax == previous.syntax:
        return
    before, after = list_mergers(previous.syntax), list_mergers(template.syntax)
    for merger in after:
        pair = () if merger in before else _find_pair(merger, previous)
        if pair:
            yield build_finding(
                "syntax",
                "revision.names-merged",
                Severity.WARN,
                f"From this version on {merger.words} no longer tells names apart: {pair[0]} and"
                f" {pair[1]} were two names and become one.",
                "Say how you know that no two such names were given to different things.",
                "RFC 8141, section 5",
            )
    for merger in before:
        pair = () if merger in after else _find_pair(merger, template)
        if pair:
            yield build_finding(
                "syntax",
                "revision.names-split",
                Severity.WARN,
                f"The last version said that {merger.words} does not tell names apart, and this"
                f" one does not: {pair[0]} and {pair[1]} were one name and become two.",
                "Keep the rule. Names that were the same stay the same.",
                _PROCEDURE,
            )


def _find_pair(merger: Merger, template: Template) -> tuple[str, ...]:
    """Two names by the rule and the examples of a template that differ only in this."""
    try:
        grammar = read_rule(template)
    except GrammarSyntaxError:
        grammar = None
    if grammar is not None and grammar.undecided:
        grammar = None
    for nss in _list_nss(template, grammar):
        for other in merger.vary(nss):
            pair = tuple(f"urn:{template.nid}:{each}" for each in (nss, other))
            if other != nss and all(_is_name(each, grammar) for each in pair):
                return tuple(quote_excerpt(each) for each in pair)
    return ()


def _list_nss(template: Template, grammar: Grammar | None) -> Iterator[str]:
    """What follows the identifier in the examples, and in a few names from the rule."""
    drawn = grammar.samples(_MAX_SAMPLES) if grammar else ()
    for name in (*template.examples[:_MAX_NAMES_VARIED], *drawn):
        try:
            urn = parse(name if name[:4].lower() == "urn:" else f"urn:{template.nid}:{name}")
        except URNSyntaxError:
            continue
        yield urn.nss


def _is_name(name: str, grammar: Grammar | None) -> bool:
    try:
        parse(name)
    except URNSyntaxError:
        return False
    return grammar is None or grammar.matches(name).answer is Answer.YES

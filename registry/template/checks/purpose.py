"""What the names are for, who benefits, and whether a namespace is needed (6.4.1; 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
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

_CLOSING_WORDS: Final = (
    *("only", "solely", "exclusiv", "strictly", "purely", "entirely", "restricted", "limited"),
    *("confined", "internal", "alone", "internet", "leave", "outside", "intranet", "own "),
    *("in-house", "firewall", "vpn"),
)
_CLOSED: Final = re.compile(
    r"\b(?:only|solely|exclusively|strictly|purely|entirely|never outside|restricted to|limited to"
    r"|confined to)\b[^.;]{0,80}\b(?:private|internal|closed|corporate|company|in-house|proprietary"
    r"|isolated|air-?gapped|non-public|own|military|classified)\b[^.;]{0,30}"
    r"\b(?:networks?|intranets?|systems?|infrastructure|use|purposes?|applications?|environments?"
    r"|platforms?)\b"
    r"|\b(?:only|solely|exclusively|strictly|purely|entirely|restricted|limited|confined)\b"
    r"[^.;]{0,40}\b(?:intranets?|(?:within|inside) (?:the|our|its|one|a single|this) "
    r"(?:company|corporation|enterprise|firm|organi[sz]ation|group|agency|network|intranet))\b"
    r"|\b(?:private|internal|closed|isolated|air-?gapped|proprietary|non-public)\b[^.;]{0,20}"
    r"\b(?:networks?|intranets?|use|purposes?)\b[^.;]{0,30}\b(?:only|alone|exclusively|solely)\b"
    r"|\b(?:in|within|on) (?:its|our|their) (?:own |internal |in-house )+(?:systems?|networks?"
    r"|products?|applications?)\b|\bbehind (?:a|the|our|its) firewall"
    r"|\b(?:only|solely|exclusively)\b[^.;]{0,60}\b(?:VPN|LAN|intranet|firewall)\b"
    r"|\b(?:for|in|on) (?:purely )?internal (?:use|purposes?|systems?)\b"
    r"|\b(?:never|not|nor|no)\b(?! (?:commonly|widely|usually|yet|always))[^.;]{0,60}\b(?:leave"
    r"|leaving|visible|exposed|used|usable|meaningful"
    r"|available|connected|accessible|published|appear|seen|intended|sent|reach)\b[^.;]{0,30}"
    r"\b(?:outside|beyond|public(?:ly)?|(?:the )?(?:open |global |public )?internet)\b"
    r"|\b(?:never|not) leaves?\b[^.;]{0,20}\b(?:network|company|organi[sz]ation|intranet|premises)",
    re.I,
)
_OPEN: Final = re.compile(
    r"\b(?:also|as well|both|public(?:ly)? and private|private and public|too)\b"
    r"|\bon the (?:public |open |global )?internet\b|\b(?:not|never) (?:only|limited|restricted"
    r"|confined)\b",
    re.I,
)


def names_are_not_for_a_closed_network(template: Template, context: Context) -> Iterator[Finding]:
    """Anyone on the Internet could use the names of a formal namespace (5.1)."""
    if context.is_informal:
        return
    for name in ("purpose", "assignment", "resolution", "security_privacy"):
        sentence = find_sentence(template[name], _CLOSING_WORDS, _closes_the_network)
        if sentence:
            yield build_finding(
                name,
                "purpose.closed-network",
                Severity.WARN,
                "The names seem to be for a closed network or one organization:"
                f" {quote_excerpt(sentence)}. A formal namespace has to be of use to people on"
                " the Internet.",
                "Say who outside would use the names, or do without a formal namespace.",
                "RFC 8141, section 5.1",
            )
            return


def _closes_the_network(sentence: str) -> bool:
    closing = _CLOSED.search(sentence)
    if closing is None:
        return False
    if _IS_DENIAL.search(closing[0]):
        # The named thing need not be on the Internet, as long as its name can be.
        return _NAMES.search(sentence) is not None
    return not _OPEN.search(sentence)


_IS_DENIAL: Final = re.compile(r"\b(?:not?|nor|never)\b", re.I)
_NAMES: Final = re.compile(r"\b(?:names?|URNs?|identifiers|they|them|namespace)\b", re.I)


_OTHERS_NAMES: Final = (
    ("UUIDs", "uuid", ("uuid", "guid"), r"UUIDs?|GUIDs?"),
    ("OIDs", "oid", ("oid", "object id"), r"OIDs?|object identifiers?"),
    ("ISBNs", "isbn", ("isbn",), r"ISBNs?"),
    ("ISSNs", "issn", ("issn",), r"ISSNs?"),
    ("DOIs", "doi", ("doi", "digital object"), r"DOIs?|digital object identifiers?"),
    ("addresses of devices", "dev", ("mac ", "eui"), r"MAC addresses|EUI-?(?:48|64)s?"),
)
_CONSISTS: Final = (
    r"(?:=|\b(?:is|are|consists? (?:only |solely |simply )?of|followed by|contains? (?:only"
    r"|just)|uses?"
    r"|takes? the form of|in the form of|based on|carries)\b)[^.;]{0,40}\b(?:{0})\b"
)
_COINED: Final = tuple(
    (words, nid, anchors, re.compile(_CONSISTS.replace("{0}", signs), re.I))
    for words, nid, anchors, signs in _OTHERS_NAMES
)


def another_namespace_would_not_do(template: Template, context: Context) -> Iterator[Finding]:
    """If names are another namespace's, the text explains why that will not do (6.4.1, 4)."""
    if not context.is_new:
        return
    for words, nid, anchors, pattern in _COINED:
        if nid == template.nid.lower():
            continue
        sentence = find_sentence(template.syntax, anchors, partial(_consists_of, pattern))
        if sentence and not any(
            f"urn:{nid}" in template[name].lower()
            for name in ("purpose", "interoperability", "additional_information")
        ):
            yield build_finding(
                "purpose",
                "purpose.need",
                Severity.WARN,
                f"The names are made of {words}, which urn:{nid}: names already:"
                f" {quote_excerpt(sentence)}.",
                f"Say why urn:{nid}: is not enough, or use it.",
                "RFC 8141, section 6.4.1",
            )
            return


def _consists_of(pattern: re.Pattern[str], sentence: str) -> bool:
    return any(pattern.search(each) and not is_denied(each) for each in split_clauses(sentence))


_PASSING_WORDS: Final = (
    *("test", "experiment", "trial", "demonstrat", "prototyp", "concept", "pilot", "project"),
    *("temporar", "provisional", "interim", "short-lived", "throw", "ephemeral", "transient"),
    *("limited", "short-term", "short time", "short period", "expire", "discarded", "valid for"),
    *("lifetime of", "retired", "withdrawn", "closed after", "closed at"),
)
_SHORT_LIVED: Final = (
    r"(?:experimental|temporary|provisional|interim|short-lived|throw-?away|ephemeral|transient)"
)
_TRIAL: Final = r"(?:project|trial|pilot|experiment|test|demonstration)"
_PASSING: Final = re.compile(
    r"\b(?:for|during) (?:\w+ ){0,3}?(?:testing|experimentation|prototyping|test purposes"
    r"|trial runs"
    r"|(?:an? |the )?(?:proofs? of concept|pilot)|(?:experimental|demonstration|test) purposes)\b"
    r"|\b(?:for|in) (?:internal )?tests? only\b|\b(?:used|assigned|needed) temporarily\b"
    r"|\btemporarily (?:used|assigned|needed) (?:names?|URNs?|identifiers?)\b"
    rf"|\b(?:this|the|our) namespace is (?:only |just )?an? {_TRIAL}\b"
    r"|\b(?:names?|URNs?|identifiers?) (?:are|is|will be) (?:only )?valid (?:only )?for"
    r" (?:[0-9]+|one|two|three|six|an?) (?:hours?|days?|weeks?|months?|years?)\b"
    r"|\blifetime of (?:an?|each|the) (?:names?|URNs?|identifiers?)\b"
    r"|\b(?:are|is|be) (?:retired|withdrawn|closed|discarded) (?:after|at the end of) the"
    rf" {_TRIAL}\b"
    rf"|\b{_SHORT_LIVED} (?:names?|URNs?|use|namespace|identifiers?|purposes?)\b"
    # The same with the word behind: “The names are temporary”.
    r"|\b(?:names?|URNs?|identifiers?|namespace|they|use)"
    r" (?:(?:of|in) (?:this|the|our) namespace |themselves |\w+ly )?"
    r"(?:(?:will|shall|may|can|should) )?(?:is|are|was|were|be|been|remains?|stays?)"
    rf"(?: (?!for\b|of\b|that\b|which\b)\w+){{0,3}}? {_SHORT_LIVED}"
    r"(?= ?(?:[.,;:!)]|$|(?:and|or|only|in nature|by|until|for|names?|URNs?|identifiers?)\b))"
    r"|\b(?:names?|URNs?|identifiers?|they) (?:\w+ly )?(?:(?:will|may|can) )?"
    r"(?:expires?|(?:are|is|be) discarded)\b"
    r"|\bfor a (?:limited|short) (?:time|period|while)\b|\bshort-term (?:names?|URNs?|use)\b"
    rf"|\b(?:until|till|when|once) (?:the |our |this )?(?:\w+ )?{_TRIAL} (?:ends?|is over"
    r"|has ended|is finished|closes)\b"
    rf"|\b(?:only|just) (?:during|for|as long as) (?:the|our|this|a) (?:\w+ )?{_TRIAL}\b"
    r"|\buntil the (?:end of the )?project\b"
    r"|\b(?:duration|lifetime|end) of the (?:research |pilot )?project\b",
    re.I,
)


def names_are_meant_to_last(template: Template, context: Context) -> Iterator[Finding]:
    """A formal namespace is for names that outlive a test (5.1, criterion 1)."""
    if context.is_informal:
        return
    sentence = find_sentence(template.purpose, _PASSING_WORDS, _is_passing)
    if sentence:
        yield build_finding(
            "purpose",
            "purpose.temporary",
            Severity.WARN,
            f"The names seem to be for a limited time: {quote_excerpt(sentence)}.",
            "Use urn:example: for tests. For anything that may end, an informal namespace may be"
            " enough.",
            "RFC 8141, section 5.1",
        )


def _is_passing(sentence: str) -> bool:
    return any(_PASSING.search(each) and not is_denied(each) for each in split_clauses(sentence))


_STANDARD: Final = re.compile(
    r"\b(?:standards?[- ]track|(?:IETF|internet) standards?|proposed standard|working group)\b"
    r"|\b(?:become|be|is|forms?|form) (?:a )?(?:constituent )?part of (?:a|an|the) (?:\w+ ){0,3}"
    r"standard\b",
    re.I,
)


def standards_action_is_asked_for(template: Template, context: Context) -> Iterator[Finding]:
    """What becomes part of a standard ends in a report, not in a registration (6.2)."""
    if context.path != "community" or not context.is_new:
        return
    sentence = find_sentence(template.purpose, ("standard", "working group"), _becomes_standard)
    if sentence:
        yield build_finding(
            "purpose",
            "purpose.standard",
            Severity.NOTE,
            f"Purpose says that the names become part of a standard: {quote_excerpt(sentence)}.",
            "Mark the request as anticipating a standards action. The review then ends in a report"
            " to the standards body.",
            "RFC 8141, section 6.2",
        )


def _becomes_standard(sentence: str) -> bool:
    return any(_STANDARD.search(each) and not is_denied(each) for each in split_clauses(sentence))

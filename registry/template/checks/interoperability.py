"""Which other names they could be confused with: systems, namespaces, earlier use (6.4.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sized
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import (
    find_sentence,
    is_denied,
    join_words,
    split_clauses,
)
from registry.template.fields import ORDER, field
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity
from registry.urn.nid import canonical

_ANY_URN: Final = re.compile(r"(?<![\w:.-])urn:([a-z0-9][a-z0-9-]{0,30}[a-z0-9])[:*]", re.I)
_STAND_INS: Final = frozenset(
    "example nid urn-n nss your-nid yournid namespace foo bar baz xxx something uri urn".split()
)
_MAX_OTHERS_NAMED: Final = 5


def other_namespaces_are_registered(template: Template, context: Context) -> Iterator[Finding]:
    """Unregistered namespaces in the text are the applicant's others, or somebody else's (5)."""
    if not isinstance(context.taken, Sized) or not context.taken:
        return
    own = canonical(template.nid)
    others: dict[str, str] = {}
    for name in ORDER:
        for match in _ANY_URN.finditer(template[name]) if "urn:" in template[name].lower() else ():
            nid = canonical(match[1])
            if nid not in context.taken and nid not in _STAND_INS and nid not in (own, "x"):
                others.setdefault(nid, name)
    if others:
        listed = join_words([f"“{nid}”" for nid in list(others)[:_MAX_OTHERS_NAMED]])
        yield build_finding(
            next(iter(others.values())),
            "nid.unregistered",
            Severity.WARN,
            f"The text has names that begin with {listed}, which no namespace is registered for.",
            "Say whose they are and what becomes of them, or correct them. Names in use without"
            " registration belong under Prior use.",
            "RFC 8141, section 5",
        )


_IN_USE: Final = re.compile(
    r"\bcurrently (?:in use|used|deployed|in production)\b|\b(?:already|previously|so far"
    r"|since (?:19|20)[0-9]{2}|for (?:many |several "
    r"|some )?"
    r"years)\b[^.;]{0,60}\b(?:us(?:e|ed|ing)|deploy\w*|assign\w*|circulat\w*|in production"
    r"|publish\w*"
    r"|adopt\w*)\b"
    r"|\b(?:us(?:e|ed|ing)|deployed|in production|assigned|in circulation)\b[^.;]{0,40}"
    r"\b(?:already|since (?:19|20)[0-9]{2}|for (?:many |several |some )?years)\b"
    r"|\b(?:have|has) been (?:in use|us(?:ed|ing)|deployed|assigned|issued)\b",
    re.I,
)
_USE_WORDS: Final = ("already", "current", "previously", "so far", "since", "years", "been ")
_URNS: Final = re.compile(r"\bURNs?\b|\burn:|\bthis (?:namespace|NID|identifier)\b", re.I)


def prior_use_is_stated(template: Template, context: Context) -> Iterator[Finding]:
    """Use of names before registration is mentioned where people look for it (6.4.1; ours)."""
    if template.prior_use.strip() or not context.is_new:
        return
    for name in ("purpose", "assignment", "syntax", "additional_information", "documentation"):
        sentence = find_sentence(template[name], _USE_WORDS, _tells_of_prior_use)
        if sentence:
            yield build_finding(
                "prior_use",
                "prior-use.untold",
                Severity.NOTE,
                f"{field(name).label} says that names are in use already, and Prior use is empty:"
                f" {quote_excerpt(sentence)}.",
                "Say under Prior use since when, by whom and how many, and whether they fit the"
                " rule.",
            )
            return


def _tells_of_prior_use(sentence: str) -> bool:
    return _URNS.search(sentence) is not None and any(
        _IN_USE.search(clause) is not None and not is_denied(clause)
        for clause in split_clauses(sentence)
    )

"""Who assigns names, and how each stays with one thing for ever (6.4.3; 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from registry.template.checks.context import Context, build_finding
from registry.template.checks.prose import (
    find_sentence,
    is_denied,
    split_clauses,
    split_sentences,
)
from registry.template.template import Template
from registry.urn.characters import quote_excerpt
from registry.urn.finding import Finding, Severity

_GIVEN_AWAY: Final = re.compile(
    r"\b(?:available (?:again )?(?:to|for) (?:an)?other"
    r"|(?:can|may|will) be (?:used|given|assigned) (?:again|to (?:an)?other)"
    r"|(?:re-?assigned|re-?issued|recycled|re-?used) (?:after|when|if|to))",
    re.I,
)
_BORROWED: Final = re.compile(
    r"\b(?:domain names?|(?:internet|DNS|web|registered|own) domains?|sub-?domains?|FQDNs?"
    r"|DNS names?"
    r"|host ?names?|country codes?|iso 3166(?:-1)?|ip addresses|(?:tele)?phone numbers?"
    r"|e?-?mail addresses|user ?names?|screen names?|account names?|login names?|trade ?marks?"
    r"|brand names?|product names?|(?:company|corporate|business|trading|legal) names?"
    r"|names? of (?:the |their |its |a |each )?(?:compan(?:y|ies)|organi[sz]ations?|manufacturers?"
    r"|vendors?|owners?|institutions?|departments?|municipalit(?:y|ies)|authors?|persons?)"
    r"|(?:ticker|stock) symbols?|post(?:al)? ?codes?|zip codes?|licen[cs]e plates?|number plates?"
    r"|git ?(?:hub|lab) (?:repositor(?:y|ies)|accounts?|organi[sz]ations?|users?)"
    r"|(?:social media|twitter|mastodon) (?:handles?|accounts?)|URLs? of|web ?site addresses"
    r"|autonomous system numbers?)\b",
    re.I,
)
_MINDED: Final = re.compile(
    r"\b(?:change[sd]? hands|expire[sd]?|re-?assigned|re-?registered|at the time|on the day|as of"
    r"|passe[sd] to (?:an?other|some(?:one|body)|a new)|lapse[sd]?|transferred|transfer of"
    r"|(?:new|former|later|subsequent|previous|next|other) (?:owner|holder|registrant|operator)s?"
    r"|(?:owner|holder|registrant|operator)s?\b[^.;]{0,30}\b(?:change|lose|cease|give up)s?"
    r"|changes? (?:its|their|of) (?:name|owner|holder)|ownership"
    r"|no longer (?:own|hold|control|belong|in use)\w*"
    r"|dates?d? (?:of|on|in|within|when)|even (?:if|after) (?:it|the (?:domain|country|number"
    r"|name))"
    r"|means nothing|(?:ha(?:s|ve)|carry|carries|with) no meaning)\b",
    re.I,
)


def names_are_never_reassigned(template: Template, context: Context) -> Iterator[Finding]:
    """No sentence says that a name can be given again (5.1, item 3)."""
    given = _find_reassignment(template.assignment)
    if given:
        yield build_finding(
            "assignment",
            "assignment.reassigned",
            Severity.WARN,
            f"Names seem to be given a second time: {quote_excerpt(given)}.",
            "A URN names one thing for ever. Retire old names instead of giving them again.",
            "RFC 8141, section 5.1",
        )


def names_do_not_rest_on_what_changes_hands(
    template: Template, context: Context
) -> Iterator[Finding]:
    """Names built on names that others reassign change their meaning with them (5.1)."""
    words = _find_borrowed(template.syntax) or _find_borrowed(template.assignment)
    if words and not (_MINDED.search(template.assignment) or _MINDED.search(template.syntax)):
        yield build_finding(
            "assignment",
            "assignment.borrowed",
            Severity.WARN,
            f"Names seem to be built on something that can change hands: “{words}”. Its next"
            " holder could assign the same names again.",
            "Say what happens to the names then. A date in the name often helps, or a list of your"
            " own.",
            "RFC 8141, section 5.1",
        )


def _find_borrowed(text: str) -> str:
    """The reassignable names that names are said to consist of; empty if none."""
    for sentence in split_sentences(text) if _BORROWED.search(text) else ():
        for clause in split_clauses(sentence):
            match = _BORROWED.search(clause)
            if match and not is_denied(clause):
                return match[0]
    return ""


def _find_reassignment(text: str) -> str:
    """The sentence that allows reassigning names; empty if none does."""
    if not _GIVEN_AWAY.search(" ".join(text.split())):
        return ""
    return next(
        (
            each
            for each in split_sentences(text)
            if any(
                _GIVEN_AWAY.search(clause) and not is_denied(clause)
                for clause in split_clauses(each)
            )
        ),
        "",
    )


_LATER: Final = ("latest", "newest", "recent", "current", "up-to-date", "new ", "next ", "later ")
_FOLLOWS: Final = re.compile(
    r"\b(?:names?|URNs?|identifiers?|it|they)\b[^.;]{0,60}\b(?:always|automatically|then|now)?\b"
    r"[^.;]{0,20}\b(?:point|refer|identif|denot|stand|mean|name|lead|resolv)\w*\b[^.;]{0,60}"
    r"\b(?:latest|newest|most recent|current|up-to-date)\b"
    r"|\b(?:same|existing|old) (?:name|URN|identifier)\b[^.;]{0,60}\b(?:new|next|later) "
    r"(?:version|edition|release|product|model)",
    re.I,
)


def names_do_not_follow_the_latest_version(
    template: Template, context: Context
) -> Iterator[Finding]:
    """A name stays with what it was assigned to, or with a work that has versions (5)."""
    for name in ("syntax", "assignment", "purpose"):
        sentence = find_sentence(template[name], _LATER, _follows_the_latest)
        if sentence:
            yield build_finding(
                name,
                "assignment.latest",
                Severity.NOTE,
                "A name seems to stand for one version today and another tomorrow:"
                f" {quote_excerpt(sentence)}.",
                "Say that the name stands for the work as a whole, or give each version a name.",
                "RFC 8141, section 5",
            )
            return


def _follows_the_latest(sentence: str) -> bool:
    return any(
        _FOLLOWS.search(clause) is not None and not is_denied(clause)
        for clause in split_clauses(sentence)
    )

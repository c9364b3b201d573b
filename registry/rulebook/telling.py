"""Rulings in words that are fit to show, positions counted from 1 as people count."""

from __future__ import annotations

from registry.grammar import Verdict
from registry.rulebook.answers import Outcome, Part, Ruling
from registry.rulebook.asked import Asked
from registry.rulebook.digits import Wrong
from registry.urn.characters import describe, excerpt


def other_namespace(asked: Asked, nid: str) -> Ruling:
    """The name belongs elsewhere."""
    message = f"{excerpt(asked.text)} is a name of “{asked.nid}”, not of “{nid}”."
    source = "RFC 8141, section 2"
    return Ruling(Outcome.AGAINST, "rulebook.namespace", message, source, len("urn:"))


def not_matched(asked: Asked, verdict: Verdict, nid: str, source: str) -> Ruling:
    """The grammar has no such name."""
    within = verdict.position or 0
    position = within + asked.begins
    if within < len(asked.nss):
        where = f"character {position + 1} is {describe(asked.nss[within])}, where we"
    else:
        where = f"it ends after character {position}, where we" if position else "we"
    message = f"{_no_name(asked, nid)}: {where} expected {verdict.expected}."
    return Ruling(Outcome.AGAINST, "rulebook.grammar", message, source, position)


def wrong_digits(asked: Asked, mistake: Wrong, nid: str, source: str) -> Ruling:
    """The form is right and the check digits are not."""
    position = mistake.position + asked.begins
    what = "check digits" if len(mistake.expected) > 1 else "check digit"
    message = (
        f"{_no_name(asked, nid)}: the {what} at character {position + 1}"
        f" would be “{mistake.expected}”, not “{mistake.found}”. Another character may be wrong."
    )
    return Ruling(Outcome.AGAINST, "rulebook.check-digits", message, source, position)


def not_decided(asked: Asked, verdict: Verdict, source: str) -> Ruling:
    """Nobody looked far enough to say."""
    message = f"We do not decide about {excerpt(asked.text)}. {verdict.reason}".rstrip()
    return Ruling(Outcome.NOT_DECIDED, "rulebook.not-decided", message, source)


def settled(
    asked: Asked, caution: str, source: str, *, preferred: str, parts: tuple[Part, ...], nid: str
) -> Ruling:
    """The name follows its rule, or with a `caution` is one that people have to judge."""
    if caution:
        outcome, check = Outcome.DOUBTFUL, "rulebook.caution"
        message = (
            f"Whether {excerpt(asked.text)} is a name of “{nid}” is for people to say. {caution}"
        )
    else:
        outcome, check = Outcome.FOLLOWS, "rulebook.follows"
        message = f"{excerpt(asked.text)} follows the rule of “{nid}”."
    return Ruling(outcome, check, message, source, preferred=preferred, parts=parts)


def _no_name(asked: Asked, nid: str) -> str:
    return f"{excerpt(asked.text)} is no name of “{nid}”"

"""Questions to a rule, its answers, and the words for them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Final, Protocol, Self, TypeVar

from registry.grammar import Verdict
from registry.namespace_rules.check_digits import WrongDigits
from registry.urn import URN, parse
from registry.urn.characters import describe_character, quote_excerpt

logger: Final = logging.getLogger(__name__)


class Outcome(StrEnum):
    """Whether a name follows its rule; `DOUBTFUL` leaves it to people."""

    FOLLOWS = "follows"
    AGAINST = "against"
    DOUBTFUL = "doubtful"
    NOT_DECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class NamePart:
    """A part of a name: what it is called, how it is written, and its meaning if known."""

    name: str
    text: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule says about one name.

    `check` is a stable id such as `rulebook.check-digits`; `source` cites the document. `position`
    is the 0-based index, in the given text, of the first invalid character, or the length of the
    text if it ends too early. `preferred` is the whole URN in the form its namespace prefers, empty
    if it has none; `parts` explain a name that does not break its rule.
    """

    outcome: Outcome
    check: str
    message: str
    source: str
    position: int | None = None
    preferred: str = ""
    parts: tuple[NamePart, ...] = ()
    remark: str = ""


class CitedRule(Protocol):
    """A rule for the names of one namespace, from its document."""

    @property
    def nid(self) -> str: ...

    @property
    def document(self) -> str: ...


Rule = TypeVar("Rule", bound=CitedRule)
Name = TypeVar("Name", bound=URN | str)


def answer_failures(check: Callable[[Rule, Name], Ruling]) -> Callable[[Rule, Name], Ruling]:
    """Let a check that raises leave its name undecided: others are asked for together with it.

    What it raised is logged.
    """

    @wraps(check)
    def answered(rule: Rule, name: Name) -> Ruling:
        try:
            return check(rule, name)
        except Exception:
            logger.exception("A name could not be checked by the rule of %s.", rule.nid)
            message = f"{quote_excerpt(str(name))} could not be checked: its check failed."
            return Ruling(Outcome.NOT_DECIDED, "rulebook.failed", message, rule.document)

    return answered


@dataclass(frozen=True, slots=True)
class NameEquivalence:
    """Whether two names are the same, and by which rule.

    `source` cites the rule that decided, `merges` are the equivalences of the namespace that were
    needed, in its order; none if RFC 8141, section 3.1 alone decided. `declared_by` cites what the
    namespace says about its names, whatever decided; empty if they are of two namespaces.
    """

    is_equivalent: bool
    message: str
    source: str
    merges: tuple[str, ...] = ()
    declared_by: str = ""

    def __bool__(self) -> bool:
        return self.is_equivalent


@dataclass(frozen=True, slots=True)
class NameToCheck:
    """A name as it was given: the NSS in it, its position, and the NID if there is one."""

    text: str
    nss: str
    begins: int = 0
    nid: str = ""

    @classmethod
    def of(cls, name: URN | str) -> Self:
        """Take `name` for a whole URN if it begins like one, otherwise for an NSS.

        Raises `URNSyntaxError` if it begins like a URN and is not one.
        """
        if isinstance(name, str) and name[:4].lower() != "urn:":
            return cls(name, name)
        urn = name if isinstance(name, URN) else parse(name)
        return cls(urn.text, urn.nss, len("urn::") + len(urn.nid), urn.nid)


def refuse_other_namespace(asked: NameToCheck, nid: str) -> Ruling:
    """The name belongs elsewhere."""
    message = f"{quote_excerpt(asked.text)} is a name of “{asked.nid}”, not of “{nid}”."
    source = "RFC 8141, section 2"
    return Ruling(Outcome.AGAINST, "rulebook.namespace", message, source, len("urn:"))


def refuse_unmatched_name(asked: NameToCheck, verdict: Verdict, nid: str, source: str) -> Ruling:
    """The grammar has no such name."""
    within = verdict.position or 0
    position = within + asked.begins
    if within < len(asked.nss):
        where = f"character {position + 1} is {describe_character(asked.nss[within])}, where we"
    else:
        where = f"it ends after character {position}, where we" if position else "we"
    message = f"{_describe_refusal(asked, nid)}: {where} expected {verdict.expected}."
    return Ruling(Outcome.AGAINST, "rulebook.grammar", message, source, position)


def refuse_excluded_name(
    asked: NameToCheck, place: int, reason: str, nid: str, source: str
) -> Ruling:
    """The form is right, but such numbers are of another system; `place` is where that shows."""
    message = f"{_describe_refusal(asked, nid)}: {reason}"
    position = asked.begins + place
    return Ruling(Outcome.AGAINST, "rulebook.check-digits", message, source, position)


def refuse_wrong_digits(asked: NameToCheck, mistake: WrongDigits, nid: str, source: str) -> Ruling:
    """The form is right, but the check digits are not."""
    position = mistake.position + asked.begins
    what = "check digits" if len(mistake.expected) > 1 else "check digit"
    message = (
        f"{_describe_refusal(asked, nid)}: the {what} at character {position + 1}"
        f" would be “{mistake.expected}”, not “{mistake.found}”. Another character may be wrong."
    )
    return Ruling(Outcome.AGAINST, "rulebook.check-digits", message, source, position)


def leave_undecided(asked: NameToCheck, verdict: Verdict, source: str) -> Ruling:
    """Not decided within the limits."""
    message = f"We do not decide about {quote_excerpt(asked.text)}. {verdict.reason}".rstrip()
    return Ruling(Outcome.NOT_DECIDED, "rulebook.not-decided", message, source)


def accept_name(
    asked: NameToCheck,
    caution: str,
    source: str,
    *,
    preferred: str,
    parts: tuple[NamePart, ...],
    nid: str,
) -> Ruling:
    """The name follows its rule, or with a `caution` is for people to judge."""
    if caution:
        outcome, check = Outcome.DOUBTFUL, "rulebook.caution"
        message = (
            f"Whether {quote_excerpt(asked.text)} is a name of “{nid}” is for people to say."
            f" {caution}"
        )
    else:
        outcome, check = Outcome.FOLLOWS, "rulebook.follows"
        message = f"{quote_excerpt(asked.text)} follows the rule of “{nid}”."
    return Ruling(outcome, check, message, source, preferred=preferred, parts=parts)


def _describe_refusal(asked: NameToCheck, nid: str) -> str:
    return f"{quote_excerpt(asked.text)} is no name of “{nid}”"

"""One text read as a URN: whether it is one, its namespace, and what its rule says of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from registry import selectors
from registry.models import Namespace
from registry.namespace_rules import NamePart, Ruling
from registry.selectors import SimilarNid
from registry.selectors.name_rules import NameRule, find_rule_of_namespace
from registry.urn import URN, Repair, URNSyntaxError, nid as nids, parse, problems, repairs
from registry.urn.syntax import split_components


class RuleStanding(StrEnum):
    """How a URN stands to the rule of its registered namespace. It is a URN in every case."""

    FOLLOWS = "follows"
    AGAINST = "against"
    DOUBTFUL = "doubtful"
    NOT_DECIDED = "not decided"
    NO_RULE = "no rule"


@dataclass(frozen=True, slots=True)
class NamespaceFinding:
    """The finding about one URN. Where no rule is held there is no ruling, and all else is empty.

    `position` counts from 0 in the URN as it was written.
    """

    rule: NameRule | None
    ruling: Ruling | None

    @property
    def standing(self) -> RuleStanding:
        """Which of the findings it is."""
        return RuleStanding(self.ruling.outcome) if self.ruling else RuleStanding.NO_RULE

    @property
    def message(self) -> str:
        """The finding as a sentence, empty where no rule is held."""
        return self.ruling.message if self.ruling else ""

    @property
    def document(self) -> str:
        """The document that the finding rests on."""
        return self.ruling.source if self.ruling else ""

    @property
    def position(self) -> int | None:
        """Where the URN stops following the rule."""
        return self.ruling.position if self.ruling else None

    @property
    def preferred(self) -> str:
        """The whole URN in the form its namespace prefers, empty where it has none."""
        return self.ruling.preferred if self.ruling else ""

    @property
    def parts(self) -> tuple[NamePart, ...]:
        """What the parts of the NSS are, where the rule knows."""
        return self.ruling.parts if self.ruling else ()

    @property
    def left_open(self) -> str:
        """What the rule does not look at."""
        return self.rule.left_open if self.rule else ""


def check_against_rule(urn: URN, rule: NameRule | None) -> NamespaceFinding:
    """Measure a URN by the rule of its namespace, if one is held."""
    return NamespaceFinding(rule, rule.check(urn) if rule else None)


MAX_DRAWN_CHARACTERS: Final = 2_000
MAX_LISTED_PROBLEMS: Final = 20


class InspectionVerdict(StrEnum):
    """The different answers about a text. Only the first says that it is not a URN."""

    MALFORMED = "malformed"
    UNREGISTERED = "unregistered"
    REGISTERED = "registered"


@dataclass(frozen=True)
class Inspection:
    """What there is to say of a text as a URN.

    `urn` is none where it is not one; `problems` then say why, from left to right, and `repairs`
    what may have been meant. `namespace` is the registered one of its NID, as far as a NID can be
    told.
    """

    text: str
    urn: URN | None
    namespace: Namespace | None
    problems: tuple[URNSyntaxError, ...] = ()
    repairs: tuple[Repair, ...] = ()

    @cached_property
    def near(self) -> tuple[SimilarNid, ...]:
        """The NIDs that resemble one that nobody has registered, looked for when asked."""
        if self.urn is None or self.namespace:
            return ()
        return tuple(selectors.find_similar_nids(nids.canonical(self.urn.nid)))

    @cached_property
    def finding(self) -> NamespaceFinding | None:
        """What the rule of its registered namespace says of a URN; none of any other text."""
        if self.urn is None or self.namespace is None:
            return None
        return check_against_rule(self.urn, find_rule_of_namespace(self.namespace))

    @property
    def error(self) -> URNSyntaxError | None:
        """The first problem: where the text stops being a URN."""
        return self.problems[0] if self.problems else None

    @property
    def verdict(self) -> InspectionVerdict:
        """Which of the answers it is: the syntax first, then the registry."""
        if self.urn is None:
            return InspectionVerdict.MALFORMED
        return InspectionVerdict.REGISTERED if self.namespace else InspectionVerdict.UNREGISTERED

    @property
    def is_drawn(self) -> bool:
        """Whether the text is short enough to be drawn character by character."""
        return len(self.text) <= MAX_DRAWN_CHARACTERS


def inspect_text(text: str) -> Inspection:
    """Read `text` by RFC 8141, section 2, and look up its NID. Nothing is refused."""
    try:
        urn = parse(text)
    except URNSyntaxError:
        namespace = find_listed_namespace(guess_nid(text))
        return Inspection(
            text, None, namespace, problems(text, most=MAX_LISTED_PROBLEMS), repairs(text)
        )
    return Inspection(text, urn, find_listed_namespace(nids.canonical(urn.nid)))


def find_listed_namespace(nid: str) -> Namespace | None:
    """Return the namespace of that canonical NID, if it is registered."""
    return Namespace.objects.for_lists().filter(nid=nid).first() if nid else None


def guess_nid(text: str) -> str:
    """Return the canonical NID that a text means to have, empty where none can be told."""
    meant = next(iter(split_components(text)), None)
    if meant is None or not 2 <= meant.end - meant.start <= 32:
        return ""
    nid = text[meant.start : meant.end]
    return nids.canonical(nid) if nid.isascii() and nid.isprintable() else ""


@dataclass(frozen=True, slots=True)
class NameCheck:
    """The answer about a name, `text` being the URN in full that was looked at.

    With an `error` it is not a URN; with neither error nor finding it is one of another namespace.
    """

    text: str
    urn: URN | None = None
    error: URNSyntaxError | None = None
    finding: NamespaceFinding | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether the URN is short enough to be drawn character by character."""
        return len(self.text) <= MAX_DRAWN_CHARACTERS


def check_name_of_namespace(typed: str, nid: str, rule: NameRule | None) -> NameCheck:
    """Look at what was typed as a name of the namespace `nid`. Nothing is refused."""
    text = typed if typed[:4].lower() == "urn:" else f"urn:{nid}:{typed}"
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return NameCheck(text, error=error)
    if nids.canonical(urn.nid) != nid:
        return NameCheck(text, urn)
    return NameCheck(text, urn, finding=check_against_rule(urn, rule))

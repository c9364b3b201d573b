"""One text read as a URN: whether it is one, its namespace, and what its rule says about it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, TypeVar

from registry import selectors
from registry.exchange.exports.entries import NamespaceEntry, find_entry
from registry.inspection.finding import NamespaceFinding, check_against_rule
from registry.inspection.result import (
    NameResult,
    conclude_malformed,
    conclude_other_namespace,
    conclude_registered,
    conclude_unregistered,
)
from registry.inspection.uris import URIReading, read_other_uri
from registry.models import Namespace, Sighting
from registry.namespace_rules.suggestions import SuggestedName, suggest_names
from registry.selectors import SimilarNid
from registry.selectors.name_rules import (
    NameRule,
    find_name_rule,
    find_rule_of_nid,
    map_versions_in_force,
)
from registry.urn import URN, Repair, URNSyntaxError, nid as nids, parse, problems, repairs
from registry.urn.repair import SCHEME_ADDED
from registry.urn.syntax import split_components

logger: Final = logging.getLogger(__name__)

Drawn = TypeVar("Drawn")
Drawing = TypeVar("Drawing")
MAX_DRAWN_CHARACTERS: Final = 2_000
MAX_LISTED_PROBLEMS: Final = 20


class InspectionVerdict(StrEnum):
    """The possible answers for a text. Only the first says that it is not a URN."""

    MALFORMED = "malformed"
    UNREGISTERED = "unregistered"
    REGISTERED = "registered"


@dataclass(frozen=True)
class Inspection:
    """What there is to say about a text as a URN.

    `urn` is None if it is not one; `problems` then say why, from left to right. `entry` is the
    registered namespace of its NID, if a NID can be recognised.
    """

    text: str
    urn: URN | None
    entry: NamespaceEntry | None
    problems: tuple[URNSyntaxError, ...] = ()

    @property
    def namespace(self) -> Namespace | None:
        """The registered namespace of its NID."""
        return self.entry.namespace if self.entry else None

    @cached_property
    def near(self) -> tuple[SimilarNid, ...]:
        """The NIDs similar to an unregistered one, looked up on demand."""
        if self.urn is None or self.namespace:
            return ()
        return tuple(selectors.find_similar_nids(nids.canonical(self.urn.nid)))

    @cached_property
    def sightings(self) -> tuple[Sighting, ...]:
        """Where an unregistered NID was seen in use."""
        if self.urn is None or self.namespace:
            return ()
        return tuple(selectors.sightings_of_nid(self.urn.nid))

    @cached_property
    def finding(self) -> NamespaceFinding | None:
        """What the rule of its registered namespace says about a URN; None for any other text."""
        if self.urn is None or self.entry is None:
            return None
        rule = find_name_rule(self.entry.nid, self.entry.current, self.entry.imported)
        return check_against_rule(self.urn, rule)

    @cached_property
    def other_uri(self) -> URIReading | None:
        """The URI of another scheme that the text is, if it is not a URN."""
        return None if self.urn else read_other_uri(self.text)

    @cached_property
    def suggestions(self) -> tuple[SuggestedName, ...]:
        """The names that may have been meant, each checked by the rule of its namespace."""
        rules = map_rules_of_near_nids(self.near)
        near = tuple(rules)
        if self.entry:
            entry = self.entry
            rules[entry.nid] = find_name_rule(entry.nid, entry.current, entry.imported)
        elif self.urn:
            rules[nids.canonical(self.urn.nid)] = None

        def find_rule(nid: str) -> NameRule | None:
            if nid not in rules:
                rules[nid] = find_rule_of_nid(nid)
            return rules[nid]

        return suggest_names(self.text, find_rule, near)

    @property
    def repairs(self) -> Sequence[Repair | SuggestedName]:
        """The same; if no rule accepts any, URNs by RFC 8141 alone of a text with “urn:”."""
        return self.suggestions or [
            repair for repair in repairs(self.text) if SCHEME_ADDED not in repair.changes
        ]

    @cached_property
    def result(self) -> NameResult:
        """The overall result, decided by the worst finding."""
        if self.urn is None:
            return conclude_malformed(self.problems[0], self.suggestions)
        if self.namespace is None:
            return conclude_unregistered(self.urn, self.suggestions, is_seen=bool(self.sightings))
        return conclude_registered(self.urn, self.finding, self.suggestions)

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


def draw(drawing: Callable[[Drawn], Drawing], drawn: Drawn) -> Drawing | None:
    """Return a drawing of one name; None, and a line in the log, if it fails."""
    try:
        return drawing(drawn)
    except Exception:
        logger.exception("A name could not be drawn.")
        return None


def inspect_text(text: str) -> Inspection:
    """Read `text` by RFC 8141, section 2, and look up its NID. Nothing is refused."""
    try:
        urn = parse(text)
    except URNSyntaxError:
        nid = guess_nid(text)
        entry = find_entry(nid) if nid else None
        return Inspection(text, None, entry, problems(text, most=MAX_LISTED_PROBLEMS))
    return Inspection(text, urn, find_entry(nids.canonical(urn.nid)))


MAX_OFFERED_NIDS: Final = 4


def map_rules_of_near_nids(near: Sequence[SimilarNid]) -> dict[str, NameRule | None]:
    """Return the registered ones of the first few NIDs, with the rules for their names."""
    registered = [each.nid for each in near[:MAX_OFFERED_NIDS] if each.is_registered]
    versions = map_versions_in_force(registered) if registered else {}
    return {nid: find_name_rule(nid, versions.get(nid)) for nid in registered}


def guess_nid(text: str) -> str:
    """Return the canonical NID that a text seems to have, or empty."""
    meant = next(iter(split_components(text)), None)
    if meant is None or not 2 <= meant.end - meant.start <= 32:
        return ""
    nid = text[meant.start : meant.end]
    return nids.canonical(nid) if nid.isascii() and nid.isprintable() else ""


@dataclass(frozen=True, slots=True)
class NameCheck:
    """The answer for a name; `text` is the full URN that was checked.

    With an `error` it is not a URN; with neither error nor finding it is in another namespace.
    """

    text: str
    urn: URN | None = None
    error: URNSyntaxError | None = None
    finding: NamespaceFinding | None = None
    nid: str = ""
    rule: NameRule | None = None

    @property
    def result(self) -> NameResult:
        """The overall result for a name checked as one in `nid`."""
        if self.urn is not None and self.finding is None:
            return conclude_other_namespace(self.urn, self.nid)
        suggestions = suggest_names(
            self.text, lambda nid: self.rule if nid == self.nid else find_rule_of_nid(nid)
        )
        if self.error:
            return conclude_malformed(self.error, suggestions)
        assert self.urn is not None
        return conclude_registered(self.urn, self.finding, suggestions)

    @property
    def is_drawn(self) -> bool:
        """Whether the URN is short enough to be drawn character by character."""
        return len(self.text) <= MAX_DRAWN_CHARACTERS


def check_name_of_namespace(typed: str, nid: str, rule: NameRule | None) -> NameCheck:
    """Check what was typed as a name of the namespace `nid`. Nothing is refused."""
    text = typed if typed[:4].lower() == "urn:" else f"urn:{nid}:{typed}"
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return NameCheck(text, error=error.with_traceback(None), nid=nid, rule=rule)
    if nids.canonical(urn.nid) != nid:
        return NameCheck(text, urn, nid=nid)
    return NameCheck(text, urn, None, check_against_rule(urn, rule), nid, rule)

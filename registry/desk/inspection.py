"""One text read as a URN, and what the registry knows of its namespace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from registry import queries
from registry.desk.findings import NamespaceFinding, find_out
from registry.models import Namespace
from registry.queries import Near
from registry.queries.name_rules import held_for
from registry.urn import URN, Repair, URNSyntaxError, nid as nids, parse, problems, repairs
from registry.urn.anatomy import dissect

DRAWN: Final = 2_000
SAID: Final = 20


class Verdict(StrEnum):
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
    def near(self) -> tuple[Near, ...]:
        """The NIDs that resemble one that nobody has registered, looked for when asked."""
        if self.urn is None or self.namespace:
            return ()
        return tuple(queries.nids_near(nids.canonical(self.urn.nid)))

    @cached_property
    def finding(self) -> NamespaceFinding | None:
        """What the rule of its registered namespace says of a URN; none of any other text."""
        if self.urn is None or self.namespace is None:
            return None
        return find_out(self.urn, held_for(self.namespace))

    @property
    def error(self) -> URNSyntaxError | None:
        """The first problem: where the text stops being a URN."""
        return self.problems[0] if self.problems else None

    @property
    def verdict(self) -> Verdict:
        """Which of the answers it is: the syntax first, then the registry."""
        if self.urn is None:
            return Verdict.MALFORMED
        return Verdict.REGISTERED if self.namespace else Verdict.UNREGISTERED

    @property
    def is_drawn(self) -> bool:
        """Whether the text is short enough to be drawn character by character."""
        return len(self.text) <= DRAWN


def inspect(text: str) -> Inspection:
    """Read `text` by RFC 8141, section 2, and look up its NID. Nothing is refused."""
    try:
        urn = parse(text)
    except URNSyntaxError:
        namespace = named(nid_of(text))
        return Inspection(text, None, namespace, problems(text, most=SAID), repairs(text))
    return Inspection(text, urn, named(nids.canonical(urn.nid)))


def named(nid: str) -> Namespace | None:
    """Return the namespace of that canonical NID, if it is registered."""
    return Namespace.objects.for_lists().filter(nid=nid).first() if nid else None


def nid_of(text: str) -> str:
    """Return the canonical NID that a text means to have, empty where none can be told."""
    meant = next(iter(dissect(text)), None)
    if meant is None or not 2 <= meant.end - meant.start <= 32:
        return ""
    nid = text[meant.start : meant.end]
    return nids.canonical(nid) if nid.isascii() and nid.isprintable() else ""

"""Which addresses a name leads to, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from registry.resolution import template as templates
from registry.resolution.carrying import Carried, carry
from registry.resolution.known import Known, Offer
from registry.resolution.locators import locator_of
from registry.resolution.prefixes import Folded
from registry.resolution.variables import Subject, values
from registry.resolution.wanted import Wanted
from registry.resolution.weights import of_language, of_type
from registry.urn import URN, URNSyntaxError, parse

ADDRESS: Final = re.compile(r"https?://(?:[!#$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]|%[0-9A-Fa-f]{2})+")
ALIASES: Final = frozenset({"I2N", "I2Ns"})

SERVES: Final[Mapping[str, tuple[str, ...]]] = {
    "I2L": ("I2L", "I2R"),
    "I2Ls": ("I2L", "I2R", "I2Ls", "I2Rs"),
    "I2R": ("I2R", "I2L"),
    "I2Rs": ("I2R", "I2L", "I2Rs", "I2Ls"),
    "I2C": ("I2C",),
    "I2Cs": ("I2C", "I2Cs"),
    "I2N": ("I2N",),
    "I2Ns": ("I2N", "I2Ns"),
}
"""What does what is asked for: the address of a resource is had from a service that returns it."""
BY_ITSELF: Final = (("I2L", "I2R"), ("I2Ls", "I2Rs"), ("I2C", "I2Cs"))
"""What a name leads to where nobody says what they want: the first of these that there is."""
SEVERAL: Final = frozenset({"I2Ls", "I2Rs", "I2Cs", "I2Ns"})
"""Services whose answer is a list (RFC 2483)."""

Rank = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a name leads: an address, or for I2N another URN.

    `offer` is the service that leads there, none for a row of the namespace's own table.
    `rank` is the smaller the better.
    """

    address: str
    service: str
    offer: Offer | None
    carried: tuple[Carried, ...]
    rank: Rank

    @property
    def is_address(self) -> bool:
        """Whether it is an address in the web, and not another name."""
        return self.service not in ALIASES


@dataclass(frozen=True, slots=True)
class Choice:
    """All addresses for what was asked, the best first; no `service` where nothing was said."""

    service: str
    targets: tuple[Target, ...] = ()

    @property
    def best(self) -> Target | None:
        """The one that is better than all others, none where several are equally good."""
        if not self.targets or self.is_undecided:
            return None
        return self.targets[0]

    @property
    def is_undecided(self) -> bool:
        """Whether no address is better than all others."""
        return len(self.targets) > 1 and self.targets[0].rank == self.targets[1].rank

    @property
    def is_for_several(self) -> bool:
        """Whether a list was asked for."""
        return self.service in SEVERAL


def choose(known: Known, urn: URN, wanted: Wanted) -> Choice:
    """Return where `urn`, a name of that namespace, leads.

    The locator that the namespace's own table has for just this name comes before services, which
    know it by its form alone; then comes the service for the longest beginning of the name, then
    what the client would rather have, then the order that whoever keeps the services gave them.
    """
    for order in orders(wanted):
        if targets := tuple(found(known, urn, wanted, order)):
            return Choice(wanted.service, tuple(once(targets)))
    return Choice(wanted.service)


def orders(wanted: Wanted) -> tuple[tuple[str, ...], ...]:
    """Return the kinds of service that would do, those first that were asked for."""
    if not wanted.service:
        return BY_ITSELF
    asked = (SERVES[wanted.service],)
    return (*asked, *BY_ITSELF) if wanted.falls_back else asked


def found(known: Known, urn: URN, wanted: Wanted, order: tuple[str, ...]) -> Iterator[Target]:
    """Yield the targets of some kinds of service."""
    if known.has_table and "I2L" in order:
        yield from from_table(known, urn, wanted)
    name = Folded.of(known.nid, urn.nss)
    for offer in known.offers:
        if offer.service in order and (target := led(offer, urn, wanted, order, name)):
            yield target


def once(targets: tuple[Target, ...]) -> Iterator[Target]:
    """Yield targets in order, each address once."""
    seen: set[str] = set()
    for target in sorted(targets, key=lambda each: each.rank):
        if target.address not in seen:
            seen.add(target.address)
            yield target


def from_table(known: Known, urn: URN, wanted: Wanted) -> Iterator[Target]:
    """Yield the locator that the namespace's table has for this name."""
    locator = locator_of(known.namespace, urn)
    if locator is not None and is_address(locator):
        address, carried = carry(locator, urn, component=wanted.component)
        yield Target(address, "I2L", None, carried, (0.0,))


def led(
    offer: Offer,
    urn: URN,
    wanted: Wanted,
    order: tuple[str, ...] = (),
    name: Folded | None = None,
) -> Target | None:
    """Return where a service leads, none where it is not for this name or cannot take it.

    `order` are the kinds of service that would do, the best first, and `name` the NSS as it is
    compared, where somebody has folded it already.
    """
    rest = (name or Folded.of(offer.nid, urn.nss)).behind(offer.begins)
    if rest is None:
        return None
    subject, rank = Subject(urn, rest, wanted.component), ranked(offer, wanted, order)
    if offer.service in ALIASES:
        other = alias(offer.template, subject)
        return Target(other, offer.service, offer, (), rank) if other else None
    template = templates.read(offer.template)
    address = template.expand(values(template.names, subject))
    if address is None or not is_address(address):
        return None
    address, carried = carry(address, urn, template.names, wanted.component)
    return Target(address, offer.service, offer, carried, rank)


def alias(text: str, subject: Subject) -> str | None:
    """Return the other name that an alias makes, none where that is no URN."""
    template = templates.read_alias(text)
    name = template.expand(values(template.names, subject))
    try:
        return parse(name).text if name else None
    except URNSyntaxError:
        return None


def is_address(text: str) -> bool:
    """Whether a text is an address in the web, of characters that a URI has and no others."""
    return ADDRESS.fullmatch(text) is not None


def ranked(offer: Offer, wanted: Wanted, order: tuple[str, ...]) -> Rank:
    """Return how good a service is for what is wanted."""
    return (
        1.0,
        -len(offer.prefix),
        -of_type(wanted.accept, offer.media_type),
        -of_language(wanted.languages, offer.language),
        offer.priority,
        order.index(offer.service) if order else 0,
    )

"""What there is to say of one name: the URC of RFC 2483, from what the registry knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from registry import resolution
from registry.pages.resolution import page_of
from registry.resolution import Known, Wanted
from registry.rulebook import rule as rule_of
from registry.urn import URN

TERMS = "http://purl.org/dc/terms/"
SEE_ALSO = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"


@dataclass(frozen=True, slots=True)
class Description:
    """A name, the page of its namespace, the form it prefers, addresses and other names."""

    urn: URN
    namespace: str
    status: str
    preferred: str
    addresses: tuple[str, ...]
    descriptions: tuple[str, ...]
    aliases: tuple[str, ...]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield what is said, as labels and values."""
        yield "URN", self.urn.text
        yield "Canonical form", self.urn.assigned_name
        if self.preferred:
            yield "Preferred form", self.preferred
        yield "Namespace", f"{self.namespace} ({self.status})"
        yield from (("Resolves to", address) for address in self.addresses)
        yield from (("Described at", address) for address in self.descriptions)
        yield from (("Also named", name) for name in self.aliases)

    def statements(self) -> Iterator[tuple[str, str]]:
        """Yield what is said, as properties and values in the words of Turtle."""
        yield f"{TERMS}identifier", json.dumps(self.urn.assigned_name)
        yield f"{TERMS}isPartOf", f"<{self.namespace}>"
        for address in (*self.addresses, *self.descriptions):
            yield SEE_ALSO, f"<{address}>"
        for name in self.aliases:
            yield SAME_AS, f"<{name}>"

    def graph(self) -> dict[str, Any]:
        """Return the same as JSON-LD, with what is said beyond it in names of their own."""
        return {
            "@context": {
                "identifier": f"{TERMS}identifier",
                "namespace": {"@id": f"{TERMS}isPartOf", "@type": "@id"},
                "addresses": {"@id": SEE_ALSO, "@type": "@id"},
                "descriptions": {"@id": SEE_ALSO, "@type": "@id"},
                "aliases": {"@id": SAME_AS, "@type": "@id"},
            },
            "@id": self.urn.text,
            "identifier": self.urn.assigned_name,
            "preferred": self.preferred,
            "namespace": self.namespace,
            "status": self.status,
            "addresses": list(self.addresses),
            "descriptions": list(self.descriptions),
            "aliases": list(self.aliases),
        }


def describe(urn: URN, known: Known) -> Description:
    """Return what is known of a name of a registered namespace."""
    rule = rule_of(urn.nid)
    found = {
        service: tuple(
            each.address for each in resolution.choose(known, urn, Wanted(service)).targets
        )
        for service in ("I2Ls", "I2Cs", "I2Ns")
    }
    return Description(
        urn,
        page_of(known.nid),
        known.status,
        rule.check(urn).preferred if rule else "",
        found["I2Ls"],
        found["I2Cs"],
        found["I2Ns"],
    )

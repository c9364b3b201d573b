"""What a graph is made of: things, and what is said of each of them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

KNOWN: Final[Mapping[str, str]] = {
    "adms": "http://www.w3.org/ns/adms#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
OURS: Final = "reg"
ADDRESS: Final = re.compile(r"https?://[^\x00-\x20<>\"{}|\\^`\x7f-\x9f]+")


class IRI(str):
    """What stands for a thing: `skos:Concept` by one of the prefixes, or an address in full."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Value:
    """A text, a number or a day; with the type of the value, or the language it is in."""

    text: str
    datatype: str = ""
    language: str = ""


Term = IRI | Value


@dataclass(frozen=True, slots=True)
class Node:
    """A thing, the classes it is of, and what is said of it, each by a property."""

    id: IRI
    types: tuple[str, ...]
    said: tuple[tuple[str, Term], ...]


def node(identity: str, types: str, *said: tuple[str, Term | None]) -> Node:
    """Return a thing of the classes in `types`; what is not known is not said."""
    known = tuple((name, term) for name, term in said if term is not None)
    return Node(IRI(identity), tuple(types.split()), known)


def prefixes(site: str) -> dict[str, str]:
    """Return the prefixes of all graphs: those of everybody, and that of our own words."""
    return {**KNOWN, OURS: f"{site}/ns#"}


def iri(address: str) -> IRI | None:
    """Return an address as the name of a thing, none where it is no address."""
    return IRI(address) if ADDRESS.fullmatch(address) else None


def text(words: object, language: str = "") -> Value | None:
    """Return a text, none where there is none."""
    return Value(str(words), language=language) if words else None


def typed(value: object, datatype: str) -> Value:
    """Return a value of a type such as `xsd:integer`."""
    return Value(str(value), datatype)


def moment(at: datetime.datetime) -> Value:
    """Return a moment, in UTC."""
    written = at.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    return Value(written, "xsd:dateTime")


def day(written: object) -> Value | None:
    """Return a day, or the month or year where no more is known."""
    kinds = {4: "xsd:gYear", 7: "xsd:gYearMonth", 10: "xsd:date"}
    kind = kinds.get(len(str(written)))
    return Value(str(written), kind) if kind else None


def checksum(identity: str, sha256: str) -> Iterator[Node]:
    """Yield the SHA-256 of something, as SPDX describes it."""
    yield node(
        identity,
        "spdx:Checksum",
        ("spdx:algorithm", IRI("spdx:checksumAlgorithm_sha256")),
        ("spdx:checksumValue", typed(sha256, "xsd:hexBinary")),
    )

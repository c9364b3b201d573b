"""The exports as a catalogue (DCAT): each file with its size, its date and its digest."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from registry.exports.rdf.graph import IRI, Node, checksum, moment, node, text, typed
from registry.exports.rdf.namespaces import scheme_id

MEDIA_TYPES: Final = "https://www.iana.org/assignments/media-types/"


@dataclass(frozen=True, slots=True)
class Described:
    """What the catalogue says of one file."""

    name: str
    title: str
    media_type: str
    octets: int
    sha256: str
    changed_at: datetime.datetime | None


def catalogue(files: Iterable[Described], count: int, site: str) -> Iterator[Node]:
    """Yield the catalogue, the data set of `count` namespaces, and its files."""
    known = list(files)
    about, data = f"{site}/exports/#catalogue", f"{site}/exports/#registry"
    yield node(
        about,
        "dcat:Catalog",
        ("dcterms:title", text("Exports of the URN Namespace Registry", "en")),
        ("foaf:homepage", IRI(f"{site}/exports/")),
        ("dcat:dataset", IRI(data)),
    )
    latest = max((each.changed_at for each in known if each.changed_at), default=None)
    yield node(
        data,
        "dcat:Dataset void:Dataset",
        ("dcterms:title", text("URN namespaces", "en")),
        ("dcterms:description", text("The registered URN namespaces (RFC 8141).", "en")),
        ("dcterms:modified", moment(latest) if latest else None),
        ("dcterms:conformsTo", IRI(f"{site}/exports/shapes.ttl")),
        ("void:entities", typed(count, "xsd:integer")),
        ("void:uriSpace", text(f"{site}/namespaces/")),
        ("void:rootResource", IRI(scheme_id(site))),
        ("void:dataDump", IRI(f"{site}/exports/registry.ttl")),
        ("void:vocabulary", IRI(f"{site}/ns")),
        ("void:vocabulary", IRI("http://www.w3.org/2004/02/skos/core")),
        *(("dcat:distribution", distribution_id(each, site)) for each in known),
    )
    for each in known:
        yield from distribution(each, site)


def distribution_id(file: Described, site: str) -> IRI:
    """Return what stands for a file as one way to have the data."""
    return IRI(f"{site}/exports/#{file.name}")


def distribution(file: Described, site: str) -> Iterator[Node]:
    """Yield one file."""
    identity = distribution_id(file, site)
    yield node(
        identity,
        "dcat:Distribution",
        ("dcterms:title", text(file.title, "en")),
        ("dcat:downloadURL", IRI(f"{site}/exports/{file.name}")),
        ("dcat:mediaType", IRI(MEDIA_TYPES + file.media_type.partition(";")[0])),
        ("dcat:byteSize", typed(file.octets, "xsd:nonNegativeInteger")),
        ("dcterms:modified", moment(file.changed_at) if file.changed_at else None),
        ("spdx:checksum", IRI(f"{identity}-sha256")),
    )
    yield from checksum(f"{identity}-sha256", file.sha256)

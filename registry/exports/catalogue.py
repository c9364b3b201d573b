"""Which files there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from registry import dump
from registry.exports import iana, prefixes
from registry.exports.entries import Entry
from registry.exports.making import (
    BuiltFile,
    File,
    Write,
    anything_changed_at,
    changed_at,
    ensure_built,
)
from registry.exports.rdf import jsonld, turtle
from registry.exports.rdf.files import Described, catalogue
from registry.exports.rdf.graph import Node
from registry.exports.rdf.namespaces import scheme
from registry.exports.rdf.vocabulary import vocabulary
from registry.exports.vocabularies import VOCABULARIES, Vocabulary, as_csv
from registry.exports.zone import zone

XML: Final = "application/xml; charset=utf-8"
CSV: Final = "text/csv; charset=utf-8; header=present"
PLAIN: Final = "text/plain; charset=utf-8"
TURTLE: Final = "text/turtle; charset=utf-8"
JSONLD: Final = "application/ld+json"
LINES: Final = "application/x-ndjson"
HERE: Final = Path(__file__).parent
ELSEWHERE: Final = "https://registry.example"
"""In files that are kept as text, this stands for the address of the registry."""


def kept(name: str) -> Write:
    """Return what reads a file of this folder, with the address of the registry in it."""
    return lambda _found: (HERE / name).read_text("utf-8").replace(ELSEWHERE, settings.SITE)


def words(vocabulary: Vocabulary) -> Write:
    """Return what writes one of the registries of words."""
    return lambda _found: as_csv(vocabulary)


def graph(found: Sequence[Entry]) -> Iterator[Node]:
    """Yield the whole registry."""
    return scheme(found, settings.SITE)


def described(found: Sequence[Entry]) -> Iterator[Node]:
    """Yield all files but those that describe files."""
    files = [
        Described(
            name,
            str(FILES[name].title),
            FILES[name].media_type,
            built.size,
            built.sha256,
            built.changed_at,
        )
        for name, built in others()
    ]
    return catalogue(files, len(found), settings.SITE)


def sums(_found: Sequence[Entry]) -> str:
    """Return the digests of all files but those that describe files, as `sha256sum` reads them."""
    return "".join(f"{built.sha256}  {name}\n" for name, built in others())


def others() -> Iterator[tuple[str, BuiltFile]]:
    """Yield the files that do not describe files, as they are now."""
    return ((name, ensure_built(file)) for name, file in FILES.items() if name not in DESCRIBING)


DESCRIBING: Final = frozenset({"catalogue.ttl", "catalogue.jsonld", "SHA256SUMS"})
FILES: Final = {
    file.name: file
    for file in (
        File("urn-namespaces.xml", _("All namespaces, in IANA's XML"), XML, iana.xml),
        File(
            "urn-namespaces-1.csv",
            _("The formal namespaces, in IANA's CSV"),
            CSV,
            iana.formal_csv,
        ),
        File(
            "urn-namespaces-2.csv",
            _("The informal namespaces, in IANA's CSV"),
            CSV,
            iana.informal_csv,
        ),
        File("urn-namespaces.txt", _("All namespaces, as plain text"), PLAIN, iana.txt),
        File(
            "bioregistry.json",
            _("All namespaces, as Bioregistry's programs read a registry"),
            "application/json",
            lambda found: prefixes.written(prefixes.registry(found, settings.SITE)),
        ),
        File(
            "prefixes.epm.json",
            _("NIDs as an extended prefix map"),
            "application/json",
            lambda found: prefixes.written(prefixes.extended_prefix_map(found)),
        ),
        File(
            "context.jsonld",
            _("NIDs as a JSON-LD context"),
            JSONLD,
            lambda found: prefixes.written(prefixes.context(found)),
        ),
        File(
            "registry.jsonld",
            _("All namespaces as a graph, in JSON-LD"),
            JSONLD,
            lambda found: jsonld(graph(found), settings.SITE),
        ),
        File(
            "registry.ttl",
            _("All namespaces as a graph, in Turtle"),
            TURTLE,
            lambda found: turtle(graph(found), settings.SITE),
        ),
        File(
            "urn.arpa.zone",
            _("All namespaces as NAPTR records, a zone of the DNS"),
            "text/dns",
            lambda found: zone(found, settings.SITE, changed_at()),
        ),
        *(File(f"{each.name}.csv", each.title, CSV, words(each)) for each in VOCABULARIES.values()),
        File(
            "vocabulary.ttl",
            _("Our own words in graphs"),
            TURTLE,
            lambda _found: turtle(vocabulary(settings.SITE), settings.SITE),
        ),
        File("shapes.ttl", _("What our graphs look like, in SHACL"), TURTLE, kept("shapes.ttl")),
        File(
            "urn-namespaces.rng",
            _("What urn-namespaces.xml looks like, in RELAX NG"),
            "application/xml",
            kept("urn-namespaces.rng"),
        ),
        File(
            "urn-registry.rng",
            _("What the .xml of a page looks like, in RELAX NG"),
            "application/xml",
            kept("urn-registry.rng"),
        ),
        File(
            "registry-dump.jsonl",
            _("All that everybody may read, as manage.py load_dump restores it"),
            LINES,
            lambda _found: dump.lines(dump.Extent.PUBLIC),
            anything_changed_at,
        ),
        File(
            "catalogue.jsonld",
            _("These files as a DCAT catalogue, in JSON-LD"),
            JSONLD,
            lambda found: jsonld(described(found), settings.SITE),
        ),
        File(
            "catalogue.ttl",
            _("These files as a DCAT catalogue, in Turtle"),
            TURTLE,
            lambda found: turtle(described(found), settings.SITE),
        ),
        File("SHA256SUMS", _("The SHA-256 of each of these files"), PLAIN, sums),
    )
}

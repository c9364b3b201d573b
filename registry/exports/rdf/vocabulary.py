"""Our own words in graphs: those that nobody else has. Each is said here once, in English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import override

from registry.choices import Change, Kind, Path, State, Status
from registry.exports.rdf.graph import IRI, Node, node, text
from registry.template import FIELDS

CLASSES: Final = {
    "Namespace": "A URN namespace, as RFC 8141 registers it.",
    "Version": "A published version of the registration template of a namespace.",
    "Request": "A request to add or change a namespace.",
    "Round": "A text that was sent with a request, and is frozen since.",
}
PROPERTIES: Final = {
    "kind": "The kind of a namespace: formal or informal (RFC 8141, section 5).",
    "change": "What a request asks for.",
    "path": "By which rules a request is decided.",
    "number": "The number of a round, counted from 1.",
    "grammar": "The formal grammar of the names, beside Syntax.",
}
CHOICES: Final = (
    ("status", Status),
    ("kind", Kind),
    ("state", State),
    ("change", Change),
    ("path", Path),
)


def vocabulary(site: str) -> Iterator[Node]:
    """Yield the vocabulary and every word of it."""
    about = f"{site}/ns"
    yield node(
        about,
        "owl:Ontology",
        ("dcterms:title", text("Words of the URN Namespace Registry", "en")),
    )
    for name, comment in CLASSES.items():
        yield word(f"reg:{name}", "rdfs:Class", name, comment, about)
    for name, comment in PROPERTIES.items():
        yield word(f"reg:{name}", "owl:AnnotationProperty", name, comment, about)
    for field in FIELDS:
        comment = f"The field “{field.label}” of the registration template."
        yield word(f"reg:{field.name}", "owl:AnnotationProperty", str(field.label), comment, about)
    yield word("reg:NID", "rdfs:Datatype", "NID", "A NID, in lower case.", about)
    with override("en"):
        values = [(f"reg:{name}-{each.value}", each) for name, of in CHOICES for each in of]
        named = [(identity, str(each.label)) for identity, each in values]
    for identity, label in named:
        yield node(identity, "skos:Concept", ("skos:prefLabel", text(label, "en")), defined(about))


def word(identity: str, kind: str, label: str, comment: str, about: str) -> Node:
    """Return one word."""
    return node(
        identity,
        kind,
        ("rdfs:label", text(label, "en")),
        ("rdfs:comment", text(comment, "en")),
        defined(about),
    )


def defined(about: str) -> tuple[str, IRI]:
    """Return where a word is defined."""
    return "rdfs:isDefinedBy", IRI(about)

"""One namespace, and one version, in each of their forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from registry.exports.abnf import abnf
from registry.exports.entries import Entry
from registry.exports.markup import markup
from registry.exports.plain import namespace as plain
from registry.exports.rdf import jsonld, turtle
from registry.exports.rdf.graph import Node
from registry.exports.rdf.namespaces import concept, organization, version, wording
from registry.exports.tables import table
from registry.models import Registration
from registry.pages.endings.written import dumped, section
from registry.pages.told import namespace_told, registration_told
from registry.pages.told.written import Told
from registry.template import FIELDS, write

COLUMNS: Final = (
    "nid",
    "nid_as_registered",
    "kind",
    "status",
    "summary",
    "registrant",
    "references",
    "registered_on",
    "version",
    "last_known_version",
    "notice",
    "page",
)
"""What a row of CSV says of a namespace, by the names of JSON."""
OF_TEXT: Final = (
    *(f"template.{field.name}" for field in FIELDS),
    "template.grammar_kind",
    "template.grammar",
    "template.examples",
    "template.counter_examples",
    "template.prior_use",
)
OF_VERSION: Final = ("nid", "version", "registered_on", "sha256", "page", *OF_TEXT)


@dataclass(frozen=True, slots=True)
class Version:
    """One of the versions of a namespace."""

    entry: Entry
    registration: Registration


def told(entry: Entry, site: str) -> Told:
    """Return what the API tells of a namespace."""
    return namespace_told(entry.namespace, entry.versions, site)


def graph(entry: Entry, site: str) -> Iterator[Node]:
    """Yield a namespace, its registrant, and its versions, the one in force with its text."""
    yield concept(entry, site)
    if entry.namespace.registrant:
        yield organization(entry.namespace.registrant, site)
    for each in entry.versions:
        say = wording if each == entry.current else version
        yield from say(entry, each, site)


def draft(entry: Entry, _site: str, ending: str) -> str:
    """Return the text in force as a section of an Internet-Draft, empty where none is held."""
    return section(entry.current.template, ending) if entry.current else ""


NAMESPACE: Final[Mapping[str, Callable[[Entry, str], str]]] = {
    "json": lambda entry, site: dumped(told(entry, site)),
    "xml": lambda entry, site: markup("namespace", told(entry, site)),
    "csv": lambda entry, site: "".join(table(COLUMNS, [told(entry, site)])),
    "txt": plain,
    "jsonld": lambda entry, site: "".join(jsonld(graph(entry, site), site)),
    "ttl": lambda entry, site: "".join(turtle(graph(entry, site), site)),
    "abnf": lambda entry, site: abnf(entry.nid, entry.current),
    "md": partial(draft, ending="md"),
    "rfc.xml": partial(draft, ending="rfc.xml"),
}


def told_of(shown: Version, site: str) -> Told:
    """Return what the API tells of a version, and of which namespace it is."""
    return {"nid": shown.entry.nid, **registration_told(shown.registration, site)}


def graph_of(shown: Version, site: str) -> Iterator[Node]:
    """Yield a version with its text."""
    return wording(shown.entry, shown.registration, site)


VERSION: Final[Mapping[str, Callable[[Version, str], str]]] = {
    "json": lambda shown, site: dumped(registration_told(shown.registration, site)),
    "xml": lambda shown, site: markup("version", told_of(shown, site)),
    "csv": lambda shown, site: "".join(table(OF_VERSION, [told_of(shown, site)])),
    "txt": lambda shown, site: write(shown.registration.template),
    "jsonld": lambda shown, site: "".join(jsonld(graph_of(shown, site), site)),
    "ttl": lambda shown, site: "".join(turtle(graph_of(shown, site), site)),
    "abnf": lambda shown, site: abnf(shown.entry.nid, shown.registration, may_stand_in=False),
    "md": lambda shown, site: section(shown.registration.template, "md"),
    "rfc.xml": lambda shown, site: section(shown.registration.template, "rfc.xml"),
}

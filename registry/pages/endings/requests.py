"""One request, and one round of its text, in each of their forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from registry import queries
from registry.exports import plain
from registry.exports.markup import markup
from registry.exports.rdf import jsonld, turtle
from registry.exports.rdf.graph import Node
from registry.exports.rdf.requests import course
from registry.exports.tables import table
from registry.models import Registration, RegistrationRequest, Round
from registry.pages.endings.namespaces import OF_TEXT
from registry.pages.endings.written import dumped, section
from registry.pages.told import request_told
from registry.pages.told.parts import round_told
from registry.pages.told.written import Told
from registry.template import write

COLUMNS: Final = (
    "reference",
    "nid",
    "summary",
    "change",
    "path",
    "state",
    "state_since",
    "organization",
    "author",
    "namespace",
    "created_at",
    "waiting.turn",
    "waiting.who",
    "waiting.since",
    "waiting.promised_by",
    "page",
)
"""What a row of CSV says of a request, by the names of JSON."""
OF_ROUND: Final = ("reference", "number", "submitted_at", "sha256", *OF_TEXT)


def told(asked: RegistrationRequest, site: str) -> Told:
    """Return what the API tells anybody of a request."""
    return request_told(asked, site)


def graph(asked: RegistrationRequest, site: str) -> Iterator[Node]:
    """Yield a request, its rounds, and what came of it."""
    published = Registration.objects.filter(registration_request=asked).select_related("namespace")
    return course(asked, list(asked.rounds.sent()), published.first(), site)


def text(asked: RegistrationRequest, site: str) -> str:
    """Return where a request stands, and its last text."""
    return plain.request(asked, queries.waiting_for(asked), asked.rounds.sent(), site)


REQUEST: Final[Mapping[str, Callable[[RegistrationRequest, str], str]]] = {
    "json": lambda asked, site: dumped(told(asked, site)),
    "xml": lambda asked, site: markup("request", told(asked, site)),
    "csv": lambda asked, site: "".join(table(COLUMNS, [told(asked, site)])),
    "txt": text,
    "jsonld": lambda asked, site: "".join(jsonld(graph(asked, site), site)),
    "ttl": lambda asked, site: "".join(turtle(graph(asked, site), site)),
}


def told_of(sent: Round, site: str) -> Told:
    """Return what the API tells of a round."""
    return round_told(sent, sent.registration_request.slug, site)


def row_of(sent: Round, site: str) -> Told:
    """Return what a row of CSV says of a round."""
    return {"reference": sent.registration_request.reference, **told_of(sent, site)}


ROUND: Final[Mapping[str, Callable[[Round, str], str]]] = {
    "json": lambda sent, site: dumped(told_of(sent, site)),
    "xml": lambda sent, site: markup("round", told_of(sent, site)),
    "csv": lambda sent, site: "".join(table(OF_ROUND, [row_of(sent, site)])),
    "txt": lambda sent, site: write(sent.template),
    "md": lambda sent, site: section(sent.template, "md"),
    "rfc.xml": lambda sent, site: section(sent.template, "rfc.xml"),
}

"""Each thing in each of its formats: JSON, XML, CSV, plain text, JSON-LD, Turtle, drafts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.urls import reverse

from registry import selectors
from registry.batches import iterate_in_chunks, split_into_chunks
from registry.exchange.exports import plain_text, xml_documents
from registry.exchange.exports.citations import write_bibtex, write_csl
from registry.exchange.exports.csv_tables import write_csv
from registry.exchange.exports.entries import NamespaceEntry, list_entries
from registry.exchange.exports.plain_text import write_abnf, write_namespace_text as plain
from registry.exchange.exports.rdf import RDFNode, write_jsonld, write_turtle
from registry.exchange.exports.rdf_descriptions import (
    describe_activities,
    describe_concept,
    describe_organization,
    describe_request_history,
    describe_scheme,
    describe_service,
    describe_version,
    describe_version_text,
)
from registry.exchange.exports.xml_documents import write_xml, write_xml_list
from registry.http.formats import make_linkset
from registry.licences import get_data_licence
from registry.models import (
    ImportedRecord,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    Sighting,
)
from registry.models.namespace import NamespaceQuerySet
from registry.models.request import RequestQuerySet
from registry.presenters.sightings import build_sighting_rows
from registry.serializers.base import JSONObject
from registry.serializers.imported_records import ImportedTextSerializer
from registry.serializers.namespaces import (
    ListedNamespace,
    NamespaceDetailSerializer,
    NamespaceSerializer,
    PublishedTextSerializer,
    SightingSerializer,
)
from registry.serializers.organizations import (
    OrganizationDetailSerializer,
    OrganizationSerializer,
)
from registry.serializers.requests import (
    RequestSerializer,
    RoundSerializer,
    read_standing,
    serialize_request,
)
from registry.template import FIELDS, SUBFIELDS, Template, kramdown, rfcxml, write

JSONMapping = Mapping[str, Any]


def dump_json_line(told: JSONMapping) -> str:
    """Return facts as JSON, on one line."""
    return json.dumps(told, ensure_ascii=False) + "\n"


def dump_json_list(count: int, told: Iterable[JSONMapping]) -> Iterator[str]:
    """Yield a list as JSON, one entry per line."""
    yield f'{{"count": {count}, "results": ['
    before = "\n"
    for each in told:
        yield before + json.dumps(each, ensure_ascii=False)
        before = ",\n"
    yield "\n]}\n"


DRAFT_SECTION_WRITERS = {"md": kramdown, "rfc.xml": rfcxml}
"""A template as a section of an Internet-Draft."""


def write_draft_section(template: Template, ending: str) -> str:
    return DRAFT_SECTION_WRITERS[ending](template)


NAMESPACE_CSV_COLUMNS: Final = (
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
    "iana_reference",
    "notice",
    "replaced_by",
    "page",
)
"""The columns of a namespace in CSV, by their names in JSON."""
TEMPLATE_CSV_COLUMNS: Final = (
    *(f"template.{field.name}" for field in FIELDS),
    *(f"template.{field.name}" for subfields in SUBFIELDS.values() for field in subfields),
)
VERSION_CSV_COLUMNS: Final = (
    "nid",
    "version",
    "registered_on",
    "sha256",
    "text_licence",
    "page",
    *TEMPLATE_CSV_COLUMNS,
)


@dataclass(frozen=True, slots=True)
class EntryVersion:
    """One of the versions of a namespace."""

    entry: NamespaceEntry
    registration: Registration


def serialize_entry(entry: NamespaceEntry, site: str) -> JSONObject:
    """Return the API's JSON of a namespace."""
    return NamespaceDetailSerializer(entry, context={"site": site}).data


def describe_entry_with_versions(entry: NamespaceEntry, site: str) -> Iterator[RDFNode]:
    """Yield a namespace, its registrant, services and versions, the one in force with its text."""
    yield describe_concept(entry, site)
    if entry.namespace.registrant:
        yield describe_organization(entry.namespace.registrant, site)
    yield from (describe_service(each, entry.nid, site) for each in entry.services)
    for each in entry.versions:
        say = describe_version_text if each == entry.current else describe_version
        yield from say(entry, each, site)


def write_current_draft_section(entry: NamespaceEntry, _site: str, ending: str) -> str:
    """Return the text in force as a section of an Internet-Draft, empty if we hold none."""
    return write_draft_section(entry.template, ending) if entry.template else ""


NAMESPACE_WRITERS: Final[Mapping[str, Callable[[NamespaceEntry, str], str]]] = {
    "json": lambda entry, site: dump_json_line(serialize_entry(entry, site)),
    "xml": lambda entry, site: write_xml("namespace", serialize_entry(entry, site)),
    "csv": lambda entry, site: "".join(
        write_csv(NAMESPACE_CSV_COLUMNS, [serialize_entry(entry, site)])
    ),
    "txt": plain,
    "jsonld": lambda entry, site: "".join(
        write_jsonld(describe_entry_with_versions(entry, site), site)
    ),
    "ttl": lambda entry, site: "".join(
        write_turtle(describe_entry_with_versions(entry, site), site)
    ),
    "abnf": lambda entry, _site: write_abnf(entry.nid, entry.current, entry.imported),
    "md": partial(write_current_draft_section, ending="md"),
    "rfc.xml": partial(write_current_draft_section, ending="rfc.xml"),
    "bib": write_bibtex,
    "csl.json": write_csl,
    "linkset.json": lambda entry, _site: dump_json_line(
        make_linkset(
            "namespace",
            reverse("namespaces:detail", args=[entry.nid]),
            () if entry.template else ("md", "rfc.xml"),
            licence=get_data_licence(),
        )
    ),
}


def serialize_version(shown: EntryVersion, site: str) -> JSONObject:
    """Return the API's JSON of a version."""
    return PublishedTextSerializer(shown.registration, context={"site": site}).data


def serialize_entry_version(shown: EntryVersion, site: str) -> JSONObject:
    """Return the API's JSON of a version, and its namespace."""
    return {"nid": shown.entry.nid, **serialize_version(shown, site)}


def describe_entry_version(shown: EntryVersion, site: str) -> Iterator[RDFNode]:
    """Yield a version with its text."""
    return describe_version_text(shown.entry, shown.registration, site)


VERSION_WRITERS: Final[Mapping[str, Callable[[EntryVersion, str], str]]] = {
    "json": lambda shown, site: dump_json_line(serialize_version(shown, site)),
    "xml": lambda shown, site: write_xml("version", serialize_entry_version(shown, site)),
    "csv": lambda shown, site: "".join(
        write_csv(VERSION_CSV_COLUMNS, [serialize_entry_version(shown, site)])
    ),
    "txt": lambda shown, site: write(shown.registration.template),
    "jsonld": lambda shown, site: "".join(write_jsonld(describe_entry_version(shown, site), site)),
    "ttl": lambda shown, site: "".join(write_turtle(describe_entry_version(shown, site), site)),
    "abnf": lambda shown, site: write_abnf(shown.entry.nid, shown.registration, may_stand_in=False),
    "md": lambda shown, site: write_draft_section(shown.registration.template, "md"),
    "rfc.xml": lambda shown, site: write_draft_section(shown.registration.template, "rfc.xml"),
    "bib": lambda shown, site: write_bibtex(shown.entry, site, shown.registration),
    "csl.json": lambda shown, site: write_csl(shown.entry, site, shown.registration),
    "linkset.json": lambda shown, _site: dump_json_line(
        make_linkset(
            "version",
            reverse("namespaces:version", args=[shown.entry.nid, shown.registration.number]),
            licence=shown.registration.licence,
        )
    ),
}


def serialize_imported_text(record: ImportedRecord, site: str) -> JSONObject:
    """Return the API's JSON of an imported record."""
    return ImportedTextSerializer(record, context={"site": site}).data


RECORD_WRITERS: Final[Mapping[str, Callable[[ImportedRecord, str], str]]] = {
    "json": lambda record, site: dump_json_line(serialize_imported_text(record, site)),
    "xml": lambda record, site: write_xml("record", serialize_imported_text(record, site)),
    "txt": lambda record, _site: plain_text.write_record_text(record),
}


REQUEST_CSV_COLUMNS: Final = (
    "reference",
    "nid",
    "summary",
    "change",
    "path",
    "state",
    "state_word",
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
"""The columns of a request in CSV, by their names in JSON."""
ROUND_CSV_COLUMNS: Final = (
    "reference",
    "number",
    "submitted_at",
    "sha256",
    "text_licence",
    *TEMPLATE_CSV_COLUMNS,
)


def serialize_public_request(asked: RegistrationRequest, site: str) -> JSONObject:
    """Return the API's JSON of a request as everyone may see it."""
    return serialize_request(asked, site)


def describe_request_with_rounds(asked: RegistrationRequest, site: str) -> Iterator[RDFNode]:
    """Yield a request, its rounds and its result."""
    published = Registration.objects.filter(registration_request=asked).select_related("namespace")
    return describe_request_history(asked, list(asked.rounds.sent()), published.first(), site)


def write_public_request_text(asked: RegistrationRequest, site: str) -> str:
    """Return the state of a request, and its last text."""
    return plain_text.write_request_text(
        asked, selectors.find_current_turn(asked), asked.rounds.sent(), site
    )


REQUEST_WRITERS: Final[Mapping[str, Callable[[RegistrationRequest, str], str]]] = {
    "json": lambda asked, site: dump_json_line(serialize_public_request(asked, site)),
    "xml": lambda asked, site: write_xml("request", serialize_public_request(asked, site)),
    "csv": lambda asked, site: "".join(
        write_csv(REQUEST_CSV_COLUMNS, [serialize_public_request(asked, site)])
    ),
    "txt": write_public_request_text,
    "jsonld": lambda asked, site: "".join(
        write_jsonld(describe_request_with_rounds(asked, site), site)
    ),
    "ttl": lambda asked, site: "".join(
        write_turtle(describe_request_with_rounds(asked, site), site)
    ),
}


def serialize_public_round(sent: Round, site: str) -> JSONObject:
    """Return the API's JSON of a round."""
    return RoundSerializer(sent, context={"site": site}).data


def serialize_round_row(sent: Round, site: str) -> JSONObject:
    """Return the columns of a round in CSV."""
    return {"reference": sent.registration_request.reference, **serialize_public_round(sent, site)}


ROUND_WRITERS: Final[Mapping[str, Callable[[Round, str], str]]] = {
    "json": lambda sent, site: dump_json_line(serialize_public_round(sent, site)),
    "xml": lambda sent, site: write_xml("round", serialize_public_round(sent, site)),
    "csv": lambda sent, site: "".join(
        write_csv(ROUND_CSV_COLUMNS, [serialize_round_row(sent, site)])
    ),
    "txt": lambda sent, site: write(sent.template),
    "md": lambda sent, site: write_draft_section(sent.template, "md"),
    "rfc.xml": lambda sent, site: write_draft_section(sent.template, "rfc.xml"),
}


ORGANIZATION_CSV_COLUMNS: Final = (
    "name",
    "former_names",
    "aliases",
    "public_ids",
    "website",
    "recognised_on",
    "page",
)
ORGANIZATION_DETAIL_CSV_COLUMNS: Final = (
    *ORGANIZATION_CSV_COLUMNS,
    "recognition_source",
    "namespaces",
    "requests",
    "delegate_count",
)


def serialize_public_organization(known: Organization, site: str) -> JSONObject:
    """Return the API's JSON of an organization as everyone may see it."""
    context = {"site": site, "reader": AnonymousUser()}
    return OrganizationDetailSerializer(known, context=context).data


def describe_organization_holdings(known: Organization, site: str) -> Iterator[RDFNode]:
    """Yield an organization, and the namespaces that it holds."""
    yield describe_organization(known, site)
    held = selectors.namespaces_for_lists().filter(registrant=known).order_by("nid")
    yield from (describe_concept(each, site) for each in list_entries(held))


ORGANIZATION_WRITERS: Final[Mapping[str, Callable[[Organization, str], str]]] = {
    "json": lambda known, site: dump_json_line(serialize_public_organization(known, site)),
    "xml": lambda known, site: write_xml(
        "organization", serialize_public_organization(known, site)
    ),
    "csv": lambda known, site: "".join(
        write_csv(ORGANIZATION_DETAIL_CSV_COLUMNS, [serialize_public_organization(known, site)])
    ),
    "txt": lambda known, site: plain_text.write_organization_text(
        serialize_public_organization(known, site)
    ),
    "jsonld": lambda known, site: "".join(
        write_jsonld(describe_organization_holdings(known, site), site)
    ),
    "ttl": lambda known, site: "".join(
        write_turtle(describe_organization_holdings(known, site), site)
    ),
}


SIGHTING_CSV_COLUMNS: Final = (
    "nid",
    "user_of_it",
    "evidence",
    "noted_by",
    "noted_at",
    "claimed_by",
)

ListWriter = Callable[[Any, str], Iterable[str]]


def serialize_namespaces(found: NamespaceQuerySet, site: str) -> Iterator[JSONObject]:
    """Yield the API's JSON of each namespace in a list."""
    rows = map(ListedNamespace, iterate_in_chunks(found))
    return NamespaceSerializer.serialize_each(rows, site=site)


def serialize_requests(found: RequestQuerySet, site: str) -> Iterator[JSONObject]:
    """Yield the API's JSON of each request in a list."""
    for some in split_into_chunks(found):
        yield from RequestSerializer.serialize_each(some, site=site, **read_standing(some))


def describe_request_list(found: RequestQuerySet, site: str) -> Iterator[RDFNode]:
    """Yield the requests in a list, and their organizations."""
    return describe_activities(iterate_in_chunks(found), site)


def serialize_organizations(found: QuerySet[Organization], site: str) -> Iterator[JSONObject]:
    """Yield the data of each organization."""
    return OrganizationSerializer.serialize_each(iterate_in_chunks(found), site=site)


def serialize_sightings(found: QuerySet[Sighting], site: str) -> Iterator[JSONObject]:
    """Yield the API's JSON of each sighting."""
    for some in split_into_chunks(found):
        yield from SightingSerializer.serialize_each(build_sighting_rows(some), site=site)


def make_list_writers(
    name: str,
    told: Callable[[Any, str], Iterator[JSONObject]],
    columns: tuple[str, ...],
    txt: Callable[[Any], Iterable[str]],
) -> dict[str, ListWriter]:
    """Return the formats that every list has."""
    return {
        "json": lambda found, site: dump_json_list(found.count(), told(found, site)),
        "xml": lambda found, site: write_xml_list(name, told(found, site)),
        "csv": lambda found, site: write_csv(columns, told(found, site)),
        "txt": lambda found, _site: txt(iterate_in_chunks(found)),
    }


NAMESPACE_LIST_WRITERS: Final[Mapping[str, ListWriter]] = {
    "json": lambda found, site: dump_json_list(found.count(), serialize_namespaces(found, site)),
    "csv": lambda found, site: write_csv(NAMESPACE_CSV_COLUMNS, serialize_namespaces(found, site)),
    "txt": lambda found, _site: [xml_documents.write_iana_text(list_entries(found))],
    "xml": lambda found, _site: xml_documents.write_iana_xml(list_entries(found)),
    "jsonld": lambda found, site: write_jsonld(describe_scheme(list_entries(found), site), site),
    "ttl": lambda found, site: write_turtle(describe_scheme(list_entries(found), site), site),
}
REQUEST_LIST_WRITERS: Final[Mapping[str, ListWriter]] = {
    **make_list_writers(
        "requests", serialize_requests, REQUEST_CSV_COLUMNS, plain_text.write_requests_text
    ),
    "jsonld": lambda found, site: write_jsonld(describe_request_list(found, site), site),
    "ttl": lambda found, site: write_turtle(describe_request_list(found, site), site),
}
ORGANIZATION_LIST_WRITERS: Final[Mapping[str, ListWriter]] = make_list_writers(
    "organizations",
    serialize_organizations,
    ORGANIZATION_CSV_COLUMNS,
    plain_text.write_organizations_text,
)
SIGHTING_LIST_WRITERS: Final[Mapping[str, ListWriter]] = make_list_writers(
    "sightings", serialize_sightings, SIGHTING_CSV_COLUMNS, plain_text.write_sightings_text
)

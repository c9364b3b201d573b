"""The files as a catalogue: for data portals (DCAT-AP 3), and as a data package (Frictionless)."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from registry.exchange.exports.entries import NamespaceEntry
from registry.exchange.exports.rdf import (
    IRI,
    RDFNode,
    describe_checksum,
    make_moment_literal,
    make_node,
    make_text_literal,
    make_typed_literal,
)
from registry.exchange.exports.rdf_descriptions import make_scheme_iri
from registry.exchange.exports.vocabularies import VOCABULARIES
from registry.exchange.exports.xml_documents import IANA_COLUMNS
from registry.licences import (
    Licence,
    LicenceKind,
    LicenceType,
    find_file_licence,
    get_data_licence,
)

MEDIA_TYPES_IRI: Final = "https://www.iana.org/assignments/media-types/"
AUTHORITY_IRI: Final = "http://publications.europa.eu/resource/authority"
ADMS_IRI: Final = "http://purl.org/adms"
LICENCE_TYPES: Final[Mapping[LicenceType, str]] = {
    LicenceType.PUBLIC_DOMAIN: "Work in the public domain",
    LicenceType.ATTRIBUTION: "Attribution",
    LicenceType.SHARE_ALIKE: "Share alike",
}
RIGHTS: Final = "What is given away under which licence."
"""The address for data without a single licence."""
THEMES: Final[Mapping[str, str]] = {
    "TECH": "Science and technology",
    "EDUC": "Education, culture and sport",
}
"""The theme for identifiers, of those that data portals sort by."""
FILE_TYPES: Final[Mapping[str, str]] = {
    "application/xml": "XML",
    "application/json": "JSON",
    "application/ld+json": "JSON_LD",
    "application/x-ndjson": "JSON",
    "application/n-triples": "RDF_N_TRIPLES",
    "text/turtle": "RDF_TURTLE",
    "text/csv": "CSV",
    "text/plain": "TXT",
    "text/dns": "TXT",
    "application/schema+json": "JSON",
}
"""The authority's terms for formats, which portals know better than media types."""
IDENTIFIER_KEYWORDS: Final = ("URN", "RFC 8141", "persistent identifiers", "namespaces")


@dataclass(frozen=True, slots=True)
class DescribedFile:
    """What the catalogue says about one file."""

    name: str
    title: str
    media_type: str
    octets: int
    sha256: str
    changed_at: datetime.datetime | None
    licence_kind: LicenceKind = LicenceKind.DATA

    @property
    def bare_type(self) -> str:
        """The media type without its parameters."""
        return self.media_type.partition(";")[0]


def make_rights_iri(site: str) -> IRI:
    """Return the page that explains which licence applies to what."""
    return IRI(f"{site}/about/#licences")


def describe_catalogue(files: Iterable[DescribedFile], count: int, site: str) -> Iterator[RDFNode]:
    """Yield the catalogue, the data set of `count` namespaces, its files, and the API."""
    known, licence = list(files), get_data_licence()
    about, data = f"{site}/exports/#catalogue", f"{site}/exports/#registry"
    publisher, contact = IRI(f"{site}/exports/#publisher"), IRI(f"{site}/exports/#contact")
    service = IRI(f"{site}/exports/#api")
    latest = max((each.changed_at for each in known if each.changed_at), default=None)
    modified = make_moment_literal(latest) if latest else None
    yield make_node(
        about,
        "dcat:Catalog",
        ("dcterms:title", make_text_literal("Exports of the URN Namespace Registry", "en")),
        (
            "dcterms:description",
            make_text_literal("The files and the API of the URN Namespace Registry.", "en"),
        ),
        ("dcterms:publisher", publisher),
        ("dcterms:license", IRI(licence.url)),
        ("dcterms:language", IRI(f"{AUTHORITY_IRI}/language/ENG")),
        ("dcterms:modified", modified),
        ("foaf:homepage", IRI(f"{site}/exports/")),
        ("dcat:themeTaxonomy", IRI(f"{AUTHORITY_IRI}/data-theme")),
        ("dcat:dataset", IRI(data)),
        ("dcat:service", service),
    )
    yield make_node(
        data,
        "dcat:Dataset void:Dataset",
        ("dcterms:title", make_text_literal("URN namespaces", "en")),
        (
            "dcterms:description",
            make_text_literal("The registered URN namespaces (RFC 8141).", "en"),
        ),
        ("dcterms:identifier", make_text_literal(data)),
        ("dcterms:publisher", publisher),
        ("dcat:contactPoint", contact),
        *(("dcat:theme", IRI(f"{AUTHORITY_IRI}/data-theme/{each}")) for each in THEMES),
        *(("dcat:keyword", make_text_literal(each, "en")) for each in IDENTIFIER_KEYWORDS),
        ("dcat:landingPage", IRI(f"{site}/namespaces/")),
        ("dcterms:language", IRI(f"{AUTHORITY_IRI}/language/ENG")),
        ("dcterms:accrualPeriodicity", IRI(f"{AUTHORITY_IRI}/frequency/IRREG")),
        ("dcterms:accessRights", IRI(f"{AUTHORITY_IRI}/access-right/PUBLIC")),
        ("dcterms:modified", modified),
        ("dcterms:conformsTo", IRI(f"{site}/exports/shapes.ttl")),
        ("void:entities", make_typed_literal(count, "xsd:integer")),
        ("void:uriSpace", make_text_literal(f"{site}/namespaces/")),
        ("void:rootResource", IRI(make_scheme_iri(site))),
        ("void:dataDump", IRI(f"{site}/exports/registry.ttl")),
        ("void:vocabulary", IRI(f"{site}/ns")),
        ("void:vocabulary", IRI("http://www.w3.org/2004/02/skos/core")),
        *(("dcat:distribution", make_distribution_iri(each, site)) for each in known),
    )
    yield from describe_data_service(service, data, site)
    yield from describe_publisher(publisher, contact, licence, site)
    yield from describe_authority_words(known, licence)
    for each in known:
        yield from describe_distribution(each, site)


def describe_data_service(service: IRI, data: str, site: str) -> Iterator[RDFNode]:
    """Yield the API as a data service."""
    yield make_node(
        service,
        "dcat:DataService",
        ("dcterms:title", make_text_literal("API of the URN Namespace Registry", "en")),
        (
            "dcterms:description",
            make_text_literal("Namespaces, requests and questions about URNs, as JSON.", "en"),
        ),
        ("dcat:endpointURL", IRI(f"{site}/api/v1/")),
        ("dcat:endpointDescription", IRI(f"{site}/api/schema/")),
        ("dcat:landingPage", IRI(f"{site}/api/")),
        ("foaf:page", IRI(f"{site}/api/versions/")),
        ("dcterms:publisher", IRI(f"{site}/exports/#publisher")),
        ("dcat:contactPoint", IRI(f"{site}/exports/#contact")),
        *(("dcat:theme", IRI(f"{AUTHORITY_IRI}/data-theme/{each}")) for each in THEMES),
        *(("dcat:keyword", make_text_literal(each, "en")) for each in IDENTIFIER_KEYWORDS),
        ("dcterms:rights", make_rights_iri(site)),  # It includes texts and messages, too.
        ("dcterms:accessRights", IRI(f"{AUTHORITY_IRI}/access-right/PUBLIC")),
        ("dcterms:format", IRI(f"{AUTHORITY_IRI}/file-type/JSON")),
        ("dcat:servesDataset", IRI(data)),
    )
    for page in ("namespaces", "api", "api/versions", "exports"):
        yield make_node(f"{site}/{page}/", "foaf:Document")


def describe_publisher(
    publisher: IRI, contact: IRI, licence: Licence, site: str
) -> Iterator[RDFNode]:
    """Yield the publisher, its contact, and the licence of its data."""
    yield make_node(
        publisher,
        "foaf:Agent",
        ("foaf:name", make_text_literal("URN Namespace Registry", "en")),
        ("foaf:homepage", IRI(f"{site}/about/")),
        ("dcterms:type", IRI(f"{ADMS_IRI}/publishertype/StandardisationBody")),
    )
    yield make_node(
        contact,
        "vcard:Kind vcard:Organization",
        ("vcard:fn", make_text_literal("The registrar of URN namespaces", "en")),
        ("vcard:hasURL", IRI(f"{site}/contact/")),
    )
    yield make_node(
        licence.url,
        "dcterms:LicenseDocument",
        ("dcterms:title", make_text_literal(licence.name, "en")),
        ("dcterms:type", IRI(f"{ADMS_IRI}/licencetype/{licence.type}")),
    )
    yield make_node(
        make_rights_iri(site),
        "dcterms:RightsStatement",
        ("rdfs:label", make_text_literal(RIGHTS, "en")),
    )
    yield make_node(
        f"{site}/exports/shapes.ttl",
        "dcterms:Standard",
        ("dcterms:title", make_text_literal("Shapes of the graphs of the registry", "en")),
    )


def describe_authority_words(files: Sequence[DescribedFile], licence: Licence) -> Iterator[RDFNode]:
    """Yield the classes of other vocabularies' terms in use, as portals require."""
    yield make_node(
        f"{AUTHORITY_IRI}/data-theme",
        "skos:ConceptScheme",
        ("dcterms:title", make_text_literal("Data themes", "en")),
    )
    for each, label in THEMES.items():
        yield make_node(
            f"{AUTHORITY_IRI}/data-theme/{each}",
            "skos:Concept",
            ("skos:prefLabel", make_text_literal(label, "en")),
            ("skos:inScheme", IRI(f"{AUTHORITY_IRI}/data-theme")),
        )
    yield make_node(f"{AUTHORITY_IRI}/language/ENG", "dcterms:LinguisticSystem")
    yield make_node(f"{AUTHORITY_IRI}/frequency/IRREG", "dcterms:Frequency")
    yield make_node(f"{AUTHORITY_IRI}/access-right/PUBLIC", "dcterms:RightsStatement")
    formats = {FILE_TYPES[each.bare_type] for each in files if each.bare_type in FILE_TYPES}
    for kind in sorted(formats | {"JSON"}):
        yield make_node(f"{AUTHORITY_IRI}/file-type/{kind}", "dcterms:MediaTypeOrExtent")
    for bare in sorted({each.bare_type for each in files}):
        yield make_node(f"{MEDIA_TYPES_IRI}{bare}", "dcterms:MediaType")
    yield make_node(
        f"{AUTHORITY_IRI}/planned-availability/STABLE",
        "skos:Concept",
        ("skos:prefLabel", make_text_literal("Stable", "en")),
    )
    for kind, label in (
        ("publishertype/StandardisationBody", "Standardisation body"),
        (f"licencetype/{licence.type}", LICENCE_TYPES[licence.type]),
    ):
        yield make_node(
            f"{ADMS_IRI}/{kind}",
            "skos:Concept",
            ("skos:prefLabel", make_text_literal(label, "en")),
        )


def make_distribution_iri(file: DescribedFile, site: str) -> IRI:
    """Return the IRI of a file as a distribution of the data."""
    return IRI(f"{site}/exports/#{file.name}")


def describe_distribution(file: DescribedFile, site: str) -> Iterator[RDFNode]:
    """Yield one file, with its rights, and a licence if one covers all of it."""
    identity = make_distribution_iri(file, site)
    licence = find_file_licence(file.licence_kind)
    kind = FILE_TYPES.get(file.bare_type)
    yield make_node(
        identity,
        "dcat:Distribution",
        ("dcterms:title", make_text_literal(file.title, "en")),
        ("dcterms:description", make_text_literal(file.title, "en")),
        ("dcat:accessURL", IRI(f"{site}/exports/")),
        ("dcat:downloadURL", IRI(f"{site}/exports/{file.name}")),
        ("dcat:mediaType", IRI(MEDIA_TYPES_IRI + file.bare_type)),
        ("dcterms:format", IRI(f"{AUTHORITY_IRI}/file-type/{kind}") if kind else None),
        ("dcterms:license", IRI(licence.url) if licence else None),
        ("dcatap:availability", IRI(f"{AUTHORITY_IRI}/planned-availability/STABLE")),
        ("dcterms:rights", make_rights_iri(site)),
        ("dcat:byteSize", make_typed_literal(file.octets, "xsd:decimal")),
        ("dcterms:modified", make_moment_literal(file.changed_at) if file.changed_at else None),
        ("spdx:checksum", IRI(f"{identity}-sha256")),
    )
    yield from describe_checksum(f"{identity}-sha256", file.sha256)


# A table of namespaces, one per line, for people who read data by columns.

COLUMNS: Final[Mapping[str, tuple[str, str]]] = {
    "nid": ("string", "The identifier in lower case, as it is compared."),
    "nid_as_registered": ("string", "In the spelling of its registration."),
    "kind": ("string", "formal or informal (RFC 8141, section 5)."),
    "status": ("string", "active, deprecated or obsolete."),
    "summary": ("string", "What its names name, in a few words."),
    "registrant": ("string", "Who holds it."),
    "references": ("array", "Documents of record."),
    "registered_on": ("string", "As precise as it is known: a day, a month or a year."),
    "version": ("integer", "The version in force, if its text is held here."),
    "pattern": ("string", "A regular expression of the NSS, where one is known."),
    "example": ("string", "One URN of it."),
    "is_resolved": ("boolean", "Whether a service is known that resolves its names."),
    "page": ("string", "Where people read it."),
}
"""Type and meaning of each column; unknown values are null."""
REQUIRED_COLUMNS: Final = ("nid", "nid_as_registered", "kind", "status", "page")


def write_namespace_rows(
    found: Iterable[NamespaceEntry],
    site: str,
    find_pattern: Callable[[NamespaceEntry], str],
    resolved: Iterable[int],
) -> Iterator[str]:
    """Yield one line of JSON for each namespace, with every column."""
    keys = set(resolved)
    for entry in found:
        namespace = entry.namespace
        row: dict[str, Any] = {
            "nid": entry.nid,
            "nid_as_registered": namespace.nid_as_registered,
            "kind": namespace.kind,
            "status": namespace.status,
            "summary": namespace.summary or None,
            "registrant": entry.registrant or None,
            "references": list(entry.references),
            "registered_on": entry.registered_on or None,
            "version": entry.version,
            "pattern": find_pattern(entry) or None,
            "example": entry.example or None,
            "is_resolved": namespace.pk in keys,
            "page": f"{site}/namespaces/{entry.nid}/",
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


def make_row_schema(site: str) -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{site}/exports/namespaces.schema.json",
        "title": "A registered URN namespace",
        "type": "object",
        "properties": {
            name: {
                "type": kind if name in {*REQUIRED_COLUMNS, "is_resolved"} else [kind, "null"],
                "description": words,
                **({"items": {"type": "string"}} if kind == "array" else {}),
            }
            for name, (kind, words) in COLUMNS.items()
        },
        "required": list(COLUMNS),
        "additionalProperties": False,
    }


TABLE_FIELDS: Final[Mapping[str, Sequence[tuple[str, str, str]]]] = {
    "namespaces.jsonl": [(name, *said) for name, said in COLUMNS.items()],
    **{
        f"urn-namespaces-{number}.csv": [
            (name, "string", words)
            for name, words in zip(
                IANA_COLUMNS,
                (
                    "The identifier in the spelling of its registration.",
                    "Where IANA's layout has the template's text.",
                    "Documents of record, each in brackets.",
                ),
                strict=True,
            )
        ]
        for number in (1, 2)
    },
    **{
        f"{each.name}.csv": [(name, "string", "") for name in each.header]
        for each in VOCABULARIES.values()
    },
}
"""The columns of each file that is a table, with type and meaning; the first is the key."""
FORMATS_OF_NO_TABLE: Final[Mapping[str, str]] = {
    "application/x-ndjson": "jsonlines",
    "application/schema+json": "jsonschema",
}
"""Formats of files that programs would take for tables, or for their columns, by extension."""


def make_data_package(files: Iterable[DescribedFile], site: str) -> dict[str, Any]:
    """Return the files as a data package, with the columns of those that are tables.

    Each file has licences of its own; the package as a whole only refers to the page about them.
    """
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "urn-namespaces",
        "id": f"{site}/exports/#registry",
        "title": "URN namespaces",
        "description": "The registered URN namespaces (RFC 8141).",
        "homepage": f"{site}/exports/",
        "licenses": list_package_licences(LicenceKind.MIXED, site),
        "keywords": list(IDENTIFIER_KEYWORDS),
        "contributors": [
            {"title": "URN Namespace Registry", "path": f"{site}/", "roles": ["publisher"]}
        ],
        "resources": [make_data_resource(each, site) for each in files],
    }


def make_data_resource(file: DescribedFile, site: str) -> dict[str, Any]:
    """Return one file as a resource of the data package."""
    extension = file.name.rpartition(".")[2]
    told: dict[str, Any] = {
        "name": file.name.lower(),
        "title": file.title,
        "path": f"{site}/exports/{file.name}",
        "mediatype": file.bare_type,
        "format": FORMATS_OF_NO_TABLE.get(file.bare_type, extension),
        "bytes": file.octets,
        "hash": f"sha256:{file.sha256}",
        "licenses": list_package_licences(file.licence_kind, site),
    }
    if file.name in TABLE_FIELDS:
        schema = make_table_schema(file.name)
        told |= {"type": "table", "format": extension, "encoding": "utf-8", "schema": schema}
    return told


def list_package_licences(kind: LicenceKind, site: str) -> list[dict[str, str]]:
    """Return licences as data packages name them; without one, the page that explains the terms.

    A file without would be under those of its package.
    """
    licence = find_file_licence(kind)
    if licence is None:
        return [{"path": str(make_rights_iri(site)), "title": RIGHTS}]
    return [{"name": licence.identifier, "path": licence.url, "title": licence.name}]


def make_table_schema(name: str) -> dict[str, Any]:
    """Return the columns of a file that is a table, as data packages describe them."""
    fields = TABLE_FIELDS[name]
    key = fields[0][0]
    return {
        "fields": [
            {
                "name": column,
                "type": kind,
                **({"description": words} if words else {}),
                "constraints": {"required": column in {key, *REQUIRED_COLUMNS}},
            }
            for column, kind, words in fields
        ],
        "primaryKey": [key],
    }

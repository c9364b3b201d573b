"""The list of files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from registry import urn
from registry.exchange import backup
from registry.exchange.exports import bioregistry, xml_documents
from registry.exchange.exports.builder import (
    ExportFile,
    FileWriter,
    find_last_change,
    find_last_event,
    identify_journal,
    identify_shipped,
)
from registry.exchange.exports.catalogue import (
    DescribedFile,
    describe_catalogue,
    make_data_package,
    make_row_schema,
    write_namespace_rows,
)
from registry.exchange.exports.entries import NamespaceEntries, map_services
from registry.exchange.exports.plain_text import write_zone
from registry.exchange.exports.rdf import RDFNode, write_jsonld, write_ntriples, write_turtle
from registry.exchange.exports.rdf_descriptions import (
    describe_scheme,
    describe_vocabulary,
)
from registry.exchange.exports.vocabularies import (
    VOCABULARIES,
    Vocabulary,
    write_vocabulary_csv,
)
from registry.licences import LicenceKind
from registry.models import BuiltExport
from registry.models.export import DUMP_NAME
from registry.resolution import map_services_in_use
from registry.transparency.file_notes import NOTE_SUFFIX

XML_MEDIA_TYPE: Final = "application/xml; charset=utf-8"
CSV_MEDIA_TYPE: Final = "text/csv; charset=utf-8; header=present"
PLAIN_TEXT_MEDIA_TYPE: Final = "text/plain; charset=utf-8"
TURTLE_MEDIA_TYPE: Final = "text/turtle; charset=utf-8"
JSONLD_MEDIA_TYPE: Final = "application/ld+json"
NDJSON_MEDIA_TYPE: Final = "application/x-ndjson"
NTRIPLES_MEDIA_TYPE: Final = "application/n-triples"
SCHEMA_MEDIA_TYPE: Final = "application/schema+json"
SHIPPED_FILES_FOLDER: Final = Path(__file__).parent
VECTORS_FILE: Final = Path(urn.__file__).parent / "vectors.json"
PLACEHOLDER_SITE: Final = "https://registry.example"
"""Placeholder for the registry's address in files shipped as text."""


def make_shipped_file_writer(name: str) -> FileWriter:
    """Return a function that reads a file of this folder, with the registry's address filled in."""
    return lambda _found: (
        (SHIPPED_FILES_FOLDER / name).read_text("utf-8").replace(PLACEHOLDER_SITE, settings.SITE)
    )


def make_vocabulary_writer(vocabulary: Vocabulary) -> FileWriter:
    """Return a function that writes one of the vocabularies."""
    return lambda _found: write_vocabulary_csv(vocabulary)


def describe_registry(found: NamespaceEntries) -> Iterator[RDFNode]:
    """Yield the whole registry."""
    return describe_scheme(found, settings.SITE, map_services())


def describe_export_files(found: NamespaceEntries) -> Iterator[RDFNode]:
    """Yield all files except those that describe files."""
    return describe_catalogue(list_described_files(), len(found), settings.SITE)


def list_described_files() -> list[DescribedFile]:
    """Return all files except those that describe files, with their descriptions."""
    return [
        DescribedFile(
            name,
            str(EXPORT_FILES[name].title),
            EXPORT_FILES[name].media_type,
            built.size,
            built.sha256,
            built.changed_at,
            EXPORT_FILES[name].licence_kind,
        )
        for name, built in list_built_data_files()
    ]


def write_table(found: NamespaceEntries) -> Iterator[str]:
    """Yield the namespaces as a table, one per line."""
    return write_namespace_rows(
        found, settings.SITE, bioregistry.find_name_pattern, map_services_in_use()
    )


def write_checksums(_found: NamespaceEntries) -> str:
    """Return the digests of all files but this one, in the format of `sha256sum`."""
    checked = list_checked_files()
    digests = {name: built.sha256 for name, built in checked.items()}
    if DUMP_NAME in checked and (note := checked[DUMP_NAME].note):
        digests[DUMP_NAME + NOTE_SUFFIX] = hashlib.sha256(note.encode()).hexdigest()
    return "".join(f"{sha256}  {name}\n" for name, sha256 in digests.items())


def list_built_data_files() -> Iterator[tuple[str, BuiltExport]]:
    """Yield the last builds of the files that do not describe files."""
    current = find_current_builds()
    return (
        (name, current[name])
        for name in EXPORT_FILES
        if name not in DESCRIPTION_FILES and name in current
    )


def find_current_builds() -> dict[str, BuiltExport]:
    """Return the last build of each file, by name; one query."""
    return {built.name: built for built in BuiltExport.objects.order_by("pk")}


def identify_built_files() -> str:
    """Return an identifier for the state of the files that do not describe files."""
    return identify_builds(dict(list_built_data_files()))


def identify_checked_files() -> str:
    """Return an identifier for the state of all files except the checksums."""
    return identify_builds(list_checked_files())


def identify_builds(builds: Mapping[str, BuiltExport]) -> str:
    """Return a digest of these files' digests, dates and notes."""
    told = [(name, built.sha256, built.changed_at, built.note) for name, built in builds.items()]
    return hashlib.sha256(repr(told).encode()).hexdigest()


def list_checked_files() -> dict[str, BuiltExport]:
    """Return the last builds of all files except the checksums, by name."""
    current = find_current_builds()
    return {
        name: current[name] for name in EXPORT_FILES if name in current and name != CHECKSUMS_NAME
    }


CHECKSUMS_NAME: Final = "SHA256SUMS"
DESCRIPTION_FILES: Final = frozenset(
    {"catalogue.ttl", "catalogue.jsonld", "datapackage.json", CHECKSUMS_NAME}
)
EXPORT_FILES: Final = {
    file.name: file
    for file in (
        ExportFile(
            "urn-namespaces.xml",
            _("All namespaces, in IANA's XML"),
            XML_MEDIA_TYPE,
            xml_documents.write_iana_xml,
        ),
        ExportFile(
            "urn-namespaces-1.csv",
            _("The formal namespaces, in IANA's CSV"),
            CSV_MEDIA_TYPE,
            xml_documents.write_formal_csv,
        ),
        ExportFile(
            "urn-namespaces-2.csv",
            _("The informal namespaces, in IANA's CSV"),
            CSV_MEDIA_TYPE,
            xml_documents.write_informal_csv,
        ),
        ExportFile(
            "urn-namespaces.txt",
            _("All namespaces, as plain text"),
            PLAIN_TEXT_MEDIA_TYPE,
            xml_documents.write_iana_text,
        ),
        ExportFile(
            "bioregistry.json",
            _("All namespaces, as Bioregistry's programs read a registry"),
            "application/json",
            lambda found: bioregistry.write_stable_json(
                bioregistry.make_bioregistry(found, settings.SITE)
            ),
        ),
        ExportFile(
            "prefixes.epm.json",
            _("NIDs as an extended prefix map, without those that are URI schemes"),
            "application/json",
            lambda found: bioregistry.write_stable_json(
                bioregistry.make_extended_prefix_map(bioregistry.leave_out_schemes(found))
            ),
        ),
        ExportFile(
            "prefixes-all.epm.json",
            _("All NIDs as an extended prefix map"),
            "application/json",
            lambda found: bioregistry.write_stable_json(
                bioregistry.make_extended_prefix_map(found)
            ),
        ),
        ExportFile(
            "context.jsonld",
            _("NIDs as a JSON-LD context, without those that are URI schemes"),
            JSONLD_MEDIA_TYPE,
            lambda found: bioregistry.write_stable_json(
                bioregistry.make_jsonld_context(bioregistry.leave_out_schemes(found))
            ),
        ),
        ExportFile(
            "context-all.jsonld",
            _("All NIDs as a JSON-LD context"),
            JSONLD_MEDIA_TYPE,
            lambda found: bioregistry.write_stable_json(bioregistry.make_jsonld_context(found)),
        ),
        ExportFile(
            "registry.jsonld",
            _("All namespaces as a graph, in JSON-LD"),
            JSONLD_MEDIA_TYPE,
            lambda found: write_jsonld(describe_registry(found), settings.SITE),
        ),
        ExportFile(
            "registry.ttl",
            _("All namespaces as a graph, in Turtle"),
            TURTLE_MEDIA_TYPE,
            lambda found: write_turtle(describe_registry(found), settings.SITE),
        ),
        ExportFile(
            "registry.nt",
            _("All namespaces as a graph, in N-Triples"),
            NTRIPLES_MEDIA_TYPE,
            lambda found: write_ntriples(describe_registry(found), settings.SITE),
        ),
        ExportFile(
            "namespaces.jsonl",
            _("All namespaces as a table, one a line"),
            NDJSON_MEDIA_TYPE,
            write_table,
        ),
        ExportFile(
            "namespaces.schema.json",
            _("What a line of namespaces.jsonl looks like, in JSON Schema"),
            SCHEMA_MEDIA_TYPE,
            lambda _found: bioregistry.write_stable_json(make_row_schema(settings.SITE)),
        ),
        ExportFile(
            "registry-dump.schema.json",
            _("What a line of registry-dump.jsonl looks like, in JSON Schema"),
            SCHEMA_MEDIA_TYPE,
            lambda _found: bioregistry.write_stable_json(backup.make_dump_schema(settings.SITE)),
            identify=identify_shipped,
        ),
        ExportFile(
            "urn.arpa.zone",
            _("All namespaces as NAPTR records, a zone of the DNS"),
            "text/dns",
            lambda found: write_zone(
                found, settings.SITE, find_last_change(), map_services_in_use()
            ),
        ),
        *(
            ExportFile(f"{each.name}.csv", each.title, CSV_MEDIA_TYPE, make_vocabulary_writer(each))
            for each in VOCABULARIES.values()
        ),
        ExportFile(
            "vocabulary.ttl",
            _("Our own words in graphs"),
            TURTLE_MEDIA_TYPE,
            lambda _found: write_turtle(describe_vocabulary(settings.SITE), settings.SITE),
            identify=identify_shipped,
        ),
        ExportFile(
            "vocabulary.jsonld",
            _("Our own words in graphs, in JSON-LD"),
            JSONLD_MEDIA_TYPE,
            lambda _found: write_jsonld(describe_vocabulary(settings.SITE), settings.SITE),
            identify=identify_shipped,
        ),
        ExportFile(
            "shapes.ttl",
            _("What our graphs look like, in SHACL"),
            TURTLE_MEDIA_TYPE,
            make_shipped_file_writer("shapes.ttl"),
            identify=identify_shipped,
        ),
        ExportFile(
            "urn-namespaces.rng",
            _("What urn-namespaces.xml looks like, in RELAX NG"),
            "application/xml",
            make_shipped_file_writer("urn-namespaces.rng"),
            identify=identify_shipped,
        ),
        ExportFile(
            "urn-registry.rng",
            _("What the .xml of a page looks like, in RELAX NG"),
            "application/xml",
            make_shipped_file_writer("urn-registry.rng"),
            identify=identify_shipped,
        ),
        ExportFile(
            "urn-vectors.json",
            _("Test vectors for libraries of URNs and URIs, each with its section"),
            "application/json",
            lambda _found: VECTORS_FILE.read_text("utf-8"),
            identify=identify_shipped,
        ),
        ExportFile(
            DUMP_NAME,
            _("Everything public, to start a copy of the registry"),
            NDJSON_MEDIA_TYPE,
            lambda _found: backup.write_backup(backup.BackupExtent.PUBLIC),
            find_last_event,
            identify_journal,
            LicenceKind.MIXED,
        ),
        ExportFile(
            "catalogue.jsonld",
            _("These files as a DCAT catalogue, in JSON-LD"),
            JSONLD_MEDIA_TYPE,
            lambda found: write_jsonld(describe_export_files(found), settings.SITE),
            identify=identify_built_files,
        ),
        ExportFile(
            "catalogue.ttl",
            _("These files as a DCAT catalogue, in Turtle"),
            TURTLE_MEDIA_TYPE,
            lambda found: write_turtle(describe_export_files(found), settings.SITE),
            identify=identify_built_files,
        ),
        ExportFile(
            "datapackage.json",
            _("These files as a data package, with the columns of the table"),
            "application/json",
            lambda _found: bioregistry.write_stable_json(
                make_data_package(list_described_files(), settings.SITE)
            ),
            identify=identify_built_files,
        ),
        ExportFile(
            CHECKSUMS_NAME,
            _("The SHA-256 of each of these files"),
            PLAIN_TEXT_MEDIA_TYPE,
            write_checksums,
            identify=identify_checked_files,
        ),
    )
}

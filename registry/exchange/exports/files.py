"""Which files there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from registry.exchange import backup
from registry.exchange.exports import bioregistry, xml_documents
from registry.exchange.exports.builder import (
    BuiltFile,
    ExportFile,
    FileWriter,
    ensure_built,
    find_last_change,
    find_last_event,
)
from registry.exchange.exports.entries import NamespaceEntry
from registry.exchange.exports.plain_text import write_zone
from registry.exchange.exports.rdf import RDFNode, write_jsonld, write_turtle
from registry.exchange.exports.rdf_descriptions import (
    DescribedFile,
    describe_catalogue,
    describe_scheme,
    describe_vocabulary,
)
from registry.exchange.exports.vocabularies import (
    VOCABULARIES,
    Vocabulary,
    write_vocabulary_csv,
)

XML_MEDIA_TYPE: Final = "application/xml; charset=utf-8"
CSV_MEDIA_TYPE: Final = "text/csv; charset=utf-8; header=present"
PLAIN_TEXT_MEDIA_TYPE: Final = "text/plain; charset=utf-8"
TURTLE_MEDIA_TYPE: Final = "text/turtle; charset=utf-8"
JSONLD_MEDIA_TYPE: Final = "application/ld+json"
NDJSON_MEDIA_TYPE: Final = "application/x-ndjson"
SHIPPED_FILES_FOLDER: Final = Path(__file__).parent
PLACEHOLDER_SITE: Final = "https://registry.example"
"""In files that are kept as text, this stands for the address of the registry."""


def make_shipped_file_writer(name: str) -> FileWriter:
    """Return what reads a file of this folder, with the address of the registry in it."""
    return lambda _found: (
        (SHIPPED_FILES_FOLDER / name).read_text("utf-8").replace(PLACEHOLDER_SITE, settings.SITE)
    )


def make_vocabulary_writer(vocabulary: Vocabulary) -> FileWriter:
    """Return what writes one of the registries of words."""
    return lambda _found: write_vocabulary_csv(vocabulary)


def describe_registry(found: Sequence[NamespaceEntry]) -> Iterator[RDFNode]:
    """Yield the whole registry."""
    return describe_scheme(found, settings.SITE)


def describe_export_files(found: Sequence[NamespaceEntry]) -> Iterator[RDFNode]:
    """Yield all files but those that describe files."""
    files = [
        DescribedFile(
            name,
            str(EXPORT_FILES[name].title),
            EXPORT_FILES[name].media_type,
            built.size,
            built.sha256,
            built.changed_at,
        )
        for name, built in list_built_data_files()
    ]
    return describe_catalogue(files, len(found), settings.SITE)


def write_checksums(_found: Sequence[NamespaceEntry]) -> str:
    """Return the digests of all files but those that describe files, as `sha256sum` reads them."""
    return "".join(f"{built.sha256}  {name}\n" for name, built in list_built_data_files())


def list_built_data_files() -> Iterator[tuple[str, BuiltFile]]:
    """Yield the files that do not describe files, as they are now."""
    return (
        (name, ensure_built(file))
        for name, file in EXPORT_FILES.items()
        if name not in DESCRIPTION_FILES
    )


DESCRIPTION_FILES: Final = frozenset({"catalogue.ttl", "catalogue.jsonld", "SHA256SUMS"})
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
            lambda found: bioregistry.dump_stable_json(
                bioregistry.make_bioregistry(found, settings.SITE)
            ),
        ),
        ExportFile(
            "prefixes.epm.json",
            _("NIDs as an extended prefix map"),
            "application/json",
            lambda found: bioregistry.dump_stable_json(bioregistry.make_extended_prefix_map(found)),
        ),
        ExportFile(
            "context.jsonld",
            _("NIDs as a JSON-LD context"),
            JSONLD_MEDIA_TYPE,
            lambda found: bioregistry.dump_stable_json(bioregistry.make_jsonld_context(found)),
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
            "urn.arpa.zone",
            _("All namespaces as NAPTR records, a zone of the DNS"),
            "text/dns",
            lambda found: write_zone(found, settings.SITE, find_last_change()),
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
        ),
        ExportFile(
            "shapes.ttl",
            _("What our graphs look like, in SHACL"),
            TURTLE_MEDIA_TYPE,
            make_shipped_file_writer("shapes.ttl"),
        ),
        ExportFile(
            "urn-namespaces.rng",
            _("What urn-namespaces.xml looks like, in RELAX NG"),
            "application/xml",
            make_shipped_file_writer("urn-namespaces.rng"),
        ),
        ExportFile(
            "urn-registry.rng",
            _("What the .xml of a page looks like, in RELAX NG"),
            "application/xml",
            make_shipped_file_writer("urn-registry.rng"),
        ),
        ExportFile(
            "registry-dump.jsonl",
            _("All that everybody may read, as manage.py load_dump restores it"),
            NDJSON_MEDIA_TYPE,
            lambda _found: backup.write_backup(backup.BackupExtent.PUBLIC),
            find_last_event,
        ),
        ExportFile(
            "catalogue.jsonld",
            _("These files as a DCAT catalogue, in JSON-LD"),
            JSONLD_MEDIA_TYPE,
            lambda found: write_jsonld(describe_export_files(found), settings.SITE),
        ),
        ExportFile(
            "catalogue.ttl",
            _("These files as a DCAT catalogue, in Turtle"),
            TURTLE_MEDIA_TYPE,
            lambda found: write_turtle(describe_export_files(found), settings.SITE),
        ),
        ExportFile(
            "SHA256SUMS",
            _("The SHA-256 of each of these files"),
            PLAIN_TEXT_MEDIA_TYPE,
            write_checksums,
        ),
    )
}

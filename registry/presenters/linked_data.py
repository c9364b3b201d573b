"""Embedded data for search engines about lists and files, in schema.org's vocabulary."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from registry.exchange.exports import DESCRIPTION_FILES, ExportFile
from registry.licences import get_data_licence
from registry.models import BuiltExport

SCHEMA_ORG: Final = "https://schema.org"
PUBLISHER_NAME: Final = "URN Namespace Registry"


def name_term_set(site: str) -> dict[str, object]:
    """Return the set of all namespaces as each of its terms refers to it, with its licence."""
    address = f"{site}{reverse('namespaces:index')}"
    return {
        "@type": "DefinedTermSet",
        "@id": address,
        "name": "URN namespaces",
        "url": address,
        "license": get_data_licence().url,
    }


def describe_term_set(site: str) -> dict[str, object]:
    """Return the set of all namespaces: what it is, its publisher and its licence."""
    return {
        "@context": SCHEMA_ORG,
        **name_term_set(site),
        "description": _("The identifiers that may follow urn:, registered by RFC 8141."),
        "inLanguage": "en",
        "publisher": name_publisher(site),
    }


def describe_dataset(
    files: Iterable[tuple[ExportFile, BuiltExport | None]], site: str
) -> dict[str, object]:
    """Return the registry as a data set, with the catalogue's files that have been built.

    Files that only describe files, such as their digests, are no form of the data.
    """
    built = [(file, last) for file, last in files if last and file.name not in DESCRIPTION_FILES]
    changed = max((last.changed_at for _file, last in built if last.changed_at), default=None)
    address = f"{site}{reverse('exports:index')}"
    said: dict[str, object] = {
        "@context": SCHEMA_ORG,
        "@type": "Dataset",
        "@id": f"{address}#registry",
        "url": address,
        "name": "URN namespaces",
        "description": _(
            "The registered URN namespaces (RFC 8141): their identifiers, what their names "
            "identify, who holds them, and their documents of record."
        ),
        "keywords": ["URN", "RFC 8141", "persistent identifiers", "namespaces"],
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "license": get_data_licence().url,
        "creator": name_publisher(site),
        "dateModified": changed.isoformat() if changed else None,
        "distribution": [describe_download(file, last, site) for file, last in built],
    }
    return {name: value for name, value in said.items() if value}


def describe_download(file: ExportFile, built: BuiltExport, site: str) -> dict[str, object]:
    """Return one file as a download of the data."""
    return {
        "@type": "DataDownload",
        "name": file.name,
        "description": str(file.title),
        "contentUrl": f"{site}{reverse('exports:file', args=[file.name])}",
        "encodingFormat": file.media_type.partition(";")[0],
        "contentSize": f"{built.size} B",
    }


def name_publisher(site: str) -> dict[str, object]:
    """Return the publisher of the data."""
    return {
        "@type": "Organization",
        "name": PUBLISHER_NAME,
        "url": f"{site}{reverse('guide:about')}",
    }


def write_linked_data(said: Mapping[str, object]) -> SafeString:
    """Return linked data as embedded in a page: data, which browsers do not execute.

    Anything that could end the element, such as `</script>`, is escaped as JSON allows.
    """
    text = json.dumps(said, ensure_ascii=False).translate(
        {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}
    )
    return format_html('<script type="application/ld+json">{}</script>', SafeString(text))

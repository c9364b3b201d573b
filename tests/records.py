"""Documents of record for tests: fictional, in the format of RFCs and of IANA's pages."""

from __future__ import annotations

import re
from pathlib import Path

from registry.exchange.records import FolderLibrary, ImportOutcome, import_records
from registry.models import Namespace, Provenance
from tests.factories import NamespaceFactory

FIXTURES = Path(__file__).parent / "template" / "fixtures"
DOCUMENTS = {
    "rfc9999.txt": "older_in_an_rfc.txt",
    "rfc9998.txt": "several_in_an_rfc.txt",
    "rfc9997.txt": "update_in_an_rfc.txt",
    "urn-formal/clasp": "grammar_in_abnf.txt",
}
"""The fixture for each path in a folder of copies."""


def copy_documents(folder: Path) -> Path:
    """Write the documents into a folder, as a mirror has them; return the folder.

    RFCs have a form feed at the end of each page, which the fixtures leave out.
    """
    for path, fixture in DOCUMENTS.items():
        text = (FIXTURES / fixture).read_text("utf-8")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(re.sub(r"(\[Page \d+\]\n)\n", "\\1\f\n", text), "utf-8")
    return folder


def make_imported_namespace(nid: str, *references: str, template_url: str = "") -> Namespace:
    """Return a namespace that was registered elsewhere, by these documents of record."""
    namespace = NamespaceFactory.create(nid=nid, references=list(references))
    Provenance.objects.create(
        namespace=namespace, source="A list", is_verified=True, template_url=template_url
    )
    return namespace


def import_from(folder: Path, *nids: str, dry_run: bool = False) -> list[ImportOutcome]:
    """Import the records of these namespaces, or of all, from a folder."""
    namespaces = Namespace.objects.select_related("provenance").order_by("nid")
    wanted = namespaces.filter(nid__in=nids) if nids else namespaces
    return list(import_records(wanted, FolderLibrary(folder), dry_run=dry_run))

"""Files to load, valid ones unless a test changes them, and what a load could change."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from registry.exchange import seed
from registry.models import (
    Counter,
    Event,
    Namespace,
    Organization,
    Provenance,
    ReservedName,
    ResolutionService,
    ServiceDesignator,
)

ORCHARD = {
    "nid": "Orchard",
    "kind": "formal",
    "reference": "RFC9901, RFC Errata 12",
    "registered": "2011-04",
    "template_url": "https://registry.example/orchard",
    "registrant_organization": "Orchard Society",
    "purpose_hint": "apple trees",
    "background": "RFC 9901 is Historic.",
    "confidence": "seen",
}
SEVENTH = {
    "nid": "urn-7",
    "kind": "informal",
    "reference": "",
    "registered": "",
    "template_url": "",
    "registrant_organization": "",
    "purpose_hint": "",
    "background": "",
    "confidence": "memory",
}
ORCHARD_FROM = {
    "nid": "orchard",
    "kind": "formal",
    "registered_source": "rfc-month-memory",
    "template_url_source": "seen",
    "template_version": "2.1",
    "template_date": "2010-12-01",
    "template_generation": "3406",
    "working_note": "shares its RFC",
}
SEVENTH_FROM = {
    "nid": "urn-7",
    "kind": "informal",
    "registered_source": "none",
    "template_url_source": "",
    "template_version": "",
    "template_date": "",
    "template_generation": "",
    "working_note": "",
}

Rows = list[dict[str, str]]


def written(rows: Rows) -> str:
    """Return `rows` as a file of comma-separated values."""
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


class Files:
    """The two files of a load, valid unless a test changes them."""

    def __init__(self, folder: Path) -> None:
        self.namespaces = folder / "names.csv"
        self.provenance = folder / "from.csv"
        self.write()

    def write(self, rows: Rows | None = None, others: Rows | None = None) -> None:
        """Write both files."""
        self.namespaces.write_text(written(rows or [ORCHARD, SEVENTH]), encoding="utf-8")
        self.provenance.write_text(written(others or [ORCHARD_FROM, SEVENTH_FROM]), "utf-8")

    def load(self) -> str:
        """Load them; return the result in words."""
        entries = seed.read_namespaces(self.namespaces, self.provenance)
        return str(seed.load_namespaces(entries, "a test"))

    def refusal(self) -> list[str]:
        """Load them, which must be refused; return the errors."""
        with pytest.raises(seed.InvalidSeedFiles) as caught:
            self.load()
        return [str(defect) for defect in caught.value.defects]


def everything() -> list[Any]:
    """Return everything that a load could change."""
    models = (
        Namespace,
        Provenance,
        Organization,
        ReservedName,
        ResolutionService,
        ServiceDesignator,
        Event,
        Counter,
    )
    return [list(model.objects.order_by("pk").values()) for model in models]

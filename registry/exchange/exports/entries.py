"""What exports say about each namespace, read once for all formats."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from django.db.models import Max, Prefetch

from registry import selectors
from registry.batches import iterate_in_chunks
from registry.enums import NamespaceKind
from registry.models import Event, ImportedRecord, Namespace, Registration, ResolutionService
from registry.models.namespace import NamespaceQuerySet
from registry.namespace_rules import find_namespace_rule
from registry.selectors.imported_records import (
    ImportedTemplate,
    combine_records,
    list_imported_records,
)
from registry.template import Template

RFC_REFERENCE: Final = re.compile(r"RFC ?([0-9]+)", re.IGNORECASE)
VERSION_COLUMNS: Final = (
    "namespace_id",
    "number",
    "registered_on",
    "sha256",
    "examples",
    "grammar",
    "grammar_kind",
    "grammar_start",
    "equivalence",
    "text_licence",
    "registration_request_id",
)
"""The columns read of the versions of many namespaces."""
RECORD_COLUMNS: Final = ("namespace_id", "number", "examples", "document__name")
"""The columns read of the imported records of many namespaces."""


@dataclass(frozen=True)
class NamespaceEntry:
    """One namespace, with its published versions, newest first.

    `records` are what was read of its documents of record, newest reading first; `services` are its
    resolution services in use, best first. `changed_at` is when anything of this last changed.
    """

    namespace: Namespace
    versions: tuple[Registration, ...]
    records: tuple[ImportedRecord, ...] = ()
    services: tuple[ResolutionService, ...] = ()
    changed_at: datetime.datetime | None = None

    @property
    def nid(self) -> str:
        """The NID in the form in which it is compared."""
        return self.namespace.nid

    @property
    def is_informal(self) -> bool:
        """Whether the registry numbered it (RFC 8141, section 5.2)."""
        return self.namespace.kind == NamespaceKind.INFORMAL

    @property
    def current(self) -> Registration | None:
        """The version in force, or None if we do not hold its text."""
        return self.versions[0] if self.versions else None

    @property
    def version(self) -> int | None:
        """The number of the version in force, or None if we do not hold its text."""
        return self.current.number if self.current else None

    @cached_property
    def imported(self) -> ImportedTemplate | None:
        """What its documents of record say together, or None if none was read."""
        return combine_records(self.namespace, self.records)

    @property
    def template(self) -> Template | None:
        """The text of the version in force, else the imported one; None if we hold neither."""
        if self.current:
            return self.current.template
        return self.imported.template if self.imported else None

    @property
    def registrant(self) -> str:
        """The registrant body; empty if unknown."""
        return str(self.namespace.registrant or "")

    @property
    def references(self) -> tuple[str, ...]:
        """The documents of record, RFCs as `RFC8141`."""
        return tuple(RFC_REFERENCE.sub(r"RFC\1", each) for each in self.namespace.references)

    @property
    def template_path(self) -> str:
        """Where IANA's layout has the template's text: a version published here, or IANA's own
        copy, as the facts say or a reading found. Empty if an RFC has the text.
        """
        path = f"{'urn-informal' if self.is_informal else 'urn-formal'}/{self.nid}"
        provenance = getattr(self.namespace, "provenance", None)
        is_known = bool(provenance and provenance.template_url)
        was_read = any(each.document.name == path for each in self.records)
        return path if self.current or is_known or was_read else ""

    @property
    def registered_on(self) -> str:
        """When it was registered, as precisely as known: `2004-05-06`, `2004-05` or empty."""
        return self.namespace.registered_on

    @property
    def updated_on(self) -> datetime.date:
        """When the registry last changed what it says about it."""
        return self.namespace.updated_at.date()

    @cached_property
    def example(self) -> str:
        """One URN of the namespace, from its template or its rule; empty if none is known."""
        if self.current and self.current.examples:
            return str(self.current.examples[0])
        held = find_namespace_rule(self.nid)
        if held and held.examples:
            return f"urn:{self.nid}:{held.examples[0]}"
        imported = (str(name) for record in self.records for name in record.examples)
        return next(imported, "")


@dataclass(frozen=True, slots=True)
class NamespaceEntries:
    """Entries of namespaces, read in chunks, and anew each time they are iterated.

    Three queries for each chunk; the texts of the templates are not read.
    """

    rows: NamespaceQuerySet

    def __len__(self) -> int:
        return self.rows.count()

    def __iter__(self) -> Iterator[NamespaceEntry]:
        versions = Registration.objects.order_by("-number").only(*VERSION_COLUMNS)
        records = ImportedRecord.objects.select_related("document").only(*RECORD_COLUMNS)
        held = self.rows.prefetch_related(
            Prefetch("registrations", versions),
            Prefetch("imported_records", records.order_by("-number")),
        )
        for each in iterate_in_chunks(held):
            yield NamespaceEntry(
                each, tuple(each.registrations.all()), tuple(each.imported_records.all())
            )

    def filter_formal(self) -> NamespaceEntries:
        return NamespaceEntries(self.rows.exclude(kind=NamespaceKind.INFORMAL))

    def filter_informal(self) -> NamespaceEntries:
        return NamespaceEntries(self.rows.filter(kind=NamespaceKind.INFORMAL))

    def find_latest_day(self) -> datetime.date | None:
        """Return the day on which any of them last changed, or None."""
        latest: datetime.datetime | None = self.rows.aggregate(at=Max("updated_at"))["at"]
        return latest.date() if latest else None


def list_entries(found: NamespaceQuerySet | None = None) -> NamespaceEntries:
    """Return the namespaces `found`, or all: formal ones by NID, then informal ones by number."""
    if found is None:
        found = selectors.namespaces_for_lists().order_by("kind", "informal_number", "nid")
    return NamespaceEntries(found)


def map_services() -> dict[int, list[ResolutionService]]:
    """Return the services in use by the key of their namespace, best first; one query."""
    found: dict[int, list[ResolutionService]] = {}
    for each in ResolutionService.objects.in_use().order_by("namespace", "priority", "pk"):
        found.setdefault(each.namespace_id, []).append(each)
    return found


def make_entry(namespace: Namespace) -> NamespaceEntry:
    """Return one namespace with its services, versions and records, including their texts."""
    return NamespaceEntry(
        namespace,
        tuple(selectors.list_versions(namespace)),
        tuple(list_imported_records(namespace)),
        tuple(namespace.services.in_use().order_by("priority", "pk")),
    )


def read_entry(nid: str) -> NamespaceEntry | None:
    """Return the namespace of a canonical NID with its texts; None if nobody registered it."""
    namespace = selectors.find_namespace(nid)
    if namespace is None:
        return None
    entry = make_entry(namespace)
    acts = Event.objects.filter(namespace=namespace).order_by("-number")
    acted_at = acts.values_list("at", flat=True).first()
    moments = (namespace.updated_at, acted_at, *(each.probed_at for each in entry.services))
    return replace(entry, changed_at=max(filter(None, moments)))


find_entry: Final = selectors.VersionMemory(read_entry)
"""Returns the same from memory."""

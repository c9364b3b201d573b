"""Imported records: the latest reading of each document, and what they say together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from registry.models import ImportedRecord, Namespace, RecordContact, Registration
from registry.template import Template
from registry.template.reading import parse_registrant

WHOLE_NUMBER: Final = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class ImportedTemplate:
    """What the documents of record of a namespace say together.

    `base` has the whole template; `updates` replace single fields of it, the last one wins.
    """

    base: ImportedRecord
    updates: tuple[ImportedRecord, ...] = ()

    @property
    def records(self) -> tuple[ImportedRecord, ...]:
        """The records it is composed of."""
        return (self.base, *self.updates)

    @cached_property
    def sources(self) -> dict[str, ImportedRecord]:
        """The record that each field is taken from, if any."""
        found: dict[str, ImportedRecord] = {}
        for record in self.records:
            values = record.template.to_dict()
            found |= {name: record for name, value in values.items() if value}
        return found

    @cached_property
    def template(self) -> Template:
        """The fields as understood, each from the last record that mentions it."""
        said = {name: getattr(record, name) for name, record in self.sources.items()}
        return Template.from_dict(said)

    @property
    def grammar_kind(self) -> str:
        """The kind of the grammar, empty if none was found."""
        return self.template.grammar_kind

    @property
    def grammar_record(self) -> ImportedRecord:
        """The record that states the grammar; the whole template if none does."""
        return self.sources.get("grammar", self.base)

    @property
    def doubts(self) -> list[str]:
        """What a person should look at, in any of the records."""
        return [doubt for record in self.records for doubt in record.doubts]

    @property
    def version(self) -> str:
        """The version that the documents state, as they write it."""
        return self.template.version

    @property
    def rule_document(self) -> str:
        """The document to cite for its grammar."""
        return f"{self.grammar_record.document}, as read by this registry"


def list_imported_records(namespace: Namespace) -> list[ImportedRecord]:
    """Return the records of a namespace with their documents, the newest reading first."""
    records = namespace.imported_records.select_related("document").defer("document__text")
    return list(records.order_by("-number"))


def find_imported_template(namespace: Namespace) -> ImportedTemplate | None:
    """Return what the documents of record of a namespace say; None if none was read."""
    return combine_records(namespace, list_imported_records(namespace))


def find_text_in_force(namespace: Namespace) -> Template | None:
    """Return the text of the version in force, else what was imported; None without either."""
    current = namespace.current
    if current:
        return current.template
    imported = find_imported_template(namespace)
    return imported.template if imported else None


def map_imported_templates(
    namespaces: Iterable[Namespace] | None = None,
) -> dict[str, ImportedTemplate]:
    """Return what documents of record say, by the NIDs of their namespaces, in one query.

    For `namespaces`, or for all.
    """
    every = ImportedRecord.objects.select_related("namespace", "document").defer(
        "text", "document__text"
    )
    if namespaces is not None:
        every = every.filter(namespace__in=[each.pk for each in namespaces])
    found: dict[str, list[ImportedRecord]] = {}
    for record in every.order_by("-number"):
        found.setdefault(record.namespace.nid, []).append(record)
    combined = {nid: combine_records(each[0].namespace, each) for nid, each in found.items()}
    return {nid: each for nid, each in combined.items() if each}


def list_newest_records() -> list[ImportedRecord]:
    """Return the newest reading of each document for each namespace, without the texts."""
    later = ImportedRecord.objects.filter(
        namespace=OuterRef("namespace"),
        document__name=OuterRef("document__name"),
        number__gt=OuterRef("number"),
    )
    newest = ImportedRecord.objects.filter(~Exists(later)).defer("text", "document__text")
    return list(newest.select_related("namespace", "document").order_by("namespace__nid", "number"))


def count_doubtful_records() -> int:
    """Return how many of the newest readings a person should look at."""
    return sum(bool(each.doubts) for each in list_newest_records())


def combine_records(
    namespace: Namespace, records: Iterable[ImportedRecord]
) -> ImportedTemplate | None:
    """Return what records say together, given the newest reading first.

    The newest reading of each document counts. The template is that of the document with the
    highest version; if these are equal, IANA's own page comes before an RFC, and later references
    before earlier ones.
    """
    latest: dict[str, ImportedRecord] = {}
    for record in records:
        latest.setdefault(record.document.name, record)
    whole = [each for each in latest.values() if not each.is_update]
    if not whole:
        return None
    order = order_documents(namespace)
    base = max(whole, key=lambda each: rank_record(each, order))
    place = order.get(base.document.name, len(order))
    updates = [
        each
        for each in latest.values()
        if each.is_update and order.get(each.document.name, -1) > place
    ]
    return ImportedTemplate(
        base, tuple(sorted(updates, key=lambda each: order.get(each.document.name, 0)))
    )


def order_documents(namespace: Namespace) -> dict[str, int]:
    """Return the place of each RFC and address among the references of a namespace."""
    names = (re.sub(r"(?i)^RFC[ -]?0*", "RFC ", each.strip()) for each in namespace.references)
    return {name: place for place, name in enumerate(names)}


def rank_record(record: ImportedRecord, order: dict[str, int]) -> tuple[bool, int, bool, int, int]:
    """Return the key by which the document with the template is chosen."""
    version = WHOLE_NUMBER.match(record.version)
    return (
        bool(record.nid),
        int(version.group()) if version else 0,
        record.document.name.startswith("urn-"),
        order.get(record.document.name, -1),
        record.number,
    )


def list_record_contacts(record: ImportedRecord) -> Sequence[str]:
    """Return the mail addresses that a record gives under Registrant, as printed there.

    Only for the registrar: nobody has confirmed that they are in use, or whose they are.
    """
    return parse_registrant(record.registrant).emails


def find_confirmed_addresses(namespace: Namespace) -> list[str]:
    """Return the addresses that the registrar confirmed: they are notified of requests."""
    confirmed = RecordContact.objects.filter(namespace=namespace)
    return list(confirmed.values_list("address", flat=True))


def namespaces_without_text() -> QuerySet[Namespace]:
    """Return the namespaces for which we have neither a version nor an imported record."""
    return Namespace.objects.filter(
        ~Exists(Registration.objects.filter(namespace=OuterRef("pk"))),
        ~Exists(ImportedRecord.objects.filter(namespace=OuterRef("pk"))),
    ).order_by("nid")

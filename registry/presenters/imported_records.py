"""What was read from documents of record, as pages show it: field by field, with the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from registry.exchange.records import list_published_documents
from registry.models import DocumentSource, ImportedRecord, Namespace, RecordContact, Registration
from registry.models.record import join_span
from registry.selectors.imported_records import (
    ImportedTemplate,
    combine_records,
    list_newest_records,
    list_record_contacts,
    namespaces_without_text,
)
from registry.template import PAGES, SectionDiff, Template, diff, field as template_field, unchanged
from registry.template.fields import SUBFIELDS

FIELDS_OF_THE_REGISTRY = ("version", "date")
"""Fields that differ in every version and so do not show what changed."""


@dataclass(frozen=True, slots=True)
class ImportedField:
    """One field as understood: its text, the record that has it, and the place in the document."""

    name: str
    label: str
    value: str
    record: ImportedRecord

    @property
    def parts(self) -> list[str]:
        """The document's labels for it, and its lines."""
        told: Sequence[dict[str, Any]] = self.told.get("parts", ())
        return [f"“{each['label']}”, {label_lines(each['first'], each['last'])}" for each in told]

    @property
    def remarks(self) -> list[str]:
        """Notes for people on how it was understood."""
        return list(self.told.get("remarks", ()))

    @property
    def told(self) -> dict[str, Any]:
        """What the record says about its place."""
        told: dict[str, Any] = self.record.field_sources.get(self.name, {})
        return told

    @property
    def is_corrected(self) -> bool:
        """Whether a person corrected how it is understood."""
        return self.name in self.record.corrected_fields


@dataclass(frozen=True, slots=True)
class ImportedSection:
    """A part of a template as the editor divides it, with its fields that are not empty."""

    slug: str
    title: str
    fields: tuple[ImportedField, ...]

    @property
    def lead(self) -> ImportedField:
        """The field that gives the section its text."""
        return self.fields[0]


def label_lines(first: int, last: int) -> str:
    """Return lines of a document, as people write them."""
    words = ngettext("line %(lines)s", "lines %(lines)s", last - first + 1)
    return words % {"lines": join_span(first, last)}


@dataclass(frozen=True)
class ImportedPage:
    """What the documents of record of a namespace, or one record, say."""

    imported: ImportedTemplate

    @classmethod
    def of(cls, namespace: Namespace, records: Iterable[ImportedRecord]) -> ImportedPage | None:
        """Return what `records` say together, or None if they contain no whole template."""
        imported = combine_records(namespace, records)
        return cls(imported) if imported else None

    @property
    def base(self) -> ImportedRecord:
        """The record with the whole template."""
        return self.imported.base

    @property
    def records(self) -> tuple[ImportedRecord, ...]:
        """Every record that it is made of."""
        return self.imported.records

    @cached_property
    def template(self) -> Template:
        """The fields as understood."""
        return self.imported.template

    @cached_property
    def sections(self) -> list[ImportedSection]:
        """The parts of the template that are not empty, in the order of the editor."""
        made = (
            ImportedSection(page.slug, page.title, tuple(self.list_fields(page.fields)))
            for page in PAGES
        )
        return [each for each in made if each.fields]

    def list_fields(self, names: Iterable[str]) -> Iterator[ImportedField]:
        """Yield the fields of these names that are not empty."""
        subfields = {each.name for each in chain.from_iterable(SUBFIELDS.values())}
        for name in names:
            record = self.imported.sources.get(name)
            if record and name not in subfields:
                label = template_field(name).label
                yield ImportedField(name, label, self.template[name], record)

    @property
    def left_over(self) -> list[tuple[ImportedRecord, dict[str, Any]]]:
        """The passages within the templates that belong to no field."""
        return [(record, each) for record in self.records for each in record.left_over]


@dataclass(frozen=True, slots=True)
class ComparedText:
    """One side of a comparison: a published version, or an imported record."""

    shown: Registration | ImportedRecord

    @property
    def is_imported(self) -> bool:
        """Whether it is a record of somebody else's publication."""
        return isinstance(self.shown, ImportedRecord)

    @property
    def key(self) -> str:
        """Its name in addresses: `3` for a version, `r3` for a record."""
        if isinstance(self.shown, ImportedRecord):
            return self.shown.key
        return str(self.shown.number)

    @property
    def label(self) -> str:
        """Its name on pages."""
        if isinstance(self.shown, ImportedRecord):
            said = {"document": self.shown.document.name, "number": self.shown.number}
            return _("%(document)s, record %(number)d") % said
        return _("Version %(number)d") % {"number": self.shown.number}

    @property
    def date(self) -> str:
        """The day of registration, or the date in the record."""
        if isinstance(self.shown, ImportedRecord):
            return self.shown.date
        return self.shown.registered_on.isoformat()

    @property
    def url(self) -> str:
        """Where to read it."""
        return self.shown.get_absolute_url()

    @property
    def template(self) -> Template:
        """Its text, without what differs in every version."""
        return self.shown.template.replace(**dict.fromkeys(FIELDS_OF_THE_REGISTRY, ""))


@dataclass(frozen=True)
class TextComparison:
    """Two texts of a namespace, the older first: what differs, and how many fields do not."""

    old: ComparedText
    new: ComparedText

    @property
    def is_of_versions(self) -> bool:
        """Whether both are versions published here."""
        return not (self.old.is_imported or self.new.is_imported)

    @cached_property
    def texts(self) -> tuple[Template, Template]:
        """Both texts; if a record replaces only some fields, just those are compared."""
        was, now = self.old.template, self.new.template
        for one, is_older in ((self.old.shown, True), (self.new.shown, False)):
            if isinstance(one, ImportedRecord) and one.is_update:
                silent = [name for name in was.to_dict() if not (was if is_older else now)[name]]
                blank = dict.fromkeys(silent, "")
                was, now = was.replace(**blank), now.replace(**blank)
        return was, now

    @cached_property
    def sections(self) -> tuple[SectionDiff, ...]:
        """The fields that differ."""
        return diff(*self.texts)

    @property
    def unchanged(self) -> int:
        """How many fields are the same in both and not empty."""
        was, now = self.texts
        return len([name for name in unchanged(was, now) if was[name]])


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """The latest reading of one document for one namespace, in the registrar's list."""

    record: ImportedRecord

    @property
    def url(self) -> str:
        """Where the registrar looks at it."""
        return reverse("publish:reading", args=[self.record.namespace.nid, self.record.number])

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should look at it."""
        return bool(self.record.doubts)


@dataclass(frozen=True, slots=True)
class MissingText:
    """A namespace without a text, and why the last document could not be read."""

    namespace: Namespace
    problem: str


@dataclass(frozen=True)
class ReadingList:
    """What was read from all documents of record, doubtful readings first, and what is missing."""

    rows: tuple[ReadingRow, ...]
    missing: tuple[MissingText, ...]
    problems: tuple[DocumentSource, ...]

    @classmethod
    def build(cls) -> ReadingList:
        """Return the current list."""
        rows = sorted(
            map(ReadingRow, list_newest_records()),
            key=lambda row: (-len(row.record.doubts), row.record.namespace.nid),
        )
        problems = {each.name: each for each in DocumentSource.objects.exclude(problem="")}
        missing = tuple(
            MissingText(namespace, explain_missing_text(namespace, problems))
            for namespace in namespaces_without_text().select_related("provenance")
        )
        return cls(tuple(rows), missing, tuple(problems.values()))

    @property
    def doubtful(self) -> list[ReadingRow]:
        """The readings that a person should look at."""
        return [row for row in self.rows if row.is_doubtful]

    @property
    def others(self) -> list[ReadingRow]:
        """The readings about which there is no doubt."""
        return [row for row in self.rows if not row.is_doubtful]


def explain_missing_text(namespace: Namespace, problems: Mapping[str, DocumentSource]) -> str:
    """Return why the documents of a namespace could not be read, empty if nobody tried."""
    documents = list_published_documents(namespace)
    return " ".join(problems[each.name].problem for each in documents if each.name in problems)


@dataclass(frozen=True, slots=True)
class GivenContact:
    """An address that a record gives under Registrant, and its confirmation, if any."""

    address: str
    confirmed: RecordContact | None


def list_given_contacts(record: ImportedRecord) -> list[GivenContact]:
    """Return the addresses of a record, for the registrar."""
    confirmed = {each.address: each for each in record.namespace.record_contacts.all()}
    return [
        GivenContact(address, confirmed.get(address)) for address in list_record_contacts(record)
    ]


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line of a document, and whether it belongs to a passage that was not understood."""

    number: int
    text: str
    is_left_over: bool


def number_lines(record: ImportedRecord) -> list[NumberedLine]:
    """Return the text of a record line by line, numbered as in its document."""
    left = [(each["first"], each["last"]) for each in record.left_over]
    return [
        NumberedLine(number, text, any(first <= number <= last for first, last in left))
        for number, text in enumerate(record.text.split("\n"), start=record.first_line)
    ]


def link_comparison(namespace: Namespace, old: ComparedText, new: ComparedText) -> str:
    """Return the page that compares two texts."""
    return reverse("namespaces:compare", args=[namespace.nid, old.key, new.key])

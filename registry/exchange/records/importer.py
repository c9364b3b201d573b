"""Templates in documents of record, read into imported records, which are added to older ones."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.exchange.records.sources import (
    DocumentLibrary,
    DocumentUnavailable,
    FoundDocument,
    PublishedDocument,
    list_published_documents,
)
from registry.grammar import Answer, GrammarSyntaxError, read as read_grammar
from registry.journal.row_digests import NEW_ROW, build_row_key
from registry.models import DocumentSource, ImportedRecord, Namespace, SourceDocument
from registry.permissions import CLOCK
from registry.template import FIELDS, Template, field as template_field
from registry.template.fields import Required
from registry.template.reading import READER_VERSION, FoundGrammar, Reading, read_document
from registry.urn import nid as nids
from registry.workflow.events import record_event

OLDER_GENERATIONS: Final = frozenset({"2611", "3406"})
FIELDS_NOT_IN_OLDER_TEMPLATES: Final = frozenset({"interoperability"})
"""RFC 2611 and RFC 3406 do not ask for these, so they are not missing there."""
MAX_PROBLEM_LENGTH: Final = 300
COMPARED_COLUMNS: Final = (
    "first_line",
    "last_line",
    "sha256",
    "generation",
    "is_update",
    "field_sources",
    "left_over",
    "remarks",
    "doubts",
    "grammar_start",
)
"""What, besides the template, makes one understanding of a text different from another."""


class ImportResult(StrEnum):
    """The outcome for one document and namespace."""

    NEW = "new"
    NEWER = "newer"
    UNCHANGED = "unchanged"
    NO_TEMPLATE = "no template"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """The outcome for one document and namespace; `record` is the one read, or found unchanged."""

    nid: str
    document: str
    result: ImportResult
    record: ImportedRecord | None = None
    problem: str = ""


def import_records(
    namespaces: Iterable[Namespace],
    library: DocumentLibrary,
    *,
    dry_run: bool = False,
    asked_since: datetime.datetime | None = None,
) -> Iterator[ImportOutcome]:
    """Read the documents of record of `namespaces`, one after the other, and yield each outcome.

    Each record is saved on its own, so that the import can be stopped and continued: a document
    that was fetched after `asked_since` is not fetched again. A document that cannot be read
    changes nothing. With `dry_run` nothing is written.
    """
    documents = DocumentReader(library, dry_run=dry_run, asked_since=asked_since)
    for namespace in namespaces:
        for published in list_published_documents(namespace):
            yield import_document(namespace, published, documents, dry_run=dry_run)


def import_document(
    namespace: Namespace,
    published: PublishedDocument,
    documents: DocumentReader,
    *,
    dry_run: bool,
) -> ImportOutcome:
    """Read the template of `namespace` in one document, and save it if it is new."""
    try:
        document = documents.read(published)
    except DocumentUnavailable as error:
        return ImportOutcome(
            namespace.nid, published.name, ImportResult.UNAVAILABLE, problem=str(error)
        )
    readings = read_document(document.text, namespace.nid)
    if not readings:
        return ImportOutcome(namespace.nid, published.name, ImportResult.NO_TEMPLATE)
    record = read_template_record(namespace, document, readings)
    with transaction.atomic():
        if not dry_run:
            Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
        result = compare_with_known_records(record)
        if result is not ImportResult.UNCHANGED and not dry_run:
            save_record(record)
    return ImportOutcome(namespace.nid, published.name, result, record)


def save_record(record: ImportedRecord) -> None:
    """Save a record under the next number of its namespace, with its event and search entry.

    Call it in a transaction, with the namespace locked.
    """
    numbers = ImportedRecord.objects.filter(namespace=record.namespace)
    record.number = (numbers.aggregate(last=Max("number"))["last"] or 0) + 1
    record.save(force_insert=True)
    told = {
        "record": record.number,
        "document": record.document.name,
        "address": record.document.address,
        "document_sha256": record.document.sha256,
        "sha256": record.sha256,
        "lines": record.lines,
    }
    rows = {build_row_key(record): NEW_ROW}
    if record.corrected_by is None:
        record_event(
            record.namespace,
            actor=CLOCK,
            verb="import_record",
            data=told,
            rows=rows,
            is_silent=True,
        )
        return
    record_event(
        record.namespace,
        actor=record.corrected_by,
        verb="correct_record",
        comment=record.correction_reason,
        data=told | {"fields": record.corrected_fields},
        rows=rows,
    )


def compare_with_known_records(record: ImportedRecord) -> ImportResult:
    """Return whether a reading says anything new, after applying earlier corrections to it.

    A correction applies to the document it was made for: another text is read afresh.
    """
    known = ImportedRecord.objects.filter(
        namespace=record.namespace, document__name=record.document.name
    ).select_related("document")
    latest = known.order_by("-number").first()
    if latest is None:
        return ImportResult.NEW
    same_text = latest.document.sha256 == record.document.sha256
    last_reading = known.filter(corrected_by=None).order_by("-number").first()
    if same_text and last_reading and last_reading.document_id == latest.document_id:
        carry_corrections(last_reading, record)
        if describe_understanding(record) == describe_understanding(last_reading):
            return ImportResult.UNCHANGED
    if same_text:
        carry_corrections(latest, record)
    return ImportResult.NEWER


def carry_corrections(corrected: ImportedRecord, record: ImportedRecord) -> None:
    """Copy each corrected field of the corrected record to `record`."""
    for name in corrected.corrected_fields:
        setattr(record, name, getattr(corrected, name))
    record.corrected_fields = list(corrected.corrected_fields)


def describe_understanding(record: ImportedRecord) -> dict[str, Any]:
    """Return everything understood from a text, for comparison."""
    columns = {name: getattr(record, name) for name in COMPARED_COLUMNS}
    return {**columns, "template": record.template.to_dict()}


@dataclass(slots=True)
class DocumentReader:
    """Reads documents from a library, each once, and stores the content and the responses."""

    library: DocumentLibrary
    dry_run: bool = False
    asked_since: datetime.datetime | None = None
    answers: dict[str, SourceDocument | DocumentUnavailable] = field(default_factory=dict)

    def read(self, published: PublishedDocument) -> SourceDocument:
        """Return a document as it is now; raise `DocumentUnavailable` if it cannot be read."""
        if published.name not in self.answers:
            try:
                self.answers[published.name] = self.ask(published)
            except DocumentUnavailable as error:
                self.answers[published.name] = error
        answer = self.answers[published.name]
        if isinstance(answer, DocumentUnavailable):
            raise answer
        return answer

    def ask(self, published: PublishedDocument) -> SourceDocument:
        """Fetch from the library, and record the response."""
        known = DocumentSource.objects.select_related("document").filter(pk=published.name).first()
        if known and known.document and self.was_asked_lately(known, published):
            return known.document
        try:
            found = self.library.read(published, known)
        except DocumentUnavailable as error:
            self.note_answer(published, known, None, problem=str(error))
            raise
        if found is None:
            assert known, "only what is known can be unchanged"
            assert known.document, "and was read"
            self.note_answer(published, known, None)
            return known.document
        return self.note_answer(published, known, found)

    def was_asked_lately(self, known: DocumentSource, published: PublishedDocument) -> bool:
        """Whether the same place has responded recently enough."""
        return (
            self.asked_since is not None
            and not known.problem
            and known.asked_at >= self.asked_since
            and known.asked_from == self.library.find_location(published)
        )

    def note_answer(
        self,
        published: PublishedDocument,
        known: DocumentSource | None,
        found: FoundDocument | None,
        *,
        problem: str = "",
    ) -> SourceDocument:
        """Record what was found, or why nothing was; return the document as known."""
        now = timezone.now()
        source = known or DocumentSource(name=published.name)
        source.asked_from = self.library.find_location(published)
        source.asked_at, source.problem = now, problem[:MAX_PROBLEM_LENGTH]
        document = source.document
        with transaction.atomic():
            if found:
                document = self.find_or_make_document(published, found, now)
                source.document = document
                source.etag, source.last_modified = found.etag, found.last_modified
            if not self.dry_run:
                source.save()
        return document or SourceDocument(name=published.name)

    def find_or_make_document(
        self, published: PublishedDocument, found: FoundDocument, now: datetime.datetime
    ) -> SourceDocument:
        """Return the row of a text, or a new one if the text is new; unsaved in a dry run."""
        same = SourceDocument.objects.filter(name=published.name, sha256=found.sha256).first()
        if same:
            return same
        document = SourceDocument(
            name=published.name,
            address=published.address,
            read_from=found.read_from,
            sha256=found.sha256,
            text=found.text,
            read_at=now,
        )
        if not self.dry_run:
            document.save(force_insert=True)
        return document


def read_template_record(
    namespace: Namespace, document: SourceDocument, readings: Sequence[Reading]
) -> ImportedRecord:
    """Return what was read from a document as an unsaved record without a number.

    Of several readings the first that names the identifier counts.
    """
    named = [each for each in readings if each.template.nid]
    reading = named[0] if named else readings[0]
    lines = document.text.split("\n")
    first, last = find_template_lines(reading, len(lines))
    text = "\n".join(lines[first - 1 : last])
    grammar = next((each for each in reading.grammars if each.kind), None)
    record = ImportedRecord(
        namespace=namespace,
        document=document,
        read_at=timezone.now(),
        reader=READER_VERSION,
        first_line=first,
        last_line=last,
        first_page=find_page(lines, first),
        last_page=find_page(lines, last),
        text=text,
        sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        generation=reading.generation,
        is_update=reading.is_update,
        field_sources=describe_field_sources(reading),
        left_over=[
            {"first": each.first, "last": each.last, "label": each.label, "text": each.text}
            for each in reading.left_inside
        ],
        remarks=[*reading.remarks, *(grammar.all_remarks if grammar else ())],
        grammar_start=grammar.start[:200] if grammar else "",
    )
    record.template = build_understood_template(reading, grammar)
    record.doubts = list(list_doubts(namespace, reading, record, several=len(named) > 1))
    return record


def find_template_lines(reading: Reading, count: int) -> tuple[int, int]:
    """Return the first and last line of the template; it has at least one."""
    first, last = reading.span
    if not first:
        sources = [source for each in reading.fields for source in each.sources]
        first = min(each.first for each in sources)
        last = max(each.last for each in sources)
    return first, min(last, count)


def find_page(lines: Sequence[str], number: int) -> int:
    """Return the page that a line is on: pages end with a form feed."""
    return 1 + sum("\f" in line for line in lines[: number - 1])


def describe_field_sources(reading: Reading) -> dict[str, Any]:
    """Return by field the labels it was found under, its lines, and notes."""
    return {
        found.name: {
            "parts": [
                {
                    "label": source.label,
                    "old_field": source.old_field,
                    "first": source.first,
                    "last": source.last,
                }
                for source in found.sources
            ],
            "remarks": list(found.remarks),
        }
        for found in reading.fields
    }


def build_understood_template(reading: Reading, grammar: FoundGrammar | None) -> Template:
    """Return the fields as read, with the grammar and the examples found within Syntax."""
    template = reading.template
    if grammar:
        template = template.replace(grammar_kind=grammar.kind, grammar=grammar.grammar)
    return template.replace(examples=reading.examples) if reading.examples else template


def list_doubts(
    namespace: Namespace, reading: Reading, record: ImportedRecord, *, several: bool
) -> Iterator[str]:
    """Yield what a person should check, the worst first."""
    template = record.template
    if several:
        yield _("The document has more than one template for this namespace.")
    if not record.is_update:
        yield from list_missing_fields(reading)
    if words := sum(len(each.text.split()) for each in reading.left_inside):
        yield _("%(words)d words within the template belong to no field.") % {"words": words}
    broken = [each for each in reading.grammars if not each.kind]
    if broken and not record.grammar:
        yield _("The grammar could not be read: %(problem)s") % {"problem": broken[0].problem}
    yield from list_examples_against_grammar(namespace.nid, template)
    known = namespace.last_known_version
    if template.version and known and template.version != known and not record.is_update:
        said = {"text": template.version, "facts": known}
        yield _("The text says version %(text)s, the facts say %(facts)s.") % said
    for each in reading.fields:
        for remark in each.remarks:
            if remark.startswith("The text also says"):
                yield f"{template_field(each.name).label}: {remark}"


def list_missing_fields(reading: Reading) -> Iterator[str]:
    """Yield required fields that were not found in the text."""
    found = {each.name for each in reading.fields if each.value.strip()}
    older = reading.generation in OLDER_GENERATIONS
    optional = FIELDS_NOT_IN_OLDER_TEMPLATES if older else frozenset[str]()
    if not reading.template.nid:
        yield _("The text does not name its identifier.")
    for each in FIELDS:
        is_required = each.required is Required.ALWAYS and each.name not in {"nid", *optional}
        if is_required and each.name not in found:
            yield _("Nothing was found for %(label)s.") % {"label": each.label}


def list_examples_against_grammar(nid: str, template: Template) -> Iterator[str]:
    """Yield the examples that do not match the grammar found next to them."""
    if not template.grammar:
        return
    try:
        rule = read_grammar(template.grammar, template.grammar_kind, nid=nids.canonical(nid))
    except GrammarSyntaxError as error:
        yield _("The grammar could not be read: %(problem)s") % {"problem": error}
        return
    for example in template.examples:
        if rule.matches(example).answer is Answer.NO:
            yield _("The example %(example)s does not follow the grammar.") % {"example": example}

"""Keeping the index up to date: entries are written in the transaction of the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.db import models, transaction
from django.db.models import F

from registry.batches import batched
from registry.enums import SearchKind
from registry.journal.openness import public_organizations
from registry.models import (
    Namespace,
    Organization,
    QueryKeyword,
    RegistrationRequest,
    SearchDocument,
    SearchWord,
    ServiceDesignator,
)
from registry.search.documents import (
    FIELD_NAMES,
    DocumentText,
    describe_designator,
    describe_everything,
    describe_keyword,
    describe_namespace,
    describe_organization,
    describe_request,
)
from registry.search.words import list_distinct_words, list_stems, stem
from registry.selectors.imported_records import map_imported_templates

DOCUMENTS_PER_BATCH: Final = 100
MAX_WORDS_IN_MEMORY: Final = 10_000
"""How many words are counted before their numbers are written, when all is indexed anew."""
RANKED_FIELDS: Final = ("names", "keywords", "facts")
"""Fields whose stems are stored in order; for texts it is enough to know that they occur."""

_LINE_OF_FIELD: Final = {"names": 40, "keywords": 60, "facts": 40}
"""How many phrases of a field are ranked; further ones are found like text."""


def build_document(text: DocumentText) -> SearchDocument:
    """Return the row of the index for `text`, unsaved."""
    phrases = {name: text.read_field(name) for name in FIELD_NAMES}
    words = sorted(set(list_distinct_words(each for part in phrases.values() for each in part)))
    return SearchDocument(
        kind=text.kind,
        key=text.key,
        url=text.url,
        title=text.title[:300],
        summary=text.summary,
        fields={
            name: [" ".join(list_stems(each)) for each in phrases[name] if each][
                : _LINE_OF_FIELD[name]
            ]
            for name in RANKED_FIELDS
        },
        words=words,
        stems=" ".join(sorted({stem(word) for word in words})),
    )


class DocumentChange(NamedTuple):
    """The intended content of part of the index: of a kind, the `keys` have only these `texts`."""

    kind: SearchKind
    keys: list[str]
    texts: list[DocumentText]


def refresh_subject(subject: models.Model) -> None:
    """Update the index for `subject`, and for the bodies that it names.

    Call it in the transaction of the change. What only some people may read is removed, or never
    added. A subject of a kind that is not searchable is ignored.
    """
    for change in describe_subject(subject):
        write_documents(*change)


def is_subject_indexed(subject: models.Model) -> bool:
    """Whether the index is up to date for `subject`, so that nothing needs writing.

    This locks nothing: other people's changes meanwhile write their own entries.
    """
    return all(is_change_written(change) for change in describe_subject(subject))


def is_change_written(change: DocumentChange) -> bool:
    """Whether the documents of these keys are as intended, and there are no others."""
    held = SearchDocument.objects.filter(kind=change.kind, key__in=change.keys)
    wanted = [read_contents(build_document(text)) for text in change.texts]
    return sorted(map(read_contents, held)) == sorted(wanted)


def describe_subject(subject: models.Model) -> Iterator[DocumentChange]:
    """Yield the intended content for `subject`, and for the bodies that it names."""
    if isinstance(subject, RegistrationRequest):
        texts = list(describe_request(subject))
        yield DocumentChange(SearchKind.REQUEST, [subject.reference], texts)
        if texts:
            yield describe_organizations([subject.organization_id])
        if subject.namespace_id:
            found = Namespace.objects.for_lists().filter(pk=subject.namespace_id)
            yield from describe_namespaces(found)
    elif isinstance(subject, Namespace):
        yield from describe_namespaces(Namespace.objects.for_lists().filter(pk=subject.pk))
    elif isinstance(subject, Organization):
        yield describe_organizations([subject.pk])
        held = Namespace.objects.for_lists().filter(registrant=subject.pk)
        yield from describe_namespaces(held)
        asking = RegistrationRequest.objects.public().filter(organization=subject.pk)
        texts = [text for each in asking for text in describe_request(each)]
        yield DocumentChange(SearchKind.REQUEST, [text.key for text in texts], texts)
    elif isinstance(subject, ServiceDesignator | QueryKeyword):
        yield describe_vocabulary_entry(subject)


def describe_namespaces(namespaces: Iterable[Namespace]) -> Iterator[DocumentChange]:
    """Yield the intended content for each of `namespaces`, and for their holders."""
    found, texts, holders = list(namespaces), [], set[int | None]()
    imported = map_imported_templates(found)
    for namespace in found:
        texts.append(describe_namespace(namespace, imported.get(namespace.nid)))
        holders.add(namespace.registrant_id)
    yield DocumentChange(SearchKind.NAMESPACE, [text.key for text in texts], texts)
    yield describe_organizations(holders)


def describe_organizations(keys: Iterable[int | None]) -> DocumentChange:
    """Return the intended content for the public organizations."""
    wanted = [key for key in keys if key is not None]
    texts = [describe_organization(each) for each in public_organizations().filter(pk__in=wanted)]
    return DocumentChange(SearchKind.ORGANIZATION, [str(key) for key in wanted], texts)


def refresh_namespaces(namespaces: Iterable[Namespace]) -> None:
    """Update the index for `namespaces` and their holders."""
    for change in describe_namespaces(namespaces):
        write_documents(*change)


def refresh_vocabularies() -> None:
    """Update the index for every entry of the vocabularies."""
    texts = [
        *map(describe_designator, ServiceDesignator.objects.all()),
        *map(describe_keyword, QueryKeyword.objects.all()),
    ]
    write_documents(SearchKind.VOCABULARY, [text.key for text in texts], texts)


def describe_vocabulary_entry(entry: ServiceDesignator | QueryKeyword) -> DocumentChange:
    """Return the intended content for an entry of a vocabulary."""
    text = (
        describe_designator(entry)
        if isinstance(entry, ServiceDesignator)
        else describe_keyword(entry)
    )
    return DocumentChange(SearchKind.VOCABULARY, [text.key], [text])


def write_documents(kind: SearchKind, keys: Iterable[str], texts: Iterable[DocumentText]) -> None:
    """Write `texts`, and remove the documents of `keys` without one."""
    wanted = list(keys)
    if not wanted:
        return
    held = {
        each.key: each
        for each in SearchDocument.objects.filter(kind=kind, key__in=wanted).order_by("pk")
    }
    changes = Counter[str]()
    for text in texts:
        new, old = build_document(text), held.pop(text.key, None)
        if old is None:
            new.save(force_insert=True)
        elif read_contents(old) != read_contents(new):
            new.pk = old.pk
            new.save(force_update=True)
        changes.update(new.words)
        changes.subtract(old.words if old else ())
    for gone in held.values():
        changes.subtract(gone.words)
        gone.delete()
    count_words(changes)


def read_contents(document: SearchDocument) -> tuple[Any, ...]:
    """Return the content of a row, without its id."""
    return (
        document.kind,
        document.key,
        document.url,
        document.title,
        document.summary,
        document.fields,
        document.words,
        document.stems,
    )


def count_words(changes: Mapping[str, int]) -> None:
    """Update in how many documents each word occurs; words in none any more are deleted.

    Words are locked in a fixed order, so that two transactions cannot deadlock.
    """
    changed = {word: number for word, number in sorted(changes.items()) if number}
    if not changed:
        return
    by_number: dict[int, list[str]] = {}
    for word, number in changed.items():
        by_number.setdefault(number, []).append(word)
    known = set(
        SearchWord.objects.filter(word__in=changed)
        .order_by("word")
        .select_for_update(no_key=True)
        .values_list("word", flat=True)
    )
    added = [
        SearchWord(word=word, stem=stem(word), documents=number)
        for word, number in changed.items()
        if number > 0 and word not in known
    ]
    SearchWord.objects.bulk_create(
        added,
        update_conflicts=True,
        unique_fields=["word"],
        update_fields=["stem"],
        batch_size=DOCUMENTS_PER_BATCH,
    )
    for number, words in by_number.items():
        rows = SearchWord.objects.filter(word__in=[word for word in words if word in known])
        if number < 0:
            rows.filter(documents__lte=-number).delete()
        rows.update(documents=F("documents") + number)


def rebuild_index() -> int:
    """Rebuild the whole index; return the number of documents."""
    with transaction.atomic():
        SearchDocument.objects.all().delete()
        SearchWord.objects.all().delete()
        counted, total = Counter[str](), 0
        documents = map(build_document, describe_everything())
        for batch in batched(documents, DOCUMENTS_PER_BATCH):
            SearchDocument.objects.bulk_create(batch)
            total += len(batch)
            for document in batch:
                counted.update(document.words)
                if len(counted) > MAX_WORDS_IN_MEMORY:
                    count_words(counted)
                    counted.clear()
        count_words(counted)
    return total


def find_stale_documents() -> Iterator[str]:
    """Yield a sentence for each document that is missing, superfluous or outdated."""
    held = {(each.kind, each.key): each for each in SearchDocument.objects.all()}
    counted = Counter[str]()
    for expected in map(build_document, describe_everything()):
        counted.update(expected.words)
        found = held.pop((expected.kind, expected.key), None)
        if found is None:
            yield f"{expected.kind} {expected.key} is not in the index."
        elif read_contents(found) != read_contents(expected):
            yield f"{expected.kind} {expected.key} has changed since it was indexed."
    for kind, key in held:
        yield f"{kind} {key} is in the index and may not be."
    words = dict(SearchWord.objects.values_list("word", "documents"))
    if words != dict(counted):
        yield "The words of the index are not those of its documents."

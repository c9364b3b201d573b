"""Keeping the index up to date: entries are written in the transaction of the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.db import models, transaction
from django.db.models import F, Q

from registry.batches import batched
from registry.enums import ChangeKind, SearchKind
from registry.journal import find_last_number
from registry.journal.openness import public_organizations
from registry.models import (
    Event,
    Namespace,
    Organization,
    QueryKeyword,
    Recognition,
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
    describe_namespaces,
    describe_organizations,
    describe_requests,
)
from registry.search.words import list_distinct_words, list_stems, stem

DOCUMENTS_PER_BATCH: Final = 50
MAX_WORDS_IN_MEMORY: Final = 5_000
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


DocumentKey = tuple[str, str]
"""The kind of a document, and its key."""


class IndexUpdate:
    """The documents of what actions change, described before their events are numbered.

    Describing takes most of the time, and numbering makes all other actions wait. But an action
    that ends in between may change what was described: neither could know of the other. Whatever
    changes what is indexed has an event, so `write` looks for events in between that may have, and
    describes everything again if there are any.
    """

    def __init__(self) -> None:
        self.last_line = 0
        """The last event before the first description."""
        self.subjects: list[models.Model] = []
        self.documents: dict[DocumentKey, SearchDocument | None] = {}
        """The intended documents; None for what must not have one."""
        self.is_written = True
        """Whether the index had all of them when they were described."""

    def begin(self) -> None:
        """Note the last event, unless done; call it before `add`, without any tried event."""
        if not self.subjects:
            self.last_line = find_last_number()

    def add(self, subject: models.Model) -> None:
        """Describe `subject` as it is now, and the bodies that it names."""
        documents = build_documents(subject)
        self.is_written = self.is_written and are_documents_written(documents)
        self.subjects.append(subject)
        self.documents |= documents

    def absorb(self, later: IndexUpdate) -> None:
        """Add what was described later in the same transaction."""
        if not self.subjects:
            self.last_line = later.last_line
        self.subjects += later.subjects
        self.documents |= later.documents
        self.is_written = self.is_written and later.is_written

    def write(self, first_line: int) -> None:
        """Write the differences; `first_line` is the first event of the transaction, numbered."""
        if not self.documents:
            return
        if self.is_outdated(first_line):
            for subject in self.subjects:
                refresh_subject(subject)
        elif not self.is_written:
            write_documents(self.documents)

    def is_outdated(self, first_line: int) -> bool:
        """Whether an action may have changed what was described, after the description began.

        Events about other requests of other bodies, for other namespaces, cannot, apart from
        transfers: they name only one of the two bodies. The discussion is not indexed.
        """
        keys = {
            kind: [key for each, key in self.documents if each == kind]
            for kind in (SearchKind.REQUEST, SearchKind.NAMESPACE, SearchKind.ORGANIZATION)
        }
        bodies = keys[SearchKind.ORGANIZATION]
        in_between = Event.objects.filter(number__gt=self.last_line, number__lt=first_line)
        return (
            in_between.exclude(verb__in=UNINDEXED_VERBS)
            .filter(
                Q(registration_request=None)
                | Q(registration_request__change=ChangeKind.TRANSFER)
                | Q(registration_request__organization__in=bodies)
                | Q(registration_request__reference__in=keys[SearchKind.REQUEST])
                | Q(namespace__nid__in=keys[SearchKind.NAMESPACE])
                | Q(namespace__registrant__in=bodies)
            )
            .exists()
        )


UNINDEXED_VERBS: Final = frozenset(
    {"comment", "advise", "challenge", "answer_challenge", "hide_message", "show_message"}
)
"""Actions on the discussion, which has no document."""


def refresh_subject(subject: models.Model) -> None:
    """Update the index for `subject`, and for the bodies that it names.

    Call it in the transaction of the change, after its event was numbered. What only some people
    may read is removed, or never added. A subject of a kind that is not searchable is ignored.
    """
    write_documents(build_documents(subject))


def build_documents(subject: models.Model) -> dict[DocumentKey, SearchDocument | None]:
    """Return the intended documents of `subject` and the bodies it names; None for those to go."""
    return build_changed_documents(describe_subject(subject))


def build_changed_documents(
    changes: Iterable[DocumentChange],
) -> dict[DocumentKey, SearchDocument | None]:
    """Return the intended document of each key, unsaved; None for those to go."""
    documents: dict[DocumentKey, SearchDocument | None] = {}
    for change in changes:
        documents |= {(change.kind, key): None for key in change.keys}
        documents |= {(text.kind, text.key): build_document(text) for text in change.texts}
    return documents


def describe_subject(subject: models.Model) -> Iterator[DocumentChange]:
    """Yield the intended content for `subject`, and for the bodies that it names."""
    if isinstance(subject, RegistrationRequest):
        # Whoever acts read it a while ago, and the name of its body with it.
        known = RegistrationRequest.objects.select_related("organization", "namespace")
        asked = known.get(pk=subject.pk)
        texts = list(describe_requests([asked]))
        yield DocumentChange(SearchKind.REQUEST, [asked.reference], texts)
        if texts:
            yield build_organization_change([asked.organization_id])
        if asked.namespace_id:
            found = Namespace.objects.for_lists().filter(pk=asked.namespace_id)
            yield from build_namespace_changes(found)
    elif isinstance(subject, Namespace):
        yield from build_namespace_changes(Namespace.objects.for_lists().filter(pk=subject.pk))
    elif isinstance(subject, Recognition):
        yield build_organization_change([subject.organization_id])
    elif isinstance(subject, Organization):
        yield build_organization_change([subject.pk])
        held = Namespace.objects.for_lists().filter(registrant=subject.pk)
        yield from build_namespace_changes(held)
        asking = RegistrationRequest.objects.public().select_related("organization", "namespace")
        texts = list(describe_requests(asking.filter(organization=subject.pk)))
        yield DocumentChange(SearchKind.REQUEST, [text.key for text in texts], texts)
    elif isinstance(subject, ServiceDesignator | QueryKeyword):
        yield describe_vocabulary_entry(subject)


def build_namespace_changes(namespaces: Iterable[Namespace]) -> Iterator[DocumentChange]:
    """Yield the intended content for each of `namespaces`, and for their holders."""
    found = list(namespaces)
    texts = list(describe_namespaces(found))
    yield DocumentChange(SearchKind.NAMESPACE, [text.key for text in texts], texts)
    yield build_organization_change({each.registrant_id for each in found})


def build_organization_change(keys: Iterable[int | None]) -> DocumentChange:
    """Return the intended content for the public organizations."""
    wanted = [key for key in keys if key is not None]
    texts = list(describe_organizations(public_organizations().filter(pk__in=wanted)))
    return DocumentChange(SearchKind.ORGANIZATION, [str(key) for key in wanted], texts)


def refresh_namespaces(namespaces: Iterable[Namespace]) -> None:
    """Update the index for `namespaces` and their holders."""
    write_documents(build_changed_documents(build_namespace_changes(namespaces)))


def refresh_vocabularies() -> None:
    """Update the index for every entry of the vocabularies."""
    texts = [
        *map(describe_designator, ServiceDesignator.objects.all()),
        *map(describe_keyword, QueryKeyword.objects.all()),
    ]
    change = DocumentChange(SearchKind.VOCABULARY, [text.key for text in texts], texts)
    write_documents(build_changed_documents([change]))


def describe_vocabulary_entry(entry: ServiceDesignator | QueryKeyword) -> DocumentChange:
    """Return the intended content for an entry of a vocabulary."""
    text = (
        describe_designator(entry)
        if isinstance(entry, ServiceDesignator)
        else describe_keyword(entry)
    )
    return DocumentChange(SearchKind.VOCABULARY, [text.key], [text])


def write_documents(documents: Mapping[DocumentKey, SearchDocument | None]) -> None:
    """Write `documents` where the index differs, and remove those of keys without one."""
    held, changes = find_held_documents(documents), Counter[str]()
    written = []
    for key, new in documents.items():
        old = held.pop(key, None)
        if new and old and read_contents(old) == read_contents(new):
            continue
        if new:
            written.append(new)
            changes.update(new.words)
        elif old:
            held[key] = old
        changes.subtract(old.words if old else ())
    SearchDocument.objects.bulk_create(
        written,
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["url", "title", "summary", "fields", "words", "stems"],
        batch_size=DOCUMENTS_PER_BATCH,
    )
    if held:
        SearchDocument.objects.filter(pk__in=[each.pk for each in held.values()]).delete()
    count_words(changes)


def are_documents_written(documents: Mapping[DocumentKey, SearchDocument | None]) -> bool:
    """Whether the index has these documents, and none for keys without one."""
    held = find_held_documents(documents)
    wanted = {key: read_contents(new) for key, new in documents.items() if new}
    return {key: read_contents(old) for key, old in held.items()} == wanted


def find_held_documents(keys: Iterable[DocumentKey]) -> dict[DocumentKey, SearchDocument]:
    """Return the documents of these keys that the index has."""
    by_kind: dict[str, list[str]] = {}
    for kind, key in keys:
        by_kind.setdefault(kind, []).append(key)
    if not by_kind:
        return {}
    wanted = Q()
    for kind, found in by_kind.items():
        wanted |= Q(kind=kind, key__in=found)
    return {
        (each.kind, each.key): each for each in SearchDocument.objects.filter(wanted).order_by("pk")
    }


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

"""Answering a search: what the database finds, ranked the same on every database."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet, Sum
from django.db.models.expressions import RawSQL
from rapidfuzz import process
from rapidfuzz.distance import OSA

from registry.enums import SearchKind
from registry.models import SearchDocument, SearchWord
from registry.namespace_rules.suggestions import SuggestedName, suggest_names
from registry.search.words import STOP_WORDS, read_synonyms, split_words, stem
from registry.selectors.name_rules import find_rule_of_nid

MAX_QUERY_WORDS: Final = 12
MAX_CANDIDATES: Final = 400
MAX_RESULTS: Final = 60
BEST_RESULTS: Final = 3
MIN_CORRECTED_LENGTH: Final = 4
"""Shorter words are too similar to each other to be treated as misspellings."""

FIELD_WEIGHTS: Final = {"names": 9.0, "keywords": 7.0, "facts": 3.5}
TEXT_WEIGHT: Final = 1.0
KIND_WEIGHTS: Final = {
    SearchKind.NAMESPACE: 1.0,
    SearchKind.GUIDE: 0.85,
    SearchKind.REQUEST: 0.8,
    SearchKind.ORGANIZATION: 0.55,
    SearchKind.VOCABULARY: 0.5,
}
"""Between an organization and its namespace, people want the namespace."""
EXACT_WEIGHT, SYNONYM_WEIGHT, TYPO_WEIGHT, PREFIX_WEIGHT = 1.0, 0.6, 0.7, 0.6
WHOLE_PHRASE_BONUS: Final = 25.0
PHRASE_BONUS: Final = 8.0


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One typed word: the stems it may mean, with how likely each is, and its rarity."""

    typed: str
    stems: Mapping[str, float]
    prefix: str = ""
    rarity: float = 1.0
    corrected: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One result, and how well it matches."""

    kind: SearchKind
    key: str
    url: str
    title: str
    summary: str
    score: float


@dataclass(frozen=True)
class SearchResults:
    """The results for `text`, best first, and names that `text` itself may be."""

    text: str
    ranked: tuple[SearchResult, ...] = ()
    names: tuple[SuggestedName, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()

    @property
    def best(self) -> tuple[SearchResult, ...]:
        """The best few of all kinds."""
        return self.ranked[:BEST_RESULTS]

    @cached_property
    def groups(self) -> list[tuple[SearchKind, list[SearchResult]]]:
        """The others by kind, the group with the best of them first."""
        found: dict[SearchKind, list[SearchResult]] = {}
        for each in self.ranked[BEST_RESULTS:]:
            found.setdefault(each.kind, []).append(each)
        return list(found.items())

    def only_namespaces(self, nids: Collection[str]) -> SearchResults:
        """Return the namespaces among the results whose NID is one of `nids`."""
        kept = tuple(
            each for each in self.ranked if each.kind == SearchKind.NAMESPACE and each.key in nids
        )
        return SearchResults(self.text, kept, self.names, self.corrections)

    def __bool__(self) -> bool:
        return bool(self.ranked or self.names)


def search_index(text: str, *, is_unfinished: bool = False) -> SearchResults:
    """Return public things that match `text`, best first.

    With `is_unfinished` the last word may be incomplete: it is what somebody has typed so far.
    """
    names = find_meant_names(text)
    words = read_query(text, is_unfinished=is_unfinished)
    phrase = " ".join(stem(word.corrected or word.typed) for word in words)
    ranked = rank_documents(words, phrase, needs_all=bool(names))
    if names:
        ranked = put_first(ranked, [each.nid for each in names])
    corrections = tuple((word.typed, word.corrected) for word in words if word.corrected)
    return SearchResults(text, tuple(ranked[:MAX_RESULTS]), names, corrections)


def find_meant_names(text: str) -> tuple[SuggestedName, ...]:
    """Return the names that the text may mean: those of a rule, and others if it says `urn`."""
    names = suggest_names(text, cache(find_rule_of_nid))
    return tuple(name for name in names if name.outcome or "urn" in text.lower())


def suggest_results(text: str, most: int = 8) -> SearchResults:
    """Return suggestions for somebody who has typed `text` so far."""
    found = search_index(text, is_unfinished=True)
    return SearchResults(found.text, found.ranked[:most], found.names, found.corrections)


def find_namespace_keys(text: str) -> QuerySet[SearchDocument, str]:
    """Return the NIDs of the namespaces that match all words of `text`, as a subquery."""
    words = read_query(text, is_ranked=False)
    if not words:
        return SearchDocument.objects.none().values_list("key", flat=True)
    found = match_documents(words, needs_all=True, kind=SearchKind.NAMESPACE)
    return found.order_by().values_list("key", flat=True)


def put_first(ranked: Sequence[SearchResult], nids: Sequence[str]) -> list[SearchResult]:
    """Return the results with the namespaces `nids` first, looking up missing ones."""
    found = {each.key: each for each in ranked if each.kind == SearchKind.NAMESPACE}
    missing = SearchDocument.objects.filter(
        kind=SearchKind.NAMESPACE, key__in=[nid for nid in nids if nid not in found]
    )
    found |= {each.key: make_result(each, 0.0) for each in missing}
    first = [found[nid] for nid in nids if nid in found]
    return [*first, *(each for each in ranked if each not in first)]


def read_query(
    text: str, *, is_unfinished: bool = False, is_ranked: bool = True
) -> list[QueryWord]:
    """Return the words of `text` with their possible meanings, with rarity for ranked ones."""
    typed = list(dict.fromkeys(split_words(text)))[:MAX_QUERY_WORDS]
    said = [word for word in typed if word not in STOP_WORDS] or typed
    known = count_documents(stem(word) for word in said)
    total = SearchDocument.objects.count() if is_ranked else 0
    return [
        read_query_word(word, known, total, is_open=is_unfinished and word == typed[-1])
        for word in said
    ]


def read_query_word(word: str, known: Mapping[str, int], total: int, *, is_open: bool) -> QueryWord:
    """Return what one word may mean: its stem, synonyms, or a similar word."""
    own = stem(word)
    stems = dict.fromkeys(read_synonyms().get(own, ()), SYNONYM_WEIGHT)
    stems[own] = EXACT_WEIGHT
    corrected = ""
    is_open = is_open and SearchWord.objects.filter(word__startswith=word).exists()
    if own not in known and not is_open:
        near = find_near_words(word)
        corrected = near[0] if near else ""
        for each in near:
            meant = stem(each)
            stems.setdefault(meant, TYPO_WEIGHT)
            for other in read_synonyms().get(meant, ()):
                stems.setdefault(other, TYPO_WEIGHT * SYNONYM_WEIGHT)
    rarity = math.log(2 + total / (1 + known.get(own, 0))) / math.log(2 + total)
    return QueryWord(word, stems, word if is_open else "", rarity, corrected)


def count_documents(stems: Iterable[str]) -> dict[str, int]:
    """Return about how many documents contain each of `stems`; those in none are left out."""
    rows = SearchWord.objects.filter(stem__in=list(stems)).values("stem")
    counts = rows.annotate(number=Sum("documents")).values_list("stem", "number")
    return dict(counts.order_by())


def find_near_words(word: str, most: int = 3) -> list[str]:
    """Return the words of the index that `word` is likely to be a misspelling of.

    A letter may be wrong, missing, added or swapped with the next; two in words of eight letters or
    more. The same edit distance decides for NIDs (`registry.validators`).
    """
    if len(word) < MIN_CORRECTED_LENGTH or any(c.isdigit() for c in word):
        return []
    allowed = 1 if len(word) < 8 else 2
    counted = dict(SearchWord.objects.values_list("word", "documents"))
    close = process.extract(
        word, counted.keys(), scorer=OSA.distance, score_cutoff=allowed, limit=20
    )
    ordered = sorted(
        close, key=lambda found: (found[1], found[0][:1] != word[:1], -counted[found[0]])
    )
    nearest = ordered[0][1] if ordered else 0
    return [found[0] for found in ordered if found[1] == nearest][:most]


def rank_documents(
    words: Sequence[QueryWord], phrase: str, *, needs_all: bool
) -> list[SearchResult]:
    """Return the documents that match `words`, best first.

    If few have all of them, and not all are required, those with some of them count too.
    """
    if not words:
        return []
    scored: dict[int, SearchResult] = {}
    for has_all in (True, False):
        if has_all or (len(scored) < BEST_RESULTS and len(words) > 1 and not needs_all):
            for document in match_documents(words, needs_all=has_all)[:MAX_CANDIDATES]:
                if document.pk not in scored:
                    score = score_document(document, words, phrase)
                    scored[document.pk] = make_result(document, score)
    return sorted(scored.values(), key=lambda each: (-each.score, each.kind, each.key))


def make_result(document: SearchDocument, score: float) -> SearchResult:
    return SearchResult(
        SearchKind(document.kind),
        document.key,
        document.url,
        document.title,
        document.summary,
        score,
    )


def score_document(document: SearchDocument, words: Sequence[QueryWord], phrase: str) -> float:
    """Return how well a document matches: which fields have the words, and whether together."""
    fields: Mapping[str, list[str]] = document.fields
    every = frozenset(document.stems.split())
    total, matched = 0.0, 0
    for word in words:
        fit = max(
            (score_stem(meant, fields, every) * weight for meant, weight in word.stems.items()),
            default=0.0,
        )
        if not fit and word.prefix:
            fit = score_prefix(word.prefix, fields) * PREFIX_WEIGHT
        matched += fit > 0
        total += fit * word.rarity
    total *= math.pow(matched / len(words), 1.5)
    total += score_phrase(phrase, fields)
    return total * KIND_WEIGHTS[SearchKind(document.kind)]


def score_stem(meant: str, fields: Mapping[str, list[str]], every: frozenset[str]) -> float:
    """Return the weight of the most important field with a stem.

    In a short phrase a word weighs more than among many.
    """
    if meant not in every:
        return 0.0
    best = TEXT_WEIGHT
    for name, weight in FIELD_WEIGHTS.items():
        for held in fields[name]:
            stems = held.split()
            if meant in stems:
                best = max(best, weight * (0.6 + 0.4 / min(len(stems), 10)))
    return best


def score_prefix(prefix: str, fields: Mapping[str, list[str]]) -> float:
    """Return the weight of the most important field with a word that begins with `prefix`."""
    best = TEXT_WEIGHT
    for name, weight in FIELD_WEIGHTS.items():
        for held in fields[name]:
            stems = held.split()
            if any(part.startswith(prefix) for part in stems):
                best = max(best, weight * (0.6 + 0.4 / min(len(stems), 10)))
    return best


def score_phrase(phrase: str, fields: Mapping[str, list[str]]) -> float:
    """Return the bonus for all words being together, highest as a whole phrase."""
    best = 0.0
    for name, weight in FIELD_WEIGHTS.items():
        for held in fields[name]:
            if held == phrase:
                best = max(best, WHOLE_PHRASE_BONUS * weight / 9)
            elif " " in phrase and f" {phrase} " in f" {held} ":
                best = max(best, PHRASE_BONUS * weight / 9)
    return best


def match_documents(
    words: Sequence[QueryWord], *, needs_all: bool, kind: SearchKind | None = None
) -> QuerySet[SearchDocument]:
    """Return the documents that have a stem of every word, or of any, as the database finds them.

    Those of namespaces come first, and newer ones before older, in case there are too many to rank.
    With a `kind`, only that kind is searched.
    """
    alternatives = [sorted(word.stems) for word in words]
    prefixes = [word.prefix for word in words]
    condition = build_match(alternatives, prefixes, needs_all=needs_all, kind=kind)
    # The kinds in alphabetical order: guide, namespace, and those that grow without end.
    return SearchDocument.objects.filter(condition).order_by("kind", "-pk")


def build_match(
    alternatives: Sequence[Sequence[str]],
    prefixes: Sequence[str],
    *,
    needs_all: bool,
    kind: SearchKind | None,
) -> Q:
    """Return the condition with which the database searches its full-text index.

    PostgreSQL has a separate one for namespaces.
    """
    if connection.vendor == "postgresql":
        match, operators, quote = POSTGRESQL_MATCH, (" | ", " & "), "'{}'"
        begin = "'{}':*"
    else:
        match, operators, quote = SQLITE_MATCH, (" OR ", " AND "), '"{}"'
        begin = '"{}"*'
    groups = []
    for stems, prefix in zip(alternatives, prefixes, strict=True):
        terms = [quote.format(each) for each in stems]
        terms += [begin.format(prefix)] if prefix else []
        groups.append(f"({operators[0].join(terms)})")
    query = operators[needs_all].join(groups)
    if connection.vendor == "postgresql" and kind == SearchKind.NAMESPACE:
        return Q(RawSQL(POSTGRESQL_NAMESPACE_MATCH, [query], output_field=BooleanField()))
    is_found = Q(pk__in=RawSQL(match, [query]))
    return is_found & Q(kind=kind) if kind else is_found


SQLITE_MATCH: Final = (
    "SELECT rowid FROM registry_searchdocument_text WHERE registry_searchdocument_text MATCH %s"
)
POSTGRESQL_CONDITION: Final = "array_to_tsvector(string_to_array(stems, ' ')) @@ %s::tsquery"
POSTGRESQL_MATCH: Final = f"SELECT id FROM registry_searchdocument WHERE {POSTGRESQL_CONDITION}"
# Written exactly as the index defines it: with the kind as a parameter, each row is parsed anew.
POSTGRESQL_NAMESPACE_MATCH: Final = f"{POSTGRESQL_CONDITION} AND kind || '' = 'namespace'"
"""Stems contain only letters and digits (`registry.search.words`), so nothing in them is an
operator.
"""

"""Identifiers and words in a column of a table, matched with the namespaces they may mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from registry import search, selectors
from registry.enums import SearchKind
from registry.models import Namespace
from registry.urn import URNSyntaxError, nid as nids, parse

MAX_RECONCILED_LENGTH: Final = 500
SURE: Final = 100.0
LIKELY: Final = 80.0
FOUND_BY_WORDS: Final = 70.0
"""The score of a namespace that matches all the words: never enough to accept it unseen."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A namespace that a text may mean, with a score of up to 100."""

    nid: str
    summary: str
    score: float
    is_match: bool


def reconcile_text(text: str, most: int) -> list[Candidate]:
    """Return the namespaces that `text` may mean, likeliest first, up to `most`.

    A URN, a registered NID, and a name that follows the rule of only one namespace are matches;
    results by words or similarity are for a person to judge.
    """
    typed = text.strip()[:MAX_RECONCILED_LENGTH]
    scores: dict[str, tuple[float, bool]] = {}
    for nid, score, is_match in iterate_readings(typed):
        scores.setdefault(nid, (score, is_match))
    known = {each.nid: each for each in Namespace.objects.filter(nid__in=scores)}
    found = [
        Candidate(nid, known[nid].summary, score, is_match)
        for nid, (score, is_match) in scores.items()
        if nid in known
    ]
    return sorted(found, key=lambda each: -each.score)[:most]


def iterate_readings(typed: str) -> Iterator[tuple[str, float, bool]]:
    """Yield NIDs that a text may mean, with a score, and whether each is a match."""
    if not typed:
        return
    try:
        yield nids.canonical(parse(typed).nid), SURE, True
        return
    except URNSyntaxError:
        pass
    word = typed.lower().removeprefix("urn:").rstrip(":")
    if Namespace.objects.filter(nid=word).exists():
        yield word, SURE, True
    right = [each for each in search.find_meant_names(typed) if not each.message]
    for each in right:
        yield each.nid, LIKELY, len({name.nid for name in right}) == 1
    found = [
        each for each in search.search_index(typed).ranked if each.kind == SearchKind.NAMESPACE
    ]
    best = max((each.score for each in found), default=0.0)
    for result in found:
        yield result.key, FOUND_BY_WORDS * result.score / best if best > 0 else 0.0, False
    if word.isascii():
        for near in selectors.find_similar_nids(word):
            yield near.nid, FOUND_BY_WORDS / 2, False

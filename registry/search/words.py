"""How texts and queries become words: folded, split, stemmed, and linked by synonyms.

Texts and queries go through the same functions, in Python, so that SQLite and PostgreSQL find the
same (docs/decisions/0015-search.md).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Final

import snowballstemmer

_SYNONYMS_FILE: Final = Path(__file__).resolve().parent / "synonyms.toml"
MAX_WORD_LENGTH: Final = 40
"""Longer runs of letters and digits are not words that anyone searches for."""

STOP_WORDS: Final = frozenset(
    "a about an and are as at be by can do does for from how i in into is it its my of on or that"
    " the their there this to was what when where which who why will with you your".split()
)
"""Words that say nothing about what is searched for."""

_WORD: Final = re.compile(r"[^\W_]+")
_JOINED: Final = re.compile(
    r"\b(?:(rfc|iso|bcp|std)[ -]?(?=[0-9])([0-9]+)|(r)-([0-9]{4})-([0-9]{4,}))\b"
)
"""References that are one word however they are written: RFC 8141, R-2026-0006."""
_INNER_MARKS: Final = re.compile(r"(?<=\w)['’](?=\w)")
_STEMMER: Final = snowballstemmer.stemmer("english")
# It stores the word it is working on: two threads at once would mix theirs.
_STEMMER_LOCK: Final = Lock()


def fold(text: str) -> str:
    """Return `text` in lower case, without accents, wide letters and apostrophes within words."""
    plain = text.casefold()
    # Most texts are ASCII, which has no accents.
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    return _INNER_MARKS.sub("", plain)


def split_words(text: str) -> list[str]:
    """Return the words of `text` in the form for comparison, in order.

    A compound is found both as one word and by its parts: `wi-fi` gives wi, fi and wifi.
    """
    folded = _JOINED.sub(lambda found: "".join(filter(None, found.groups())), fold(text))
    return [word for chunk in folded.split() for word in split_chunk(chunk)]


@lru_cache(maxsize=5_000)
def split_chunk(chunk: str) -> tuple[str, ...]:
    """Return the words of a piece of folded text without spaces."""
    parts = [part for part in _WORD.findall(chunk) if len(part) <= MAX_WORD_LENGTH]
    joined = "".join(parts)
    if 1 < len(parts) <= 3 and "-" in chunk and len(joined) <= MAX_WORD_LENGTH:
        parts.append(joined)
    return tuple(parts)


@lru_cache(maxsize=5_000)
def stem(word: str) -> str:
    """Return the stem of one folded word; numbers and identifiers with digits stay as they are."""
    if not word.isascii() or any(c.isdigit() for c in word):
        return word
    with _STEMMER_LOCK:
        stemmed: str = _STEMMER.stemWord(word)
    return stemmed


def list_stems(text: str) -> list[str]:
    """Return the stems of the meaningful words of `text`, in order."""
    return [stem(word) for word in split_words(text) if word not in STOP_WORDS]


def list_distinct_words(texts: Iterable[str]) -> Iterator[str]:
    """Yield each meaningful word of `texts` once."""
    found = dict.fromkeys(word for text in texts for word in split_words(text))
    yield from (word for word in found if word not in STOP_WORDS)


@cache
def read_synonyms() -> Mapping[str, frozenset[str]]:
    """Return for each stem of `synonyms.toml` the stems that mean the same.

    Each group there lists words of which any finds all others.
    """
    held = tomllib.loads(_SYNONYMS_FILE.read_text("utf-8"))
    alike: dict[str, set[str]] = {}
    for group in held["groups"]:
        stems = {stem(word) for entry in group for word in split_words(entry)}
        for each in stems:
            alike.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in alike.items()}

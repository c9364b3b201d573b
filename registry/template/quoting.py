"""Finding in a text the words that somebody copied from a page of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# What a page shows without the mark it was written with: the items of a list.
_MARK: Final = re.compile(r"[ \t]*(?:[-*•o]|[0-9]{1,3}[.)])[ \t]+(?=\S)")
_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage as it stands in the text, from `start` on."""

    start: int
    text: str


def locate(quote: str, text: str, occurrence: int = 0) -> Quoted | None:
    """Return the passage that reads like `quote`, None where there is none.

    Line breaks, runs of blanks and the marks of lists count as one blank. Where it occurs more
    than once, `occurrence` says how many of them stand before the one that is meant.
    """
    asked, _ = _as_read(quote)
    shown, places = _as_read(text)
    found = _nth(asked, shown, occurrence) if asked else -1
    if found < 0:
        return None
    start, end = places[found], places[found + len(asked) - 1] + 1
    return Quoted(start, text[start:end])


def _nth(asked: str, shown: str, occurrence: int) -> int:
    """Where the one meant begins; the last one where there are fewer."""
    found = at = shown.find(asked)
    while at >= 0 and occurrence > 0:
        found, occurrence = at, occurrence - 1
        at = shown.find(asked, at + len(asked))
    return at if at >= 0 else found


def _as_read(text: str) -> tuple[str, list[int]]:
    """The words of a text with one blank between them, and where each character comes from."""
    read: list[str] = []
    places: list[int] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        mark = _MARK.match(line)
        for word in _WORD.finditer(line, mark.end() if mark else 0):
            if read:
                read.append(" ")
                places.append(offset + word.start() - 1)
            read.append(word.group())
            places.extend(range(offset + word.start(), offset + word.end()))
        offset += len(line)
    return "".join(read), places

"""Where a quoted passage is in a text, and in later versions of the text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from registry.template.diff import AlignmentEffort, Stretch, align_sequences

# What a page shows without its mark: the items of a list.
_MARK: Final = re.compile(r"[ \t]*(?:[-*•o]|[0-9]{1,3}[.)])[ \t]+(?=\S)")
_QUOTED_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A passage as it is in the text, from `start` on."""

    start: int
    text: str


def locate_quote(quote: str, text: str, occurrence: int = 0) -> QuotedPassage | None:
    """Return the passage that reads like `quote`, None if there is none.

    Line breaks, runs of spaces and list marks count as one space. If it occurs more than once,
    `occurrence` says how many precede the one that is meant.
    """
    asked, _ = _normalize_text(quote)
    shown, places = _normalize_text(text)
    found = _find_nth(asked, shown, occurrence) if asked else -1
    if found < 0:
        return None
    start, end = places[found], places[found + len(asked) - 1] + 1
    return QuotedPassage(start, text[start:end])


def _find_nth(asked: str, shown: str, occurrence: int) -> int:
    """Where the occurrence begins; the last one if there are fewer."""
    found = at = shown.find(asked)
    while at >= 0 and occurrence > 0:
        found, occurrence = at, occurrence - 1
        at = shown.find(asked, at + len(asked))
    return at if at >= 0 else found


def _normalize_text(text: str) -> tuple[str, list[int]]:
    """The words of a text separated by single spaces, and where each character comes from."""
    read: list[str] = []
    places: list[int] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        mark = _MARK.match(line)
        for word in _QUOTED_WORD.finditer(line, mark.end() if mark else 0):
            if read:
                read.append(" ")
                places.append(offset + word.start() - 1)
            read.append(word.group())
            places.extend(range(offset + word.start(), offset + word.end()))
        offset += len(line)
    return "".join(read), places


# A full stop is not part of the word before it: the next round may have a comma there.
_WORD: Final = re.compile(r"\w+|[^\w\s]")
_KINSHIP: Final = 0.4
_LIKENESS: Final = 0.6
_ENOUGH: Final = 3
_SPREAD: Final = 5


class PassageState(StrEnum):
    """What happened to a passage."""

    SAME = "same"
    MOVED = "moved"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class FollowedPassage:
    """What happened to a passage, its current position `start`, and its current words.

    If a passage is gone, `start` is where it would be and `text` is empty.
    """

    standing: PassageState
    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class _ExpectedPassage:
    """Where the comparison puts a passage; `kept` is the fraction of its words that stayed."""

    start: int
    end: int
    words: int
    kept: float
    whole: bool


def follow_passage(quote: str, start: int, old_text: str, new_text: str) -> FollowedPassage:
    """Return where the passage `quote`, at `start` in `old_text`, is in `new_text`.

    Text added or removed before it does not count as moving it. It has moved if its exact words
    were added elsewhere; the same words that were elsewhere all along are not the passage.
    """
    return PassageTracker(old_text, new_text).follow(quote, start)


class PassageTracker:
    """Two texts compared once, so that many passages can be followed from one to the other."""

    def __init__(self, old_text: str, new_text: str, effort: AlignmentEffort | None = None) -> None:
        self._new_text = new_text
        self._old, self._new = _find_words(old_text), _find_words(new_text)
        self._bare = [new_text[begin:end] for begin, end in self._new]
        before = [old_text[begin:end] for begin, end in self._old]
        self._stretches = align_sequences(before, self._bare, effort or AlignmentEffort())
        self._stops = [old.stop for _, old, _ in self._stretches]
        self._fresh = [True] * len(self._new)
        for same, _, new in self._stretches:
            self._fresh[new] = [not same] * (new.stop - new.start)

    def follow(self, quote: str, start: int) -> FollowedPassage:
        """Return where the passage `quote`, at `start` in the old text, is in the new one."""
        first, last = self._reach(start, start + len(quote))
        if first > last or not quote.strip():
            return FollowedPassage(PassageState.GONE, min(start, len(self._new_text)), "")
        expected = self._expected(first, last, start, start + len(quote))
        if expected.whole:
            return self._found(PassageState.SAME, expected.start, expected.end)
        moved = self._put_anew(quote.strip(), expected.start)
        if moved is not None:
            return self._found(PassageState.MOVED, moved, moved + len(quote.strip()))
        if expected.kept >= _KINSHIP:
            return self._found(PassageState.CHANGED, expected.start, expected.end)
        return self._alike(quote, expected.start) or self._in_its_place(expected)

    def _reach(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last of the old words that the passage touches."""
        first = bisect_right(self._old, start, key=lambda word: word[1])
        return first, bisect_left(self._old, end, key=lambda word: word[0]) - 1

    def _expected(self, first: int, last: int, start: int, end: int) -> _ExpectedPassage:
        begins, ends = self._stretch_of(first), self._stretch_of(last)
        within = self._stretches[begins : ends + 1]
        kept = sum(
            min(last + 1, old.stop) - max(first, old.start) for same, old, _ in within if same
        )
        place = self._beginning(self._stretches[begins], first, start)
        return _ExpectedPassage(
            start=place,
            end=max(place, self._ending(self._stretches[ends], last, end)),
            words=last + 1 - first,
            kept=kept / (last + 1 - first),
            whole=all(same for same, _, _ in within),
        )

    def _stretch_of(self, word: int) -> int:
        return bisect_right(self._stops, word)

    def _beginning(self, stretch: Stretch, word: int, start: int) -> int:
        same, old, new = stretch
        if same:
            return self._start_of(new.start + word - old.start) + max(0, start - self._old[word][0])
        return self._start_of(new.start)

    def _ending(self, stretch: Stretch, word: int, end: int) -> int:
        same, old, new = stretch
        if same:
            begin, stop = self._old[word]
            return self._start_of(new.start + word - old.start) + min(end, stop) - begin
        return self._end_of(new.stop - 1)

    def _start_of(self, word: int) -> int:
        return self._new[word][0] if word < len(self._new) else len(self._new_text)

    def _end_of(self, word: int) -> int:
        return self._new[word][1] if word >= 0 else 0

    def _put_anew(self, quote: str, near: int) -> int | None:
        """Where the exact words are among the new text, nearest to where they were expected."""
        places = (
            at for at in _find_places(quote, self._new_text) if self._is_new(at, at + len(quote))
        )
        return min(places, key=lambda at: abs(at - near), default=None)

    def _is_new(self, start: int, end: int) -> bool:
        first = bisect_right(self._new, start, key=lambda word: word[1])
        last = bisect_left(self._new, end, key=lambda word: word[0])
        return any(self._fresh[first:last])

    def _alike(self, quote: str, near: int) -> FollowedPassage | None:
        """The new stretch of the same length that has most of the passage's words."""
        asked = _WORD.findall(quote)
        best, at = 0, -1
        for place, hits in enumerate(self._hits(Counter(asked), len(asked))):
            if (hits, -self._distance(place, near)) > (best, -self._distance(at, near)):
                best, at = hits, place
        if best < max(_ENOUGH, _LIKENESS * len(asked)):
            return None
        last = min(at + len(asked), len(self._new)) - 1
        return self._found(PassageState.CHANGED, self._new[at][0], self._new[last][1])

    def _distance(self, word: int, near: int) -> int:
        return abs(self._new[word][0] - near) if word >= 0 else len(self._new_text) + 1

    def _hits(self, asked: Counter[str], width: int) -> Iterator[int]:
        """For each position, how many of the `width` words from there on are wanted."""
        have: Counter[str] = Counter()
        hits = 0
        for at, word in enumerate(self._bare):
            if self._fresh[at]:
                have[word] += 1
                hits += have[word] <= asked[word]
            gone = at - width
            if gone >= 0 and self._fresh[gone]:
                hits -= have[self._bare[gone]] <= asked[self._bare[gone]]
                have[self._bare[gone]] -= 1
            if at >= width - 1:
                yield hits

    def _in_its_place(self, expected: _ExpectedPassage) -> FollowedPassage:
        """What replaced it, unless it is so much that nothing points to the passage."""
        instead = len(_WORD.findall(self._new_text[expected.start : expected.end]))
        if 0 < instead <= _SPREAD * (expected.words + _SPREAD):
            return self._found(PassageState.CHANGED, expected.start, expected.end)
        return FollowedPassage(PassageState.GONE, expected.start, "")

    def _found(self, standing: PassageState, start: int, end: int) -> FollowedPassage:
        return FollowedPassage(standing, start, self._new_text[start:end])


def _find_words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _WORD.finditer(text)]


def _find_places(quote: str, text: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + len(quote))

"""Sets of characters, and the characters that a grammar treats alike."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from registry.grammar.errors import MAX_RUNS, NotDecided

CodePointRange: TypeAlias = tuple[int, int]

LAST_CODE_POINT: Final = 0x10FFFF
# Surrogates are halves of characters and occur in no name.
_SURROGATES: Final[CodePointRange] = (0xD800, 0xDFFF)


@dataclass(frozen=True, slots=True)
class CharSet:
    """Characters: sorted ranges, ends included, that neither touch nor overlap."""

    ranges: tuple[CodePointRange, ...] = ()

    @classmethod
    def of(cls, *ranges: CodePointRange) -> CharSet:
        """The characters in any of `ranges`, which may be unsorted and overlap."""
        return cls(tuple(_remove_surrogates(_merge_ranges(ranges))))

    @classmethod
    def from_text(cls, text: str) -> CharSet:
        """The characters that occur in `text`."""
        return cls.of(*((ord(char), ord(char)) for char in text))

    @classmethod
    def union(cls, charsets: Iterable[CharSet]) -> CharSet:
        """The characters in any of `charsets`."""
        return cls.of(*(pair for charset in charsets for pair in charset.ranges))

    @property
    def size(self) -> int:
        """How many characters there are."""
        return sum(high - low + 1 for low, high in self.ranges)

    def complement(self) -> CharSet:
        """All other characters."""
        gaps, low = [], 0
        for first, last in self.ranges:
            gaps.append((low, first - 1))
            low = last + 1
        return CharSet.of(*gaps, (low, LAST_CODE_POINT))

    def minus(self, other: CharSet) -> CharSet:
        """The characters that are not in `other`."""
        return CharSet.union((self.complement(), other)).complement()

    def either_case(self) -> CharSet:
        """The same with each ASCII letter in both cases, as in RFC 5234, section 2.3."""
        other = [
            (max(low, first) + shift, min(high, last) + shift)
            for low, high in self.ranges
            for first, last, shift in ((65, 90, 32), (97, 122, -32))
        ]
        return CharSet.of(*self.ranges, *other)

    def is_within(self, other: CharSet) -> bool:
        """Whether `other` has all of these characters."""
        return CharSet.union((self, other)) == other

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __contains__(self, char: str) -> bool:
        return any(low <= ord(char) <= high for low, high in self.ranges)


def _merge_ranges(ranges: Iterable[CodePointRange]) -> list[CodePointRange]:
    merged: list[CodePointRange] = []
    for low, high in sorted(pair for pair in ranges if pair[0] <= pair[1]):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _remove_surrogates(ranges: Iterable[CodePointRange]) -> Iterable[CodePointRange]:
    first, last = _SURROGATES
    for low, high in ranges:
        if high < first or low > last:
            yield low, high
            continue
        if low < first:
            yield low, first - 1
        if high > last:
            yield last + 1, high


ALL_CHARACTERS: Final = CharSet.of((0, LAST_CODE_POINT))


NAME_END: Final = 1
"""The set, as bits, that contains only the end of the name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place for one character: which it may be, how it is written, and in which rule."""

    charset: CharSet
    written: str
    rule: str


NOWHERE: Final = Place(CharSet(), "", "")


_MAX_SHORT_SET: Final = 12


def iterate_bits(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, smallest first."""
    if bits.bit_count() > _MAX_SHORT_SET:
        yield from _iterate_many_bits(bits)
        return
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _iterate_many_bits(bits: int) -> Iterator[int]:
    # Removing bits one by one would copy the whole integer each time.
    digits = bin(bits)[:1:-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


# The characters of a class that people prefer to see, if the grammar treats all alike.
_SHOWN_FIRST: Final[tuple[CodePointRange, ...]] = (
    (97, 122),
    (48, 57),
    (65, 90),
    (33, 126),
    (32, 32),
    (161, 0xD7FF),
    (0xE000, LAST_CODE_POINT),
    (0, 0xD7FF),
)


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Classes of characters: `firsts[i]` begins a run of characters, all of class `runs[i]`.

    `takers` are, for each class, the places that accept its characters.
    """

    firsts: tuple[int, ...]
    runs: tuple[int, ...]
    takers: tuple[int, ...]
    ascii: dict[str, int]

    @classmethod
    def of(cls, places: Sequence[Place], alive: int) -> Alphabet:
        """The alphabet of those of `places` whose bits are set in `alive`.

        Raises `NotDecided` if there are too many classes.
        """
        changes: dict[int, int] = defaultdict(int)
        for charset, bits in _group_by_charset(places, alive):
            for low, high in charset.ranges:
                changes[low] ^= bits
                changes[high + 1] ^= bits
        if len(changes) > MAX_RUNS:
            raise NotDecided(f"The rule tells more than {MAX_RUNS:,} runs of characters apart.")
        firsts, runs, classes, takers = [0], [0], {0: 0}, 0
        for code in sorted(changes):
            takers ^= changes[code]
            if code:
                firsts.append(code)
                runs.append(0)
            runs[-1] = classes.setdefault(takers, len(classes))
        known = {chr(code): runs[bisect_right(firsts, code) - 1] for code in range(128)}
        return cls(tuple(firsts), tuple(runs), tuple(classes), known)

    def class_of(self, char: str) -> int:
        """The class of `char`."""
        known = self.ascii.get(char)
        return self.runs[bisect_right(self.firsts, ord(char)) - 1] if known is None else known


def _group_by_charset(places: Sequence[Place], alive: int) -> Iterable[tuple[CharSet, int]]:
    """Each set of characters with the places that have it, one object at a time."""
    found: dict[int, tuple[CharSet, int]] = {}
    for number in iterate_bits(alive):
        charset = places[number].charset
        _, bits = found.get(id(charset), (charset, 0))
        found[id(charset)] = charset, bits | 1 << number
    return found.values()


def pair_classes(first: Alphabet, second: Alphabet) -> list[tuple[int, int, str]]:
    """Each pair of classes that share characters, with the best of these to show."""
    best: dict[tuple[int, int], tuple[int, str]] = {}
    for low, high, pair in _pair_runs(first, second):
        shown = _choose_shown(low, high)
        if shown is not None and (pair not in best or shown < best[pair]):
            best[pair] = shown
    ordered = sorted((shown, pair) for pair, shown in best.items())
    return [(one, other, char) for (_, char), (one, other) in ordered]


def _pair_runs(first: Alphabet, second: Alphabet) -> Iterator[tuple[int, int, tuple[int, int]]]:
    cuts = sorted({*first.firsts, *second.firsts})
    at, other = -1, -1
    for low, following in zip(cuts, [*cuts[1:], LAST_CODE_POINT + 1], strict=True):
        at += at + 1 < len(first.firsts) and first.firsts[at + 1] == low
        other += other + 1 < len(second.firsts) and second.firsts[other + 1] == low
        if low <= LAST_CODE_POINT:
            yield low, following - 1, (first.runs[at], second.runs[other])


def _choose_shown(low: int, high: int) -> tuple[int, str] | None:
    """The rank of the run for display, and its character to show; `None` if it has none."""
    for rank, (first, last) in enumerate(_SHOWN_FIRST):
        if low <= last and high >= first:
            return rank, chr(max(low, first))
    return None

"""A set of characters, as ranges of code points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

CodePointRange: TypeAlias = tuple[int, int]

LAST_CODE_POINT: Final = 0x10FFFF
# Surrogates are halves of characters and stand in no name.
_SURROGATES: Final[CodePointRange] = (0xD800, 0xDFFF)


@dataclass(frozen=True, slots=True)
class CharSet:
    """Characters: sorted ranges, ends included, that neither touch nor overlap."""

    ranges: tuple[CodePointRange, ...] = ()

    @classmethod
    def of(cls, *ranges: CodePointRange) -> CharSet:
        """The characters in any of `ranges`, which may come in any order and overlap."""
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
        """The same with each ASCII letter in both cases, as RFC 5234, section 2.3 means it."""
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

"""Sets of small numbers, as the bits of an integer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_FEW: Final = 12


def numbers(bits: int) -> Iterator[int]:
    """The numbers whose bits are set, the smallest first."""
    if bits.bit_count() > _FEW:
        yield from _many(bits)
        return
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _many(bits: int) -> Iterator[int]:
    # Taking bits off one by one would copy the whole integer each time.
    digits = bin(bits)[:1:-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)

"""Equivalences that namespaces declare beyond RFC 8141, section 3.1: they merge and never part.

Each is a function of the NSS alone, so names that section 3.1 has made the same stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final

from stdnum import ean, isbn

ISBN_10: Final = 10


def without_hyphens(nss: str) -> str:
    """`nss` with its hyphens taken out."""
    return nss.replace("-", "")


def as_isbn_13(nss: str) -> str:
    """An ISBN of ten digits as the one of thirteen that replaces it (ISO 2108); all else as is."""
    digits = without_hyphens(nss)
    if len(digits) != ISBN_10 or not isbn.is_valid(digits):
        return nss
    body = "978" + digits[:-1]
    return body + ean.calc_check_digit(body)


def _prefix_lower(nss: str) -> str:
    prefix, hyphen, rest = nss.partition("-")
    return prefix.lower() + hyphen + rest


MERGES: Final = MappingProxyType[str, tuple[str, Callable[[str], str]]](
    {
        "case": ("the case of letters", str.lower),
        "case before the hyphen": ("the case of what is before the hyphen", _prefix_lower),
        "hyphens": ("hyphens", without_hyphens),
        "isbn-13": ("whether an ISBN has ten or thirteen digits", as_isbn_13),
    }
)
"""What each equivalence leaves out of account, in words, and how it does so."""


def needed(merges: Iterable[str], first: str, second: str) -> tuple[str, ...] | None:
    """Those of `merges`, in order, that make two NSSs the same; `None` where they stay apart."""
    used: list[str] = []
    for name in merges:
        if first == second:
            break
        _, merge = MERGES[name]
        merged = merge(first), merge(second)
        if merged != (first, second):
            used.append(name)
        first, second = merged
    return tuple(used) if first == second else None


def merged(merges: Iterable[str], nss: str) -> str:
    """`nss` in the one spelling that all have which `merges` make the same."""
    for name in merges:
        nss = MERGES[name][1](nss)
    return nss


def in_words(merges: Iterable[str]) -> str:
    """What `merges` leave out of account, for the middle of a sentence."""
    *most, last = (MERGES[name][0] for name in merges)
    return " and ".join(filter(None, (", ".join(most), last)))

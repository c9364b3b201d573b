"""Spellings that a namespace takes for the same name, and the one that it prefers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final

from stdnum import ean, isbn, issn

# Each is a function of the NSS alone, so names that section 3.1 has made the same stay the same.

ISBN_10: Final = 10


def remove_hyphens(nss: str) -> str:
    """`nss` with its hyphens taken out."""
    return nss.replace("-", "")


def convert_to_isbn_13(nss: str) -> str:
    """An ISBN of ten digits as the one of thirteen that replaces it (ISO 2108); all else as is."""
    digits = remove_hyphens(nss)
    if len(digits) != ISBN_10 or not isbn.is_valid(digits):
        return nss
    body = "978" + digits[:-1]
    return body + ean.calc_check_digit(body)


def _lowercase_prefix(nss: str) -> str:
    prefix, hyphen, rest = nss.partition("-")
    return prefix.lower() + hyphen + rest


MERGES: Final = MappingProxyType[str, tuple[str, Callable[[str], str]]](
    {
        "case": ("the case of letters", str.lower),
        "case before the hyphen": ("the case of what is before the hyphen", _lowercase_prefix),
        "hyphens": ("hyphens", remove_hyphens),
        "isbn-13": ("whether an ISBN has ten or thirteen digits", convert_to_isbn_13),
    }
)
"""What each equivalence leaves out of account, in words, and how it does so."""


def find_needed_merges(merges: Iterable[str], first: str, second: str) -> tuple[str, ...] | None:
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


def merge_spellings(merges: Iterable[str], nss: str) -> str:
    """`nss` in the one spelling that all have which `merges` make the same."""
    for name in merges:
        nss = MERGES[name][1](nss)
    return nss


def describe_merges(merges: Iterable[str]) -> str:
    """What `merges` leave out of account, for the middle of a sentence."""
    *most, last = (MERGES[name][0] for name in merges)
    return " and ".join(filter(None, (", ".join(most), last)))


PREFERRED_FORMS: Final = MappingProxyType[str, Callable[[str], str]](
    {
        "lower case": str.lower,
        "upper case": str.upper,
        "isbn": lambda nss: isbn.format(convert_to_isbn_13(nss)),
        "issn": issn.format,
    }
)
"""Steps towards a preferred form, each from an NSS that follows its rule to an equivalent one."""


def apply_preferred_forms(forms: Iterable[str], nss: str) -> str:
    """`nss` after each of the steps named in `forms`."""
    for name in forms:
        nss = PREFERRED_FORMS[name](nss)
    return nss

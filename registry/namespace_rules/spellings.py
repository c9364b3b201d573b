"""Spellings that a namespace considers the same name, and the one that it prefers."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from functools import cache, partial
from types import MappingProxyType
from typing import Final, NamedTuple

from stdnum import ean, isbn, issn

from registry.grammar import DeclaredEquivalence, Grammar, parse_statement

# Each is a function of the NSS alone, so names that are the same by section 3.1 stay the same.

logger: Final = logging.getLogger(__name__)

ISBN_10: Final = 10


def remove_hyphens(nss: str) -> str:
    """`nss` without its hyphens."""
    return nss.replace("-", "")


def calc_isbn_10_check_digit(body: str) -> str:
    """The check digit of the nine digits before it (ISO 2108); stdnum's takes ten times as long."""
    remainder = sum(place * int(digit) for place, digit in enumerate(body, start=1)) % 11
    return "X" if remainder == 10 else str(remainder)


def convert_to_isbn_13(nss: str) -> str:
    """An ISBN of ten digits as the one of thirteen replacing it (ISO 2108); others unchanged."""
    digits = remove_hyphens(nss)
    number = digits[:-1]
    if len(digits) != ISBN_10 or not (number.isascii() and number.isdigit()):
        return nss
    if digits[-1].upper() != calc_isbn_10_check_digit(number):
        return nss
    return f"978{number}{ean.calc_check_digit(f'978{number}')}"


_VERSION_0: Final = re.compile(r"(imei:.*);vers=0", re.I)


def _remove_imei_version(nss: str) -> str:
    found = _VERSION_0.fullmatch(nss)
    return found[1] if found else nss


MERGES: Final = MappingProxyType[str, tuple[str, Callable[[str], str]]](
    {
        "isbn-13": ("whether an ISBN has ten or thirteen digits", convert_to_isbn_13),
        "version 0 of an IMEI": ("“vers=0” behind an IMEI", _remove_imei_version),
    }
)
"""Equivalences that no declaration can state: what each ignores, and how.

All others are statements as a registrant declares them (`registry.grammar.equivalence`).
"""


class MergeStep(NamedTuple):
    """Equivalences that are applied at once, and the resulting NSS."""

    names: tuple[str, ...]
    merge: Callable[[str, Grammar | None], str]


@cache
def plan_merges(merges: tuple[str, ...]) -> tuple[MergeStep, ...]:
    """The steps in which `merges` are applied: statements of a declaration first, in its order."""
    statements = [parse_statement(name) for name in merges if name not in MERGES]
    declared = DeclaredEquivalence(tuple(statements))
    return tuple(
        MergeStep(tuple(map(str, step)), partial(declared.take_step, step))
        for step in declared.steps
    ) + tuple(
        MergeStep((name,), partial(_ignore_grammar, MERGES[name][1]))
        for name in merges
        if name in MERGES
    )


def _ignore_grammar(merge: Callable[[str], str], nss: str, _grammar: Grammar | None) -> str:
    return merge(nss)


def find_needed_merges(
    merges: Iterable[str], first: str, second: str, grammar: Grammar | None = None
) -> tuple[str, ...] | None:
    """Those of `merges`, in order, that make two NSSs the same; `None` if they still differ."""
    used: list[str] = []
    for step in plan_merges(tuple(merges)):
        if first == second:
            break
        merged = step.merge(first, grammar), step.merge(second, grammar)
        if merged != (first, second):
            used.extend(step.names)
        first, second = merged
    return tuple(used) if first == second else None


def merge_spellings(merges: Iterable[str], nss: str, grammar: Grammar | None = None) -> str:
    """`nss` in the one spelling shared by everything that `merges` make the same.

    `grammar` is that of the namespace, for equivalences that refer to one of its rules. A merge
    that fails, which is logged, leaves the name as it is.
    """
    for step in plan_merges(tuple(merges)):
        try:
            nss = step.merge(nss, grammar)
        except Exception:
            logger.exception("A name could not be compared by %s.", ", ".join(step.names))
    return nss


def describe_merges(merges: Iterable[str]) -> str:
    """What `merges` ignore, for the middle of a sentence."""
    *most, last = (
        MERGES[name][0] if name in MERGES else parse_statement(name).words for name in merges
    )
    return " and ".join(filter(None, (", ".join(most), last)))


def _format_isbn(nss: str) -> str:
    """An ISBN of thirteen digits with its hyphens, empty if its ranges are not known."""
    parts = isbn.split(convert_to_isbn_13(nss))
    return "-".join(parts) if all(parts) else ""


PREFERRED_FORMS: Final = MappingProxyType[str, Callable[[str], str]](
    {
        "lower case": str.lower,
        "upper case": str.upper,
        "isbn": _format_isbn,
        "issn": issn.format,
    }
)
"""Steps towards a preferred form, each from a valid NSS to an equivalent one, empty if none."""


def apply_preferred_forms(forms: Iterable[str], nss: str) -> str:
    """`nss` after each of the steps named in `forms`."""
    for name in forms:
        nss = PREFERRED_FORMS[name](nss)
    return nss

"""Check digits, computed by python-stdnum and compared with those that were written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from stdnum import ean, issn, luhn
from stdnum.eu import eic
from stdnum.iso7064 import mod_11_2, mod_37_36, mod_97_10

from registry.namespace_rules.spellings import ISBN_10, calc_isbn_10_check_digit

# Where the check digits of a number are, and what they should be.
_Expected: TypeAlias = Iterator[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class WrongDigits:
    """Wrong check digits: their position in the NSS, as found and as expected."""

    position: int
    found: str
    expected: str


def find_wrong_digits(system: str, nss: str) -> WrongDigits | None:
    """The first wrong check digits of `nss`, by one of `CHECK_DIGIT_SYSTEMS`.

    `nss` must have the form that the system gives its identifiers.
    """
    marks, begins, expected = CHECK_DIGIT_SYSTEMS[system]
    if not begins.match(nss):
        return None
    places = [place for place, char in enumerate(nss) if char not in marks]
    number = "".join(nss[place] for place in places).upper()
    for start, right in expected(number):
        found = number[start : start + len(right)]
        if found != right:
            return WrongDigits(places[start], found, right)
    return None


def replace_check_digits(nss: str, wrong: WrongDigits) -> str:
    """`nss` with the right check digits, leaving marks between them in place."""
    place, written, right = wrong.position, list(nss), list(wrong.expected)
    while right and place < len(written):
        if written[place] not in "-.":
            written[place] = right.pop(0)
        place += 1
    return "".join(written)


def _expect_isbn(number: str) -> _Expected:
    calculate = calc_isbn_10_check_digit if len(number) == ISBN_10 else ean.calc_check_digit
    yield len(number) - 1, calculate(number[:-1])


def _expect_issn(number: str) -> _Expected:
    yield 7, issn.calc_check_digit(number[:7])


def _expect_isni(number: str) -> _Expected:
    yield 15, mod_11_2.calc_check_digit(number[:15])


def _expect_lei(number: str) -> _Expected:
    yield 18, mod_97_10.calc_check_digits(number[:18])


def _expect_isan(number: str) -> _Expected:
    work, version = number[:16], number[17:25]
    if len(number) in (17, 26):
        yield 16, mod_37_36.calc_check_digit(work)
    if len(number) == 26:
        yield 25, mod_37_36.calc_check_digit(work + version)


def _expect_eidr(number: str) -> _Expected:
    yield 26, mod_37_36.calc_check_digit(number[6:26])


def _expect_imei(number: str) -> _Expected:
    # RFC 7254, section 4.2.3: the place of the check digit is 0 when sent.
    if number[18] != "0":
        yield 18, luhn.calc_check_digit(number[4:18])


def _expect_eic(number: str) -> _Expected:
    yield 15, eic.calc_check_digit(number[:15])


_ANY: Final = re.compile("")
CHECK_DIGIT_SYSTEMS: Final = MappingProxyType[
    str, tuple[str, re.Pattern[str], Callable[[str], _Expected]]
](
    {
        "isbn": ("-", _ANY, _expect_isbn),
        "issn": ("-", _ANY, _expect_issn),
        "isni": ("-", _ANY, _expect_isni),
        "lei": ("", _ANY, _expect_lei),
        "isan": ("-", _ANY, _expect_isan),
        "eidr": (".:-", re.compile(r"10\.5240:"), _expect_eidr),
        "imei": (":-", re.compile(r"imei:[0-9]{8}-[0-9]{6}-[0-9]", re.I), _expect_imei),
        "eic": ("", _ANY, _expect_eic),
    }
)
"""For each system the separators of its identifiers, the beginnings of those that have check
digits, and what the digits should be.
"""

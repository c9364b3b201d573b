"""What the parts of a name mean, where that is cheap to say."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias
from urllib.parse import unquote

from stdnum import isbn

from registry.rulebook.answers import Part
from registry.rulebook.merging import as_isbn_13

_Parts: TypeAlias = Iterator[Part]

_COUNTRIES: Final = Path(__file__).resolve().parent.parent / "data" / "iso-3166.csv"
_UUIDS: Final = {
    "1": "time and node",
    "2": "DCE security",
    "3": "a name, by MD5",
    "4": "random",
    "5": "a name, by SHA-1",
    "6": "time and node, in sortable order",
    "7": "Unix time, sortable",
    "8": "left to the implementation",
}
_ROOTS: Final = {"0": "ITU-T", "1": "ISO", "2": "ISO and ITU-T jointly"}


@cache
def countries() -> Mapping[str, str]:
    """The names of countries by their codes of two letters (ISO 3166-1)."""
    with _COUNTRIES.open(encoding="utf-8", newline="") as lines:
        return MappingProxyType({row["alpha2"]: row["name"] for row in csv.DictReader(lines)})


def _country(nss: str) -> _Parts:
    code = nss[:2].lower()
    if not nss[2:3].isalnum():
        yield Part("country", nss[:2], countries().get(code, ""))


def _uuid(nss: str) -> _Parts:
    digits = nss.replace("-", "").lower()
    if not digits.strip("0") or not digits.strip("f"):
        yield Part("uuid", nss, "Nil" if digits[0] == "0" else "Max")
    elif digits[16] in "89ab":
        yield Part("version", nss[14], _UUIDS.get(digits[12], ""))


def _oid(nss: str) -> _Parts:
    yield Part("root", nss[0], _ROOTS[nss[0]])


def _isbn(nss: str) -> _Parts:
    names = ("prefix", "registration group", "registrant", "publication", "check digit")
    # Where no range is known for a number, its elements run together.
    for name, text in zip(names, isbn.split(as_isbn_13(nss)), strict=True):
        if text:
            yield Part(name, text)


def _lei(nss: str) -> _Parts:
    yield Part("issuer", nss[:4])
    yield Part("entity", nss[4:18])
    yield Part("check digits", nss[18:])


def _eic(nss: str) -> _Parts:
    yield Part("issuing office", nss[:2])
    yield Part("kind", nss[2])
    yield Part("object", nss[3:15])
    yield Part("check character", nss[15])


def _imei(nss: str) -> _Parts:
    if nss[:5].lower() == "imei:":
        yield Part("type allocation code", nss[5:13])
        yield Part("serial number", nss[14:20])
        yield Part("spare digit", nss[21])


def _meid(nss: str) -> _Parts:
    yield Part("manufacturer code", nss[5:13])
    yield Part("serial number", nss[14:20])


def _publicid(nss: str) -> _Parts:
    # RFC 3151, section 1.2, undone; escapes last, so that what they hide is not transcribed.
    text = nss.replace("+", " ").replace(":", "//").replace(";", "::")
    yield Part("public identifier", unquote(text))


def _service(nss: str) -> _Parts:
    top, _, below = nss.partition(".")
    yield Part("service", top)
    if below:
        yield Part("sub-services", below)


EXPLAINED: Final = MappingProxyType[str, Callable[[str], _Parts]](
    {
        "country": _country,
        "eic": _eic,
        "imei": _imei,
        "isbn": _isbn,
        "lei": _lei,
        "meid": _meid,
        "oid": _oid,
        "publicid": _publicid,
        "service": _service,
        "uuid": _uuid,
    }
)
"""Ways to take a name apart. Each is given an NSS that is not against its rule."""

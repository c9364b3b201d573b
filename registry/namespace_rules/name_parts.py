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

from registry.namespace_rules.rulings import NamePart
from registry.namespace_rules.spellings import convert_to_isbn_13

_Parts: TypeAlias = Iterator[NamePart]

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
def read_country_names() -> Mapping[str, str]:
    """The names of countries by their codes of two letters (ISO 3166-1)."""
    with _COUNTRIES.open(encoding="utf-8", newline="") as lines:
        return MappingProxyType({row["alpha2"]: row["name"] for row in csv.DictReader(lines)})


def _explain_country(nss: str) -> _Parts:
    code = nss[:2].lower()
    if not nss[2:3].isalnum():
        yield NamePart("country", nss[:2], read_country_names().get(code, ""))


def _explain_uuid(nss: str) -> _Parts:
    digits = nss.replace("-", "").lower()
    if not digits.strip("0") or not digits.strip("f"):
        yield NamePart("uuid", nss, "Nil" if digits[0] == "0" else "Max")
    elif digits[16] in "89ab":
        yield NamePart("version", nss[14], _UUIDS.get(digits[12], ""))


def _explain_oid(nss: str) -> _Parts:
    yield NamePart("root", nss[0], _ROOTS[nss[0]])


def _explain_isbn(nss: str) -> _Parts:
    names = ("prefix", "registration group", "registrant", "publication", "check digit")
    # Where no range is known for a number, its elements run together.
    for name, text in zip(names, isbn.split(convert_to_isbn_13(nss)), strict=True):
        if text:
            yield NamePart(name, text)


def _explain_lei(nss: str) -> _Parts:
    yield NamePart("issuer", nss[:4])
    yield NamePart("entity", nss[4:18])
    yield NamePart("check digits", nss[18:])


def _explain_eic(nss: str) -> _Parts:
    yield NamePart("issuing office", nss[:2])
    yield NamePart("kind", nss[2])
    yield NamePart("object", nss[3:15])
    yield NamePart("check character", nss[15])


def _explain_imei(nss: str) -> _Parts:
    if nss[:5].lower() == "imei:":
        yield NamePart("type allocation code", nss[5:13])
        yield NamePart("serial number", nss[14:20])
        yield NamePart("spare digit", nss[21])


def _explain_meid(nss: str) -> _Parts:
    yield NamePart("manufacturer code", nss[5:13])
    yield NamePart("serial number", nss[14:20])


def _explain_publicid(nss: str) -> _Parts:
    # RFC 3151, section 1.2, undone; escapes last, so that what they hide is not transcribed.
    text = nss.replace("+", " ").replace(":", "//").replace(";", "::")
    yield NamePart("public identifier", unquote(text))


def _explain_service(nss: str) -> _Parts:
    top, _, below = nss.partition(".")
    yield NamePart("service", top)
    if below:
        yield NamePart("sub-services", below)


PART_EXPLANATIONS: Final = MappingProxyType[str, Callable[[str], _Parts]](
    {
        "country": _explain_country,
        "eic": _explain_eic,
        "imei": _explain_imei,
        "isbn": _explain_isbn,
        "lei": _explain_lei,
        "meid": _explain_meid,
        "oid": _explain_oid,
        "publicid": _explain_publicid,
        "service": _explain_service,
        "uuid": _explain_uuid,
    }
)
"""Ways to take a name apart. Each is given an NSS that is not against its rule."""

"""An EPC as the web address of the same key, without its server (GS1 Digital Link).

The pure identity of an EPC (GS1 EPC Tag Data Standard, section 6) splits a key where its company
prefix ends and leaves out its check digit; a web address has the whole key.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, NamedTuple

from stdnum import ean


def _build_gtin(company: str, item: str, serial: str) -> str:
    # The first digit of the item is the indicator, which precedes the company prefix.
    body = item[0] + company + item[1:]
    return f"01/{body}{ean.calc_check_digit(body)}/21/{serial}"


def _build_sscc(company: str, reference: str) -> str:
    body = reference[0] + company + reference[1:]
    return f"00/{body}{ean.calc_check_digit(body)}"


def _build_location(company: str, location: str, extension: str) -> str:
    body = company + location
    whole = f"414/{body}{ean.calc_check_digit(body)}"
    # An extension of 0 means that there is none (section 6.3.3).
    return whole if extension == "0" else f"{whole}/254/{extension}"


def _build_returnable(company: str, kind: str, serial: str) -> str:
    body = company + kind
    return f"8003/0{body}{ean.calc_check_digit(body)}{serial}"


def _build_piece(company: str, item: str, piece: str, total: str, serial: str) -> str:
    body = item[0] + company + item[1:]
    return f"8006/{body}{ean.calc_check_digit(body)}{piece}{total}/21/{serial}"


def _build_unit_pack(company: str, item: str, serial: str) -> str:
    body = item[0] + company + item[1:]
    return f"01/{body}{ean.calc_check_digit(body)}/235/{serial}"


def _checked(identifier: str) -> Callable[[str, str], str]:
    """A key of digits with a check digit."""

    def build(company: str, reference: str) -> str:
        body = company + reference
        return f"{identifier}/{body}{ean.calc_check_digit(body)}"

    return build


def _checked_with_serial(identifier: str) -> Callable[[str, str, str], str]:
    """The same with a serial number behind it."""

    def build(company: str, reference: str, serial: str) -> str:
        return f"{_checked(identifier)(company, reference)}{serial}"

    return build


def _plain(identifier: str) -> Callable[[str, str], str]:
    """A key without a check digit, whose reference may have letters."""
    return lambda company, reference: f"{identifier}/{company}{reference}"


class _Key(NamedTuple):
    """How many of the parts of a key are digits, how many there are, and how to join them."""

    digits: int
    parts: int
    build: Callable[..., str]


_KEYS: Final = MappingProxyType[str, _Key](
    {
        "sgtin": _Key(2, 3, _build_gtin),
        "sscc": _Key(2, 2, _build_sscc),
        "sgln": _Key(2, 3, _build_location),
        "grai": _Key(2, 3, _build_returnable),
        "giai": _Key(1, 2, _plain("8004")),
        "gsrn": _Key(2, 2, _checked("8018")),
        "gsrnp": _Key(2, 2, _checked("8017")),
        "gdti": _Key(2, 3, _checked_with_serial("253")),
        "sgcn": _Key(3, 3, _checked_with_serial("255")),
        "ginc": _Key(1, 2, _plain("401")),
        "gsin": _Key(2, 2, _checked("402")),
        "itip": _Key(4, 5, _build_piece),
        "upui": _Key(2, 3, _build_unit_pack),
        "cpi": _Key(1, 3, lambda company, part, serial: f"8010/{company}{part}/8011/{serial}"),
        "pgln": _Key(2, 2, _checked("417")),
    }
)
"""The keys that have a web address."""


def build_digital_link(nss: str) -> str | None:
    """Return the path of the key in an NSS of `epc`; None if it has no such address.

    A serial number stays as it is in the EPC, percent-encoded if that is.
    """
    scheme, _, body = nss.removeprefix("id:").partition(":")
    key = _KEYS.get(scheme)
    if key is None or not nss.startswith("id:"):
        return None
    parts = body.split(".", key.parts - 1)
    digits = parts[: key.digits]
    if len(parts) != key.parts or not all(parts) or not "".join(digits).isdigit():
        return None
    return key.build(*parts)

"""An EPC as the web address of the same key, without its server (GS1 Digital Link).

The pure identity of an EPC (GS1 EPC Tag Data Standard, section 6) splits a key where its company
prefix ends and leaves out its check digit; a web address has the whole key.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

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


def _build_asset(company: str, reference: str) -> str:
    return f"8004/{company}{reference}"


def _build_document(company: str, kind: str, serial: str) -> str:
    body = company + kind
    return f"253/{body}{ean.calc_check_digit(body)}{serial}"


def _build_party(company: str, reference: str) -> str:
    body = company + reference
    return f"417/{body}{ean.calc_check_digit(body)}"


_KEYS: Final = MappingProxyType[str, tuple[int, Callable[..., str]]](
    {
        "sgtin": (3, _build_gtin),
        "sscc": (2, _build_sscc),
        "sgln": (3, _build_location),
        "grai": (3, _build_returnable),
        "giai": (2, _build_asset),
        "gdti": (3, _build_document),
        "pgln": (2, _build_party),
    }
)
"""The keys that have a web address: how many parts each has, and how to join them."""


def build_digital_link(nss: str) -> str | None:
    """Return the path of the key in an NSS of `epc`; None if it has no such address.

    A serial number stays as it is in the EPC, percent-encoded if that is.
    """
    scheme, _, key = nss.removeprefix("id:").partition(":")
    if not nss.startswith("id:") or scheme not in _KEYS:
        return None
    count, build = _KEYS[scheme]
    parts = key.split(".", count - 1)
    digits = parts if count == 2 and scheme != "giai" else parts[: max(count - 1, 1)]
    if len(parts) != count or not all(digits) or not "".join(digits).isdigit() or not parts[-1]:
        return None
    return build(*parts)

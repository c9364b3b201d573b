"""NAPTR records for `urn.arpa`, as a zone file (RFC 3401 to 3405; RFC 3403, section 4).

A client of the Dynamic Delegation Discovery System that holds `urn:isbn:…` looks up
`isbn.urn.arpa` (RFC 3404, section 4.2) and rewrites the whole URN by the rule that it finds. The
flag `u` says that the outcome is a URI and the last step (section 4.3); the services are those of
RFC 2483 that are had there, without a protocol, since the URI says its own (section 4.4).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from registry.exchange.exports.entries import NamespaceEntry

ORIGIN: Final = "urn.arpa."
TTL: Final = 86_400
ORDER: Final = 100
PREFERENCE: Final = 10
NAPTR_SERVICES: Final = "+I2L+I2Ls"
MAX_CHARACTER_STRING: Final = 255
"""So many octets fit into one character-string (RFC 1035, section 3.3)."""


def write_zone(found: Iterable[NamespaceEntry], site: str, at: datetime.datetime | None) -> str:
    """Return the zone as it is since `at`; `site` is where this registry resolves.

    The serial number is that moment in seconds, so that it rises with every change (RFC 1982).
    Names are relative to the origin.
    """
    host = make_domain_name(urlsplit(site).hostname or "")
    serial = int(at.timestamp()) if at else 1
    return "\n".join(
        [
            f"; NAPTR records of {site} (RFC 3403; flags and services: RFC 3404).",
            f"$ORIGIN {ORIGIN}",
            f"$TTL {TTL}",
            f"@ IN SOA ns.{host} registry.{host} ( {serial} 7200 3600 1209600 3600 )",
            f"@ IN NS ns.{host}",
            *(write_naptr_record(entry.nid, site) for entry in found),
            "",
        ]
    )


def make_domain_name(host: str) -> str:
    """Return a host as a domain name; an address of four numbers or of IPv6 has none."""
    return "localhost." if not host or re.fullmatch(r"[0-9.]+|.*:.*", host) else f"{host}."


def write_naptr_record(nid: str, site: str) -> str:
    """Return the rule of one namespace: the URN as it is, behind the address of our resolver."""
    rule = quote_character_string(write_rewrite_rule(nid, site))
    return f'{nid} IN NAPTR {ORDER} {PREFERENCE} "u" "{NAPTR_SERVICES}" {rule} .'


def write_rewrite_rule(nid: str, site: str) -> str:
    """Return the substitution of RFC 3402, section 3.2; `i` since NIDs have no case.

    Raises `ValueError` where the address of the registry cannot stand in it.
    """
    address = f"{site}/resolve/"
    if "!" in address or "\\" in address:
        raise ValueError(f"{site} cannot stand in a NAPTR record.")
    written = rf"!^(urn:{nid}:.*)$!{address}\1!i"
    if len(written.encode()) > MAX_CHARACTER_STRING:
        raise ValueError(f"{site} is too long for a NAPTR record.")
    return written


def quote_character_string(text: str) -> str:
    """Return a character-string as zone files write it (RFC 1035, section 5.1)."""
    escaped = text.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'

"""From which address somebody asks, behind as many proxies as the settings trust."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

IPV6_PREFIX: Final = 64
"""One subscriber has at least so much of IPv6, and can have another address for each request."""
UNKNOWN: Final = "unknown"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def find_client_address(environ: Mapping[str, Any]) -> str:
    """Return the address of the client, of a WSGI environment.

    Each proxy adds whom it was asked by at the right of `X-Forwarded-For`, so that the client
    stands as many places from the right as there are proxies of ours; what is further left is
    what the client says itself. Where no address stands there, it is the address of the peer.
    """
    trusted = settings.REGISTRY_TRUSTED_PROXIES
    hops = str(environ.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    forwarded = parse_address(hops[-trusted]) if 0 < trusted <= len(hops) else None
    address = forwarded or parse_address(str(environ.get("REMOTE_ADDR", "")))
    return str(address) if address else UNKNOWN


def find_client_network(environ: Mapping[str, Any]) -> str:
    """Return what limits count by: an IPv4 address, or the /64 that an IPv6 address is of."""
    address = parse_address(find_client_address(environ))
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX), strict=False))
    return str(address) if address else UNKNOWN


def parse_address(text: str) -> Address | None:
    """Return the address that a text is, IPv4 also where it is written within IPv6."""
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address

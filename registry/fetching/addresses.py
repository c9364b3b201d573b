"""Which network addresses this machine may be led to by somebody else's words."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Final

from django.conf import settings

Address = IPv4Address | IPv6Address

UNICAST: Final = ip_network("2000::/3")
"""All that is given to single machines of IPv6. Outside lie, among others, the addresses that
stand for IPv4 ones: IPv4-mapped, IPv4-compatible and NAT64."""

DISGUISES: Final = (ip_network("2001::/32"), ip_network("2002::/16"))
"""Teredo and 6to4, which stand for IPv4 addresses too, though they lie inside."""


def may_be_asked(address: Address) -> bool:
    """Whether `address` is one of the open Internet, or one that the settings allow besides."""
    allowed = (ip_network(network) for network in settings.REGISTRY_FETCH_NETWORKS)
    return is_public(address) or any(address in network for network in allowed)


def is_public(address: Address) -> bool:
    """Whether `address` is global, is one machine's, and stands for no other address."""
    if isinstance(address, IPv6Address):
        is_disguised = any(address in network for network in DISGUISES)
        return address in UNICAST and address.is_global and not is_disguised
    return address.is_global and not address.is_multicast and not address.is_reserved

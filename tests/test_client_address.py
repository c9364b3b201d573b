"""The client's address: the peer, or what trusted proxies report, and what limits count by."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from registry.rate_limits import find_client_address, find_client_network

PEER = "192.0.2.1"


def environ(forwarded: str | None, peer: str = PEER) -> dict[str, str]:
    said = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return {"REMOTE_ADDR": peer, **said}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (0, None, PEER),
        (0, "198.51.100.7", PEER),
        (1, "198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (2, "203.0.113.9, 198.51.100.7", "203.0.113.9"),
        (2, "10.0.0.1, 203.0.113.9,198.51.100.7", "203.0.113.9"),
        (1, " 2001:DB8::7 ", "2001:db8::7"),
        (1, "::ffff:198.51.100.7", "198.51.100.7"),
    ],
)
def test_client_stands_as_far_from_the_right_as_there_are_proxies(
    settings: Settings, proxies: int, forwarded: str | None, client: str
) -> None:
    settings.REGISTRY_TRUSTED_PROXIES = proxies

    assert find_client_address(environ(forwarded)) == client


@pytest.mark.parametrize(
    ("proxies", "forwarded"),
    [
        (1, None),
        (1, ""),
        (1, "unknown"),
        (1, "198.51.100.7, "),
        (1, "198.51.100.7:4711"),
        (1, "198.51.100.7, _hidden"),
        (2, "198.51.100.7"),
        (3, "203.0.113.9, 198.51.100.7"),
    ],
)
def test_header_without_an_address_there_counts_for_the_peer(
    settings: Settings, proxies: int, forwarded: str | None
) -> None:
    settings.REGISTRY_TRUSTED_PROXIES = proxies

    assert find_client_address(environ(forwarded)) == PEER


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("", "unknown"),
    ],
)
def test_limits_count_ipv6_by_its_64(peer: str, network: str) -> None:
    assert find_client_network(environ(None, peer)) == network

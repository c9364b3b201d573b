"""The URN in a web address."""

from __future__ import annotations

import pytest

from registry.urn import find
from registry.urn.carried import find_carried_urn
from tests.endless import stopped_if_endless

CARRIED = {
    "path": ("https://r.example/URN:AB:c", "URN:AB:c"),
    "path-with-slashes": ("https://r.example/x/urn:ab:c/d", "urn:ab:c/d"),
    "path-with-a-slash-behind": ("https://r.example/urn:ab:c/", "urn:ab:c"),
    "path-with-a-query": ("https://r.example/urn:ab:c?lang=fi", "urn:ab:c"),
    "path-with-a-component": ("https://r.example/urn:ab:c?=lang=fi", "urn:ab:c?=lang=fi"),
    "path-with-a-fragment": ("https://r.example/urn:ab:c#page=3", "urn:ab:c#page=3"),
    "encoded-path": ("https://r.example/urn%3Aab%3Ac%2Fd", "urn:ab:c/d"),
    "query": ("http://r.example/r.pl?x=1&urn=urn:ab:c&format=pdf", "urn:ab:c"),
    "query-alone": ("http://r.example/resolve?urn:ab:c", "urn:ab:c"),
    "encoded-query": ("http://r.example/?u=urn%3Aab%3Ac%26d&x=1", "urn:ab:c&d"),
    "encoded-twice": ("http://r.example/?u=urn%253Aab%253Ac", "urn:ab:c"),
    "fragment": ("http://r.example/#urn:ab:c", "urn:ab:c"),
    "end-of-a-word": ("http://r.example/turn:ab:c", ""),
    "host": ("http://urn:ab@r.example/", ""),
    "no-nss": ("http://r.example/urn:ab:", ""),
    "no-address": ("urn:ab:c", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("address", "urn"), CARRIED.values(), ids=CARRIED)
def test_urn_is_found_in_an_address(address: str, urn: str) -> None:
    assert find_carried_urn(address) == urn


def test_address_is_found_whole_and_tells_the_urn_it_carries() -> None:
    (found,) = find("See https://r.example/urn:ab:c and more")

    assert (found.text, found.carried_urn) == ("https://r.example/urn:ab:c", "urn:ab:c")


@pytest.mark.parametrize("unit", ["/urn", "/urn%", "?=", "urn:", "%25"])
def test_hostile_address_is_answered(unit: str) -> None:
    with stopped_if_endless():
        find_carried_urn("http://h/" + unit * (1_900 // len(unit)))

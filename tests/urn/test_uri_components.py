"""URIs built and split by component, the base of a reference, and the kinds of host."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.urn import uri
from registry.urn.uri.components import Component

ENCODED: dict[str, tuple[Component, str, str]] = {
    "2.1-space": ("path", "a b", "a%20b"),
    "2.4-percent-is-data": ("path", "100%41", "100%2541"),
    "2.5-utf-8": ("fragment", "ж", "%D0%B6"),
    "3.3-slash-divides-a-path": ("path", "a/b?c#d", "a/b%3Fc%23d"),
    "3.3-slash-in-a-segment": ("segment", "a/b", "a%2Fb"),
    "3.4-query": ("query", "a=b&c?/#", "a=b&c?/%23"),
    "3.4-name": ("name", "a=b&c+d", "a%3Db%26c%2Bd"),
    "3.4-value": ("value", "a=b&c+d", "a=b%26c%2Bd"),
    "3.2.1-userinfo": ("userinfo", "a:b@c", "a:b%40c"),
    "3.2.2-host": ("host", "bücher.example", "b%C3%BCcher.example"),
}


@pytest.mark.parametrize(("component", "text", "written"), ENCODED.values(), ids=ENCODED)
def test_text_is_encoded_as_its_component_needs_it(
    component: Component, text: str, written: str
) -> None:
    assert uri.encode_component(text, component) == written
    assert uri.decode_component(written) == text


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["userinfo", "host", "segment", "path", "query", "name", "value", "fragment"]),
)
def test_encoded_component_decodes_into_itself(text: str, component: Component) -> None:
    assert uri.decode_component(uri.encode_component(text, component)) == text


@pytest.mark.parametrize(("text", "position"), [("a%4", 1), ("%zz", 0), ("%41%ff", 3), ("%C3a", 0)])
def test_octets_that_are_no_text_are_refused_at_their_position(text: str, position: int) -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.decode_component(text)

    assert refusal.value.position == position


def test_lone_surrogate_is_not_encoded() -> None:
    with pytest.raises(uri.URISyntaxError, match="no UTF-8"):
        uri.encode_component("a\ud800", "segment")


URIS_BUILT: dict[str, tuple[dict[str, Any], str]] = {
    "5.3-all-components": (
        {
            "scheme": "https",
            "userinfo": "u",
            "host": "h.example",
            "port": 8080,
            "path": "/a b",
            "query": "q=1",
            "fragment": "f#",
        },
        "https://u@h.example:8080/a%20b?q=1#f%23",
    ),
    "3.2.2-brackets-are-added": (
        {"scheme": "http", "host": "2001:db8::7"},
        "http://[2001:db8::7]",
    ),
    "3.3-segments": (
        {"scheme": "http", "host": "h", "path": ["a/b", "", "ж"]},
        "http://h/a%2Fb//%D0%B6",
    ),
    "3.4-pairs": (
        {"scheme": "s", "path": "", "query": [["a", "b&c"], ["d=", "+"]]},
        "s:?a=b%26c&d%3D=%2B",
    ),
    "3-no-authority": ({"scheme": "mailto", "path": "a@h.example"}, "mailto:a@h.example"),
}


@pytest.mark.parametrize(("parts", "text"), URIS_BUILT.values(), ids=URIS_BUILT)
def test_uri_is_built_of_parts_that_are_not_encoded_yet(parts: dict[str, Any], text: str) -> None:
    assert uri.build_uri(**parts) == text


@pytest.mark.parametrize(
    ("parts", "component"),
    [
        ({"scheme": "1s"}, "scheme"),
        ({"scheme": "s", "path": "//a"}, "host"),
        ({"scheme": "s", "host": "h", "path": "a"}, "host"),
        ({"scheme": "s", "port": 8}, "host"),
        ({"scheme": "URN", "path": "example:a"}, "scheme"),
    ],
)
def test_parts_that_make_no_uri_are_refused(parts: dict[str, Any], component: str) -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.build_uri(**parts)

    assert refusal.value.component == component


BASES: dict[str, tuple[dict[str, str], str, str]] = {
    "5.1.1-embedded-wins": (
        {
            "embedded": "http://e/",
            "encapsulating": "http://n/",
            "retrieval": "http://r/",
            "default": "http://d/",
        },
        "http://e/",
        "embedded",
    ),
    "5.1.2-encapsulating": (
        {"encapsulating": "http://n/", "retrieval": "http://r/"},
        "http://n/",
        "encapsulating",
    ),
    "5.1.3-retrieval": (
        {"retrieval": "http://r/", "default": "http://d/"},
        "http://r/",
        "retrieval",
    ),
    "5.1.4-default": ({"default": "http://d/"}, "http://d/", "default"),
    "5.1-fragment-goes": ({"retrieval": "http://r/a?q#f"}, "http://r/a?q", "retrieval"),
    "5.1-relative-one": (
        {"embedded": "../x/", "retrieval": "http://r/a/b/c"},
        "http://r/a/x/",
        "embedded",
    ),
}


@pytest.mark.parametrize(("given", "base", "source"), BASES.values(), ids=BASES)
def test_base_is_the_innermost_that_there_is(given: dict[str, str], base: str, source: str) -> None:
    found = uri.establish_base(**given)

    assert (found.uri, found.source) == (base, source)
    assert found.rule.startswith("RFC 3986, section 5.1.")


@pytest.mark.parametrize("given", [{}, {"embedded": "a/b"}, {"embedded": "a", "default": "b"}])
def test_no_base_is_made_up(given: dict[str, str]) -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.establish_base(**given)

    assert "5.1" in refusal.value.rule


SAME_DOCUMENT = {
    "4.4-empty": ("http://h/a#x", "", True),
    "4.4-fragment": ("http://h/a#x", "#y", True),
    "4.4-whole": ("http://h/a?q", "http://h/a?q#y", True),
    "4.4-relative-path": ("http://h/b/a", "a#y", True),
    "4.4-another-query": ("http://h/a?q", "?r", False),
    "4.4-another-path": ("http://h/a", "b", False),
    "4.4-urn": ("urn:example:a", "#part", True),
}


@pytest.mark.parametrize(("base", "reference", "same"), SAME_DOCUMENT.values(), ids=SAME_DOCUMENT)
def test_reference_to_its_own_document_is_one_fragments_aside(
    base: str, reference: str, same: bool
) -> None:
    assert uri.is_same_document(reference, base) is same


KINDS = {
    "3.2.2-ipv4": ("192.0.2.1", "IPv4address"),
    "3.2.2-octet-too-large": ("192.0.2.256", "reg-name"),
    "3.2.2-zero-led-octet": ("192.0.2.01", "reg-name"),
    "3.2.2-ipv6": ("[2001:db8::7]", "IPv6address"),
    "3.2.2-future": ("[v1.a:b]", "IPvFuture"),
    "3.2.2-name": ("h.example", "reg-name"),
    "3.2.2-encoded-name": ("%C3%BC.example", "reg-name"),
    "3.2.2-empty": ("", "reg-name"),
    "3.2.2-broken-address": ("[::g]", None),
    "3.2.2-address-without-brackets": ("::1", None),
}


@pytest.mark.parametrize(("host", "kind"), KINDS.values(), ids=KINDS)
def test_kind_of_host_is_that_of_the_first_production_that_matches(
    host: str, kind: str | None
) -> None:
    assert uri.classify_host(host) == kind

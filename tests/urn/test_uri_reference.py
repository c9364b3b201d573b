"""Generic URIs: their parts, and from a reference to its target (RFC 3986)."""

from __future__ import annotations

import pytest

from registry.urn import uri

Parts = tuple[str | None, str | None, str, str | None, str | None]

SPLIT = {
    "B": (
        "http://www.ics.uci.edu/pub/ietf/uri/#Related",
        ("http", "www.ics.uci.edu", "/pub/ietf/uri/", None, "Related"),
    ),
    "3-foo": (
        "foo://example.com:8042/over/there?name=ferret#nose",
        ("foo", "example.com:8042", "/over/there", "name=ferret", "nose"),
    ),
    "3-urn": (
        "urn:example:animal:ferret:nose",
        ("urn", None, "example:animal:ferret:nose", None, None),
    ),
    "1.1.2-mailto": (
        "mailto:John.Doe@example.com",
        ("mailto", None, "John.Doe@example.com", None, None),
    ),
    "1.1.2-ldap": (
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        ("ldap", "[2001:db8::7]", "/c=GB", "objectClass?one", None),
    ),
    "1.1.2-tel": ("tel:+1-816-555-1212", ("tel", None, "+1-816-555-1212", None, None)),
    "4.2-relative": ("a/b:c", (None, None, "a/b:c", None, None)),
    "4.2-network-path": ("//h/p", (None, "h", "/p", None, None)),
    "5.3-empty-is-not-absent": ("s://?#", ("s", "", "", "", "")),
    "3.3-empty": ("", (None, None, "", None, None)),
    "3.5-everything-behind-a-hash": ("#a?b#c\n", (None, None, "", None, "a?b#c\n")),
    "3.1-no-scheme-in-front-of-a-colon": (":a", (None, None, ":a", None, None)),
}


@pytest.mark.parametrize(("text", "parts"), SPLIT.values(), ids=SPLIT)
def test_text_is_split_and_put_together_again(text: str, parts: Parts) -> None:
    reference = uri.split_reference(text)

    assert reference == uri.URIReference(*parts)
    assert uri.recompose_reference(reference) == text


@pytest.mark.parametrize(
    ("authority", "parts"),
    [
        ("h", (None, "h", None)),
        ("u:p@h:80", ("u:p", "h", "80")),
        ("@h:", ("", "h", "")),
        ("[::1]:8", (None, "[::1]", "8")),
        ("[::1]", (None, "[::1]", None)),
        ("", (None, "", None)),
    ],
)
def test_authority_is_split_and_put_together_again(
    authority: str, parts: tuple[str | None, str, str | None]
) -> None:
    assert uri.split_authority(authority) == uri.URIAuthority(*parts)
    assert str(uri.split_authority(authority)) == authority


UNFIT = {
    "3.3-authority-without-slash": (uri.URIReference("s", "h", "p", None, None), "host", 2),
    "3.3-two-slashes-without-authority": (
        uri.URIReference("s", None, "//p", None, None),
        "host",
        2,
    ),
    "4.2-colon-in-first-segment": (uri.URIReference(None, None, "a:b", None, None), "scheme", 0),
    "3.4-question-mark-in-path": (uri.URIReference("s", None, "a?b", None, None), "path", 2),
    "3.5-hash-in-query": (uri.URIReference("s", None, "a", "b#c", None), "query", 3),
}


@pytest.mark.parametrize(("reference", "component", "position"), UNFIT.values(), ids=UNFIT)
def test_components_that_would_be_read_differently_are_refused(
    reference: uri.URIReference, component: str, position: int
) -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.recompose_reference(reference)

    assert (refusal.value.component, refusal.value.position) == (component, position)


WRONG = {
    "3.1-scheme-begins-with-digit": ("1a:b", [(0, "scheme")]),
    "3.1-scheme-character": ("a_b:c", [(1, "scheme")]),
    "3.2-space": ("http://a b/", [(8, "host")]),
    "3.2.1-at-twice": ("http://u@v@h/", [(10, "host")]),
    "3.2.1-bracket": ("http://u[@h/", [(8, "userinfo")]),
    "3.2.2-no-address": ("http://[::g]/", [(10, "host")]),
    "3.2.2-zone": ("http://[fe80::1%25en0]/", [(15, "host")]),
    "3.2.2-five-digits": ("http://[2001:db812::]/", [(17, "host")]),
    "3.2.2-two-gaps": ("http://[1::2::3]/", [(13, "host")]),
    "3.2.2-nine-groups": ("http://[1:2:3:4:5:6:7:8:9]/", [(23, "host")]),
    "3.2.2-seven-groups": ("http://[1:2:3:4:5:6:7]/", [(21, "host")]),
    "3.2.2-gap-of-nothing": ("http://[1:2:3:4:5:6:7::8]/", [(23, "host")]),
    "3.2.2-colon-alone": ("http://[:1]/", [(9, "host")]),
    "3.2.2-octet-of-256": ("http://[::192.0.2.256]/", [(20, "host")]),
    "3.2.2-ipv4-too-early": ("http://[1:2:192.0.2.1]/", [(15, "host")]),
    "3.2.2-ipv4-of-three": ("http://[::192.0.2]/", [(17, "host")]),
    "3.2.2-not-ascii": ("http://[::é]/", [(10, "host")]),
    "3.2.2-empty": ("http://[]/", [(8, "host")]),
    "3.2.2-future-without-point": ("http://[v1]/", [(10, "host")]),
    "3.2.2-future-without-address": ("http://[v1.]/", [(11, "host")]),
    "3.2.2-future-bad": ("http://[v1.a^b]/", [(12, "host")]),
    "3.2.2-bracket-open": ("http://[::1/", [(11, "host")]),
    "3.2.2-behind-bracket": ("http://[::1]a:8/", [(12, "host")]),
    "3.2.3-port": ("http://h:8a/", [(10, "port")]),
    "2.1-percent": ("a%2", [(1, "path")]),
    "3.3-bracket": ("/a[b]", [(2, "path"), (4, "path")]),
    "3.3-not-ascii": ("/é", [(1, "path")]),
    "4.2-colon": (":a", [(0, "path")]),
    "3.4-caret": ("?a^", [(2, "query")]),
    "3.5-hash": ("#a#b", [(2, "fragment")]),
    "everywhere": (
        "a b://c d/e f?g h#i j",
        [(1, "scheme"), (7, "host"), (11, "path"), (15, "query"), (19, "fragment")],
    ),
}


@pytest.mark.parametrize(("text", "found"), WRONG.values(), ids=WRONG)
def test_component_that_may_not_be_so_is_told_with_its_place(
    text: str, found: list[tuple[int, str]]
) -> None:
    assert [(error.position, error.component) for error in uri.validate_reference(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a:",
        "//",
        "http://h:/",
        "http://[v1.a:b]/",
        "http://[::ffff:192.0.2.1]",
        "http://a%20b/",
        "urn:example:a?+b?=c#d",
        "./a:b",
        *(text for text, parts in SPLIT.values() if text not in (":a", "#a?b#c\n")),
    ],
)
def test_nothing_is_wrong_with_a_uri_reference(text: str) -> None:
    assert uri.validate_reference(text) == ()


def test_more_is_asked_of_a_uri_and_of_an_absolute_one() -> None:
    asked = [
        uri.validate_reference("a#b"),
        uri.validate_reference("a#b", "uri"),
        uri.validate_reference("s:a#b", "absolute"),
    ]

    assert [[error.component for error in errors] for errors in asked] == [
        [],
        ["scheme"],
        ["fragment"],
    ]


def test_error_says_what_where_and_by_which_rule() -> None:
    (error,) = uri.validate_reference("http://h/%zz")

    assert "(character 10)" in str(error)
    assert error.rule == "pct-encoded, section 2.1 (RFC 3986)"

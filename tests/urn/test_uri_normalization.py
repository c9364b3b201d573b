"""The ladder of comparisons (RFC 3986, section 6.2), and the locators of 1993."""

from __future__ import annotations

import pytest

from registry.urn import uri
from registry.urn.uri import Rung
from registry.urn.uri.schemes import DEFAULT_PORTS

EQUAL = {
    "6.2.1": ("http://a/b", "http://a/b", Rung.SIMPLE),
    "6.2.2.1-scheme-and-host": ("HTTP://www.EXAMPLE.com/", "http://www.example.com/", Rung.CASE),
    "6.2.2.1-triplets": ("s:%3a", "s:%3A", Rung.CASE),
    "6.2.2.2": ("http://a/%7Euser", "http://a/~user", Rung.PERCENT),
    "6.2.2.2-host": ("http://%41/", "http://a/", Rung.PERCENT),
    "6.2.2.3": ("http://a/b/../c", "http://a/c", Rung.DOTS),
    "6.2.2": ("example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", Rung.DOTS),
    "6.2.3-path": ("http://example.com", "http://example.com/", Rung.SCHEME),
    "6.2.3-port-empty": ("http://example.com:/", "http://example.com/", Rung.SCHEME),
    "6.2.3-port": ("http://example.com:80/", "http://example.com/", Rung.SCHEME),
    "3.2.3-port-led-by-zeros": ("http://h:080/", "http://h/", Rung.SCHEME),
    "3.2.3-port-of-zeros": ("http://h:00/", "http://h:0/", Rung.SCHEME),
    "3.2.3-port-led-by-zeros-elsewhere": ("s://h:0070/", "s://h:70/", Rung.SCHEME),
    "3.2.3-port-empty-elsewhere": ("s://h:/", "s://h/", Rung.SCHEME),
    "3.2.3-port-empty-behind-brackets": ("s://u@[::1]:/", "s://u@[::1]/", Rung.SCHEME),
    "3.2.3-port-empty-without-scheme": ("//h:/", "//h/", Rung.SCHEME),
    **{
        f"6.2.3-{scheme}": (f"{scheme}://h:{port}/a", f"{scheme}://h/a", Rung.SCHEME)
        for scheme, port in DEFAULT_PORTS.items()
    },
    "3.2.3-port-is-not-decoded": ("http://h:%38/", "http://h:8/", None),
    "3.1-no-scheme-before-the-colon": (" urn:example:%41", " urn:example:A", None),
    "6.2.3-another-port": ("https://example.com:80/", "https://example.com/", None),
    "6.2.3-unknown-scheme": ("s://example.com:80/", "s://example.com/", None),
    "6.2.2.1-path-has-case": ("http://a/B", "http://a/b", None),
    "6.2.2.2-reserved-stays": ("s:a%2Fb", "s:a/b", None),
    "6.2.2.3-relative": ("../a", "a", None),
    "8141-3.1-case": ("URN:Example:a%2c", "urn:example:a%2C", Rung.CASE),
    "8141-3.1-nothing-decoded": ("urn:example:%41", "urn:example:A", None),
    "8141-4.2-dots-mean-nothing": ("urn:example:a/../b", "urn:example:b", None),
    "8141-2-no-urn-stays-as-it-is": ("URN:Example:a b/../c", "urn:/c", None),
    "8141-3.1-components": ("urn:example:a?+r", "urn:example:a#f", Rung.SCHEME),
}


@pytest.mark.parametrize(("first", "second", "rung"), EQUAL.values(), ids=EQUAL)
def test_ladder_is_climbed_to_the_rung_that_finds_two_uris_equal(
    first: str, second: str, rung: Rung | None
) -> None:
    comparison = uri.compare_uris(first, second)

    assert (comparison.rung, comparison.is_equal) == (rung, rung is not None)
    assert [step.rung for step in comparison.steps] == list(Rung)[: len(comparison.steps)]
    assert [step.is_equal for step in comparison.steps[:-1]] == [False] * (
        len(comparison.steps) - 1
    )


@pytest.mark.parametrize("text", ["s:%%41", "s:%4%31", "s:%2%46b"])
def test_normalize_uri_makes_no_octet_of_a_percent_sign_without_its_digits(text: str) -> None:
    assert uri.normalize_uri(text) == text


def test_ladder_is_climbed_no_higher_than_asked() -> None:
    assert uri.compare_uris("http://a/%7E", "http://a/~", highest=Rung.CASE).rung is None


LOCATORS = {
    "http": (
        "http://h.example:80/a/b?x+y",
        {"host": "h.example", "port": "80", "path": "a/b", "search": "x+y"},
    ),
    "http-alone": ("http://h.example", {"host": "h.example"}),
    "ftp": (
        "ftp://u:p@h.example/a",
        {"user": "u", "password": "p", "host": "h.example", "path": "a"},
    ),
    "news-group": ("news:comp.infosystems", {"group": "comp.infosystems"}),
    "news-article": ("news:12@h.example", {"article": "12@h.example"}),
    "news-all": ("news:*", {"all": "*"}),
    "nntp": ("nntp:comp.infosystems/12", {"group": "comp.infosystems", "article": "12"}),
    "mailto": ("mailto:a%25b@h.example", {"user": "a%25b", "host": "h.example"}),
    "wais-index": (
        "wais://h.example/db?words",
        {"host": "h.example", "database": "db", "search": "words"},
    ),
    "wais-document": (
        "wais://h.example/db/TEXT/1=2",
        {"host": "h.example", "database": "db", "type": "TEXT", "path": "1=2"},
    ),
    "prospero": (
        "prospero://h.example:191/n/m%001at",
        {"host": "h.example", "port": "191", "name": "n/m", "version": "1", "attributes": "at"},
    ),
    "prospero-without-attributes": (
        "prospero://h.example/n%001",
        {"host": "h.example", "name": "n", "version": "1"},
    ),
    "telnet": ("telnet://u@h.example:23", {"user": "u", "host": "h.example", "port": "23"}),
    "gopher": (
        "gopher://h.example/00/About",
        {"host": "h.example", "type": "0", "selector": "0/About"},
    ),
    "gopher-type-left-out": ("gopher://h.example", {"host": "h.example", "type": "1"}),
    "experimental-with-a-number": ("x-500:c=GB", {"path": "c=GB"}),
    "prefixed": ("URL:http://h.example/x#f", {"host": "h.example", "path": "x", "fragment": "f"}),
}


@pytest.mark.parametrize(("text", "parts"), LOCATORS.values(), ids=LOCATORS)
def test_locator_of_1993_is_taken_apart(text: str, parts: dict[str, str]) -> None:
    located = uri.parse_locator(text)

    assert located is not None
    assert dict(located.parts) == parts


def test_locator_tells_of_characters_that_its_draft_does_not_allow() -> None:
    located = uri.parse_locator("http://h.example/~a?b=c")

    assert located is not None
    assert located.strays == (17, 21)


@pytest.mark.parametrize("text", ["urn:example:a", "afp://h.example/", "no locator", ""])
def test_scheme_that_the_draft_does_not_have_is_none_of_its_locators(text: str) -> None:
    assert uri.parse_locator(text) is None


BROKEN_LOCATORS = {
    "file-of-rfc-1738": ("file:///a/b", 0, "scheme"),
    "message-of-rfc-2392": ("mid:a@h.example", 0, "scheme"),
    "content-of-rfc-2392": ("CID:a@h.example", 0, "scheme"),
    "escape": ("http://h.example/%zz", 17, "path"),
    "escape-cut-short": ("gopher://h.example/1%4", 20, "path"),
    "second-question-mark": ("http://h.example/a?b?c", 20, "query"),
    "second-question-mark-of-an-index": ("wais://h.example/db?a?b#f", 21, "query"),
    "prospero-version-without-number": ("prospero://h.example/n%00", 9, "path"),
}


@pytest.mark.parametrize(
    ("text", "position", "component"), BROKEN_LOCATORS.values(), ids=BROKEN_LOCATORS
)
def test_locator_is_refused_where_its_draft_stops_allowing_it(
    text: str, position: int, component: str
) -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.parse_locator(text)

    assert (refusal.value.position, refusal.value.component) == (position, component)
    assert "1993" in refusal.value.rule


def test_question_mark_of_a_fragment_is_none_of_the_search() -> None:
    located = uri.parse_locator("http://h.example/a?b#c?d")

    assert located is not None
    assert (located.parts["search"], located.parts["fragment"]) == ("b", "c?d")


@pytest.mark.parametrize("text", ["ftp://h.example", "news:", "http:a", "telnet://", "mailto:a"])
def test_locator_without_its_form_is_refused_behind_its_scheme(text: str) -> None:
    with pytest.raises(uri.URISyntaxError) as refusal:
        uri.parse_locator(text)

    assert refusal.value.position == text.index(":") + 1

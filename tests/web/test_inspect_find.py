"""The page that finds URNs in a text, and other pages' answers about other URIs."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from registry import rate_limits
from tests.factories import NamespaceFactory
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db


def test_page_asks_for_a_text_and_is_reached_from_its_neighbours(client: Client) -> None:
    page = client.get("/inspect/find/").content.decode()

    assert 'name="text"' in page
    assert "<mark>" not in page
    assert 'href="/inspect/find/"' in client.get("/inspect/").content.decode()


def test_uris_are_marked_in_the_text(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    text = "See *urn:isbn:1*, <urn:nobody:\n2> & http://h.example/a. <b>bold</b>"

    response = client.post("/inspect/find/", {"text": text})

    page = response.content.decode()
    assert page.count("<mark>") == 3
    assert '<mark><a href="/inspect/?urn=urn%3Aisbn%3A1">urn:isbn:1</a></mark>*, &lt;' in page
    assert "<mark>http://h.example/a</mark>. &lt;b&gt;bold" in page
    words = text_of(response)
    assert "3 URIs" in words
    assert "2 of them URNs" in words
    found = [piece for piece in response.context["found"] if piece.found.is_urn]
    assert [(piece.found.text, piece.is_registered) for piece in found] == [
        ("urn:isbn:1", True),
        ("urn:nobody:2", False),
    ]
    assert words.count("is not registered") == 1


def test_text_without_any_uri_is_said_to_have_none(client: Client) -> None:
    assert "0 URIs" in text_of(client.post("/inspect/find/", {"text": "nothing"}))


def test_empty_text_is_refused(client: Client) -> None:
    assert error_codes(client.post("/inspect/find/", {"text": " "}), "text") == ["required"]


def test_text_too_long_to_be_sent_is_refused(client: Client) -> None:
    text = "urn:ab:c " * (rate_limits.MAX_CHECKED_OCTETS // 9 + 1)

    response = client.post("/inspect/find/", {"text": text})

    assert response.status_code == 413
    assert "<mark>" not in response.content.decode()


def test_very_long_text_is_searched_at_its_beginning_and_the_page_says_so(client: Client) -> None:
    text = "word " * 60_000 + "urn:ab:c"

    response = client.post("/inspect/find/", {"text": f"urn:ab:first {text}"})

    assert [piece.found.text for piece in response.context["found"]] == ["urn:ab:first"]
    assert "only the beginning" in text_of(response)


def test_texts_are_counted_as_lists_are(client: Client, settings: Settings) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001

    first, second = (client.post("/inspect/find/", {"text": "urn:ab:c"}) for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 429)
    assert int(second["Retry-After"]) > 0
    assert f"{second['Retry-After']} seconds" in text_of(second)


def test_address_of_another_scheme_is_read_as_the_uri_it_is(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "ftp://h.example:21/a?b"})

    assert 'aria-labelledby="other-uri"' in response.content.decode()
    assert "Normal form ftp://h.example/a?b" in text_of(response)


def test_text_that_is_no_uri_either_is_not_read_as_one(client: Client) -> None:
    page = client.get("/inspect/", {"urn": "no uri"}).content.decode()

    assert 'aria-labelledby="other-uri"' not in page


def test_urns_are_compared_by_each_specification(client: Client) -> None:
    response = client.get("/inspect/compare/", {"a": "urn:example:a#b", "b": "urn:example:a"})

    lexical = {each.name: each for each in response.context["pair"].lexical}
    words = text_of(response)
    assert lexical["RFC 2141"].is_equivalent is False
    assert f"RFC 2141: not the same {lexical['RFC 2141'].why}" in words
    assert lexical["draft -03, step 5a"].is_equivalent is True
    assert f"step 5a: the same {lexical['draft -03, step 5a'].why}" in words


def test_uris_that_are_no_urns_are_compared_on_the_ladder(client: Client) -> None:
    response = client.get("/inspect/compare/", {"a": "http://h:80", "b": "HTTP://h/"})

    words = text_of(response)
    assert "“scheme-based”" in words
    steps = response.context["pair"].climbed.steps
    assert (steps[0].rung, steps[0].is_equal) == ("simple", False)
    assert all(f"{step.rung}:" in words for step in steps)

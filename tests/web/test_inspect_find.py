"""The page that finds URNs in a text, and other pages' answers about other URIs."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from registry import rate_limits
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_page_asks_for_a_text_and_is_reached_from_its_neighbours(client: Client) -> None:
    response = client.get("/inspect/find/")

    assert "Paste a letter" in text_of(response)
    assert 'href="/inspect/find/"' in client.get("/inspect/").content.decode()


def test_what_is_found_is_marked_in_the_text(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    text = "See *urn:isbn:1*, <urn:nobody:\n2> & http://h.example/a. <b>bold</b>"

    response = client.post("/inspect/find/", {"text": text})

    page = response.content.decode()
    assert page.count("<mark>") == 3
    assert '<mark><a href="/inspect/?urn=urn%3Aisbn%3A1">urn:isbn:1</a></mark>*, &lt;' in page
    assert "<mark>http://h.example/a</mark>. &lt;b&gt;bold" in page
    said = text_of(response)
    assert "3 URIs were found, 2 of them URNs." in said
    assert "urn:isbn:1 its namespace is registered" in said
    assert "urn:nobody:2 its namespace is not registered" in said


def test_text_without_any_is_said_to_have_none(client: Client) -> None:
    assert "0 URIs were found" in text_of(client.post("/inspect/find/", {"text": "nothing"}))


def test_nothing_to_search_is_asked_for(client: Client) -> None:
    assert "Paste the text to search." in text_of(client.post("/inspect/find/", {"text": " "}))


def test_more_than_can_be_searched_is_refused(client: Client) -> None:
    text = "urn:ab:c " * (rate_limits.MAX_CHECKED_OCTETS // 9 + 1)

    response = client.post("/inspect/find/", {"text": text})

    assert response.status_code == 413
    assert "<mark>" not in response.content.decode()


def test_of_a_very_long_text_the_beginning_is_searched_and_said_to_be(client: Client) -> None:
    text = "word " * 60_000 + "urn:ab:c"

    said = text_of(client.post("/inspect/find/", {"text": f"urn:ab:first {text}"}))

    assert "1 URI was found" in said
    assert "We searched only the beginning of the text" in said


def test_texts_are_counted_as_lists_are(client: Client, settings: Settings) -> None:
    settings.REGISTRY_CHECK_SECONDS_PER_MINUTE = 0.001

    first, second = (client.post("/inspect/find/", {"text": "urn:ab:c"}) for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 429)
    assert int(second["Retry-After"]) > 0
    assert "Send this one again in" in text_of(second)


def test_address_of_another_scheme_is_read_as_the_uri_it_is(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "ftp://h.example:21/a?b"})

    said = text_of(response)
    assert "It is a URI of the scheme “ftp”" in said
    assert "Normal form ftp://h.example/a?b" in said


def test_what_is_no_uri_either_is_not_said_to_be_one(client: Client) -> None:
    assert "It is a URI" not in text_of(client.get("/inspect/", {"urn": "no uri"}))


def test_two_urns_are_compared_by_each_specification(client: Client) -> None:
    response = client.get("/inspect/compare/", {"a": "urn:example:a#b", "b": "urn:example:a"})

    said = text_of(response)
    assert "RFC 2141: not the same the whole text counts (section 5)" in said
    assert "draft -03, step 5a: the same query and fragment are left out" in said


def test_two_uris_that_are_no_urns_are_compared_on_the_ladder(client: Client) -> None:
    response = client.get("/inspect/compare/", {"a": "http://h:80", "b": "HTTP://h/"})

    said = text_of(response)
    assert "They are the same URI, seen by the comparison “scheme-based”." in said
    assert "simple: not the same" in said

"""Conditional requests are handled the same everywhere (RFC 9110, section 13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from pytest_django import Settings

from registry.exchange.exports import refresh_exports
from registry.http.conditional_requests import (
    is_not_modified,
    make_content_etag,
    respond_conditionally,
)
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

PATHS = (
    "/api/v1/namespaces/",
    "/exports/urn-namespaces-1.csv",
    "/namespaces.json",
    "/registries/resolution-services.csv",
)
SPELLINGS = ("{}", "W/{}", '"another", {}', "*")


@pytest.fixture(params=[0, 4_000_000], ids=["made anew", "from memory"])
def reader(request: pytest.FixtureRequest, settings: Settings) -> Client:
    """A client that is answered by the application, or from the cache."""
    settings.REGISTRY_CACHE_BYTES = request.param
    NamespaceFactory.create(nid="isbn")
    refresh_exports()
    return Client()


@pytest.mark.parametrize("path", PATHS)
def test_matching_etag_is_answered_without_a_body(reader: Client, path: str) -> None:
    first = reader.get(path)

    for spelling in SPELLINGS:
        again = reader.get(path, headers={"If-None-Match": spelling.format(first["ETag"])})

        assert (spelling, again.status_code, again.content) == (spelling, 304, b"")
        for name in ("ETag", "Access-Control-Allow-Origin"):
            assert again.headers[name] == first.headers[name]


@pytest.mark.parametrize("path", PATHS)
def test_other_etag_is_answered_with_the_body(reader: Client, path: str) -> None:
    answer = reader.get(path, headers={"If-None-Match": '"another"'})

    assert (answer.status_code, answer.content) == (200, Client().get(path).content)


@pytest.mark.parametrize("path", PATHS)
def test_file_is_refused_to_whoever_names_another(reader: Client, path: str) -> None:
    reader.get(path)

    answer = reader.get(path, headers={"If-Match": '"another"'})

    assert answer.status_code == 412


def test_api_says_in_problem_details_that_it_is_another(reader: Client) -> None:
    answer = reader.get("/api/v1/namespaces/", headers={"If-Match": '"another"'})

    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"].endswith("#superseded")


def test_unmodified_since_condition_is_heeded_from_memory_too(reader: Client) -> None:
    long_ago = {"If-Unmodified-Since": "Fri, 01 Jan 1999 00:00:00 GMT"}
    reader.get("/exports/urn-namespaces-1.csv")

    answer = reader.get("/exports/urn-namespaces-1.csv", headers=long_ago)

    assert answer.status_code == 412


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_draft_that_its_author_has_is_not_sent_again(
    draft: RegistrationRequest, registrant: User, sign_in: Callable[[User], Client], spelling: str
) -> None:
    browser, path = sign_in(registrant), f"/requests/{draft.slug}/preview.txt"
    first = browser.get(path)
    assert first.status_code == 200

    again = browser.get(path, headers={"If-None-Match": spelling.format(first["ETag"])})

    assert (again.status_code, again.content) == (304, b"")


def test_not_modified_answer_keeps_all_headers_but_the_bodys() -> None:
    request, etag = HttpRequest(), make_content_etag(b"Words.")
    request.method, request.META = "GET", {"HTTP_IF_NONE_MATCH": etag}
    headers = {"ETag": etag, "Link": '</>; rel="canonical"', "Content-Type": "text/plain"}

    answer = respond_conditionally(request, HttpResponse(b"Words.", headers=headers))

    assert answer.status_code == 304
    assert dict(answer.headers) == {"ETag": etag, "Link": '</>; rel="canonical"'}


@pytest.mark.parametrize("named", ["", "*", '""'])
def test_nobody_has_what_has_no_tag(named: str) -> None:
    assert not is_not_modified({"HTTP_IF_NONE_MATCH": named}, {})

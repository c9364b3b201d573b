"""Error pages."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from lxml import html

from registry.web import errors
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def asked_for(path: str = "/somewhere/") -> HttpRequest:
    return RequestFactory().get(path)


def show_outage(request: HttpRequest) -> HttpResponse:
    return errors.show_unavailable(request, errors.OUTAGE_RETRY_SECONDS)


@pytest.mark.parametrize("path", ["/nowhere/", "/namespaces/seed/bank/", "/guide//", "/.env"])
def test_unknown_address_offers_to_look_it_up(client: Client, path: str) -> None:
    response = client.get(path)

    assert response.status_code == 404
    assert 'action="/find/"' in response.content.decode()


def test_address_asked_for_is_not_repeated_as_markup(client: Client) -> None:
    page = client.get("/<script>alert(1)</script>/").content.decode()

    assert "<script>alert" not in page


def test_refusal_shows_the_reason_of_the_exception() -> None:
    refusal = PermissionDenied("Only the registrar publishes.")

    response = errors.show_forbidden(asked_for(), refusal)

    assert response.status_code == 403
    assert str(refusal) in text_of(response)


def test_request_the_site_cannot_read_is_answered_as_such() -> None:
    response = errors.show_bad_request(asked_for(), SuspiciousOperation())

    assert response.status_code == 400
    assert "400" in text_of(response)


def test_page_is_not_found_whatever_the_exception_says() -> None:
    response = errors.show_not_found(asked_for(), Http404("No User matches the given query."))

    assert response.status_code == 404
    assert "No User matches" not in text_of(response)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("/isbn", "/namespaces/isbn/"),
        ("/ISBN/", "/namespaces/isbn/"),
        ("/urn:isbn:0451450523", "/inspect/?urn=urn%3Aisbn%3A0451450523"),
        ("/URN:isbn:1?=a", "/inspect/?urn=URN%3Aisbn%3A1%3F%3Da"),
        ("/search?q=books", "/find/?q=books"),
        ("/help/", "/guide/"),
    ],
)
def test_address_that_means_something_leads_there(client: Client, typed: str, address: str) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.get(typed)

    assert (response.status_code, response.headers.get("Location")) == (302, address)


@pytest.mark.parametrize("typed", ["/serial-numbers", "/serial/numbers/", "/serial%20numbers"])
def test_words_of_an_unknown_address_are_ready_to_be_looked_up(client: Client, typed: str) -> None:
    response = client.get(typed)

    assert response.status_code == 404
    assert response.context["words"] == "serial numbers"
    assert 'value="serial numbers"' in response.content.decode()


def test_missing_thing_of_ours_is_no_words_to_look_up(client: Client) -> None:
    assert client.get("/requests/r-2026-0001/").context["words"] == ""


def test_error_of_ours_has_a_number_that_stands_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        response = errors.show_server_error(asked_for("/broken/"))

    number = re.search(r"<code>([0-9a-f]{8})</code>", response.content.decode())
    assert response.status_code == 500
    assert number is not None
    assert f"Error {number[1]} at /broken/" in caplog.text


@pytest.mark.parametrize("show", [errors.show_server_error, show_outage])
def test_page_of_a_lost_database_says_where_to_write(
    show: Callable[[HttpRequest], HttpResponse],
) -> None:
    with CaptureQueriesContext(connection) as asked:
        response = show(asked_for("/broken/?q=<b>"))

    (link,) = html.fromstring(response.content.decode()).xpath(
        '//footer//a[text()="Something wrong here?"]/@href'
    )
    assert link == "/contact/?about=/broken/"
    assert asked.captured_queries == []
    form = html.fromstring(Client().get(link).content.decode())
    assert form.xpath('//input[@name="page"]/@value') == ["/broken/"]


def test_form_that_is_too_old_is_told_from_other_refusals() -> None:
    careful = Client(enforce_csrf_checks=True)

    response = careful.post("/theme/", {"theme": "dark"})

    assert response.status_code == 403
    assert response.context["stale_form"] is True
    assert not response.cookies

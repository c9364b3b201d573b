"""Scripts of other sites: they can read everything public, and write only with a token."""

from __future__ import annotations

import pytest
from django.test import Client

from registry.exchange.exports import refresh_exports
from registry.journal.log_worker import build_log
from registry.models import RegistrationRequest, User
from tests.api.clients import JSON, Program
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

READ = "/api/v1/requests/"


def test_public_api_is_readable_from_every_origin(
    sent: RegistrationRequest, client: Client
) -> None:
    response = client.get(f"{READ}{sent.slug}/", headers={"origin": "https://other.example"})

    assert response.headers["Access-Control-Allow-Origin"] == "*"
    exposed = response.headers["Access-Control-Expose-Headers"]
    assert exposed == (
        "Content-Location, Deprecation, ETag, Idempotency-Replayed, Link, Location, RateLimit,"
        " RateLimit-Policy, Retry-After, Sunset"
    )
    assert {"Authorization", "Cookie"} <= set(response.headers["Vary"].split(", "))


def test_refusal_is_read_from_every_site_too(client: Client) -> None:
    missing = client.get(f"{READ}r-1/")
    refused = client.post(READ, {}, JSON)

    assert [each.status_code for each in (missing, refused)] == [404, 401]
    assert missing.headers["Access-Control-Allow-Origin"] == "*"
    assert refused.headers["Access-Control-Allow-Origin"] == "*"


def test_browser_is_told_before_what_a_script_may_send(
    sent: RegistrationRequest, client: Client
) -> None:
    asked = {
        "origin": "https://other.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,idempotency-key,if-match",
    }

    response = client.options(f"{READ}{sent.slug}/verbs/approve/", headers=asked)

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Access-Control-Allow-Methods"] == "POST, OPTIONS"
    allowed = response.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "idempotency-key", "if-match", "content-type"} <= set(allowed)


@pytest.mark.parametrize("path", ["", "tokens/", "hooks/1/", "follows/", "absences/1/"])
@pytest.mark.parametrize("headers", [{}, {"authorization": "Token of-nobody"}])
def test_browser_is_told_of_what_needs_an_account_without_one(
    path: str, headers: dict[str, str], client: Client
) -> None:
    asked = headers | {
        "origin": "https://other.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
    }

    response = client.options(f"/api/v1/account/{path}", headers=asked)

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
    # What cannot be read at all says so without an account, too.
    status = 405 if path == "absences/1/" else 401
    assert client.get(f"/api/v1/account/{path}", headers=headers).status_code == status


def test_description_of_the_api_is_read_from_every_site(registrant: User, client: Client) -> None:
    client.force_login(registrant)

    read = client.get("/api/schema/", headers={"origin": "https://other.example"})
    refused = client.post("/api/schema/")
    asked = client.options("/api/schema/", headers={"access-control-request-method": "GET"})

    assert [each.status_code for each in (read, refused, asked)] == [200, 405, 204]
    assert read.json()["openapi"].startswith("3.")
    for each in (read, refused, asked):
        assert each.headers["Access-Control-Allow-Origin"] == "*"
    assert asked.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"


def test_token_opens_the_answer_to_its_script_and_a_session_does_not(
    sent: RegistrationRequest, registrant: User, client: Client
) -> None:
    client.force_login(registrant)

    by_token = Program.of(registrant).get(f"{sent.slug}/")
    by_session = client.get(f"{READ}{sent.slug}/")

    assert by_token.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in by_session.headers


@pytest.mark.parametrize("method", ["get", "options"])
def test_no_browser_lends_its_cookies(
    method: str, sent: RegistrationRequest, client: Client
) -> None:
    response = getattr(client, method)(f"{READ}{sent.slug}/")

    assert "Access-Control-Allow-Credentials" not in response.headers


PROGRAMS_READ = [
    "/namespaces/isbn.json",
    "/namespaces/isbn.ttl",
    "/namespaces/isbn.atom",
    "/namespaces.csv",
    "/organizations.json",
    "/requests.json",
    "/exports/registry.ttl",
    "/ns",
    "/registries/query-keywords.csv",
    "/resolve/urn:isbn:0395363411",
    "/resolve/?urn=urn%3Aisbn%3A0395363411",
    "/uri-res/I2C?urn:isbn:0395363411",
    "/api/registry/isbn",
    "/log/checkpoint",
    "/log/key",
    "/log/tile/0/000",
    "/log/entries/0.tlog-proof",
]
"""Addresses of files, of resolution, of Bioregistry's paths and of the log, one of each kind."""


@pytest.mark.parametrize("address", PROGRAMS_READ)
def test_script_asks_whether_it_may_read_on_condition_and_may(address: str, client: Client) -> None:
    asked = {
        "origin": "https://other.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "if-none-match",
    }

    response = client.options(address, headers=asked)

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "If-None-Match" in response.headers["Access-Control-Allow-Headers"].split(", ")


@pytest.mark.parametrize("address", ["/namespaces/isbn.json", "/exports/registry.ttl"])
def test_script_reads_tag_and_links_of_a_file(address: str, client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    if address.startswith("/exports/"):
        refresh_exports(at_once=True)

    response = client.get(address)

    assert response.status_code == 200
    assert "ETag" in response.headers
    exposed = response.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Link", "Location"} <= set(exposed)


@pytest.mark.parametrize("address", [*PROGRAMS_READ, "/resolve/", "/uri-res/"])
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_writing_to_a_read_only_address_is_a_405_problem(address: str, method: str) -> None:
    strict = Client(enforce_csrf_checks=True)

    response = getattr(strict, method)(address)

    assert response.status_code == 405
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.json()["status"] == 405


def test_script_of_another_site_reconciles_a_column(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    asked = {"origin": "https://other.example", "access-control-request-method": "POST"}

    before = client.options("/reconcile/", headers=asked)
    answer = client.post("/reconcile/", {"queries": '{"q0": {"query": "isbn"}}'})
    refused = client.put("/reconcile/")

    assert (before.status_code, before.content) == (204, b"")
    assert before.headers["Access-Control-Allow-Methods"] == "GET, HEAD, POST, OPTIONS"
    assert answer.json()["q0"]["result"][0]["id"] == "isbn"
    assert (refused.status_code, refused.json()["status"]) == (405, 405)
    assert refused.headers["Allow"] == "GET, HEAD, POST, OPTIONS"
    for each in (before, answer, refused):
        assert each.headers["Access-Control-Allow-Origin"] == "*"


def test_script_of_another_site_verifies_the_log(sent: RegistrationRequest, client: Client) -> None:
    build_log()

    answers = [client.get(f"/log/{name}") for name in ("checkpoint", "key")]

    assert [each.status_code for each in answers] == [200, 200]
    assert [each.headers["Access-Control-Allow-Origin"] for each in answers] == ["*", "*"]


def test_script_learns_which_day_a_dump_is_of(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")
    refresh_exports(at_once=True)

    response = client.get("/exports/registry-dump.jsonl")

    exposed = response.headers["Access-Control-Expose-Headers"].split(", ")
    assert "Content-Location" in response.headers
    assert "Content-Location" in exposed

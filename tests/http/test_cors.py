"""Scripts of other sites: they read everything that is public, and write with a token alone."""

from __future__ import annotations

import pytest
from django.test import Client

from registry.models import RegistrationRequest, User
from tests.api.clients import JSON, Program

pytestmark = pytest.mark.django_db

READ = "/api/v1/requests/"


def test_what_is_public_is_read_from_every_site(sent: RegistrationRequest, client: Client) -> None:
    response = client.get(f"{READ}{sent.slug}/", headers={"origin": "https://other.example"})

    assert response.headers["Access-Control-Allow-Origin"] == "*"
    exposed = response.headers["Access-Control-Expose-Headers"]
    assert exposed == "ETag, Idempotency-Replayed, Link, Location, Retry-After"
    assert {"Authorization", "Cookie"} <= set(response.headers["Vary"].split(", "))


def test_a_refusal_is_read_from_every_site_too(client: Client) -> None:
    missing = client.get(f"{READ}r-1/")
    refused = client.post(READ, {}, JSON)

    assert [each.status_code for each in (missing, refused)] == [404, 401]
    assert missing.headers["Access-Control-Allow-Origin"] == "*"
    assert refused.headers["Access-Control-Allow-Origin"] == "*"


def test_a_browser_is_told_before_what_a_script_may_send(
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
def test_a_browser_is_told_of_what_needs_an_account_without_one(
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
    assert client.get(f"/api/v1/account/{path}", headers=headers).status_code == 401


def test_the_description_of_the_api_is_read_from_every_site(
    registrant: User, client: Client
) -> None:
    client.force_login(registrant)

    read = client.get("/api/schema/", headers={"origin": "https://other.example"})
    refused = client.post("/api/schema/")
    asked = client.options("/api/schema/", headers={"access-control-request-method": "GET"})

    assert [each.status_code for each in (read, refused, asked)] == [200, 405, 204]
    assert read.json()["openapi"].startswith("3.")
    for each in (read, refused, asked):
        assert each.headers["Access-Control-Allow-Origin"] == "*"
    assert asked.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"


def test_a_token_opens_the_answer_to_its_script_and_a_session_does_not(
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

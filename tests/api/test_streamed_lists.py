"""Batches: lists of named items only, and whole lists as lines."""

from __future__ import annotations

import json
from types import GeneratorType
from typing import Any

import pytest
from django.test import Client

from registry.models import RegistrationRequest, User
from tests.api.clients import Program
from tests.factories import NamespaceFactory, RegistrantFactory

pytestmark = pytest.mark.django_db

LINES = {"Accept": "application/x-ndjson"}


def lines(client: Client, path: str) -> list[dict[str, Any]]:
    """Return the rows of a list requested as lines."""
    response = client.get(f"/api/v1/{path}", headers=LINES)
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.streaming
    return [json.loads(line) for line in response.getvalue().splitlines()]


@pytest.fixture
def filled(sent: RegistrationRequest, draft: RegistrationRequest) -> None:
    for number in range(3):
        RegistrantFactory.create(name=f"Body {number}")
    NamespaceFactory.create(nid="old", registered_on="2004")


@pytest.mark.parametrize(
    "path",
    [
        "namespaces/",
        "namespaces/?sort=-nid",
        "namespaces/?kind=formal&fields=nid,url",
        "requests/",
        "requests/?sort=reference&fields=reference,waiting",
        "organizations/",
        "organizations/?sort=-name",
    ],
)
def test_lines_say_what_the_parts_of_the_list_say(path: str, filled: None, client: Client) -> None:
    parts = client.get(f"/api/v1/{path}").json()["results"]

    assert parts != []
    assert lines(client, path) == parts


def test_lines_are_written_while_rows_are_read(filled: None, client: Client) -> None:
    response: Any = client.get("/api/v1/namespaces/", headers=LINES)

    assert isinstance(response._iterator, map | GeneratorType)
    assert next(iter(response.streaming_content)).endswith(b"}\n")


@pytest.mark.parametrize("name", ["page_size", "cursor"])
def test_lines_have_no_parts(name: str, filled: None, client: Client) -> None:
    response = client.get(f"/api/v1/requests/?{name}=5", headers=LINES)

    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    assert list(response.json()["errors"]) == [name]


def test_lines_and_parts_are_told_apart_by_whoever_keeps_answers(
    filled: None, client: Client
) -> None:
    first = client.get("/api/v1/organizations/")
    second = client.get("/api/v1/organizations/", headers=LINES)
    third = client.get("/api/v1/organizations/")

    assert "Accept" in first.headers["Vary"]
    assert not third.streaming
    assert second.streaming
    assert first.content == third.content


def test_one_thing_has_no_lines(filled: None, client: Client) -> None:
    response = client.get("/api/v1/namespaces/old/", headers=LINES)

    assert response.status_code == 406


def test_draft_stands_in_the_lines_of_its_author_alone(
    informal_draft: RegistrationRequest, sent: RegistrationRequest, registrant: User, client: Client
) -> None:
    author = Program.of(registrant).client

    mine = {each["reference"] for each in lines(author, "requests/")}
    theirs = {each["reference"] for each in lines(client, "requests/")}

    assert mine == {informal_draft.reference, sent.reference}
    assert theirs == {sent.reference}


def test_requests_and_organizations_are_read_by_their_names(
    sent: RegistrationRequest,
    informal_draft: RegistrationRequest,
    registrant: User,
    client: Client,
) -> None:
    bodies = [RegistrantFactory.create(name=f"Body {number}") for number in range(3)]
    asked = f"{sent.slug},{informal_draft.slug.upper()}, R-1999-0001"

    public = client.get("/api/v1/requests/", {"reference": asked}).json()["results"]
    own = Program.of(registrant).get("", reference=asked).json()["results"]
    some = client.get("/api/v1/organizations/", {"id": f"{bodies[2].pk},{bodies[0].pk},0"}).json()

    assert [each["reference"] for each in public] == [sent.reference]
    assert {each["reference"] for each in own} == {sent.reference, informal_draft.reference}
    assert [each["name"] for each in some["results"]] == ["Body 0", "Body 2"]
    assert client.get("/api/v1/requests/", {"reference": "R-1999-0001"}).json()["results"] == []


def test_invalid_id_is_pointed_at(client: Client) -> None:
    response = client.get("/api/v1/organizations/", {"id": "1,two"})

    assert response.status_code == 400
    assert list(response.json()["errors"]) == ["id"]

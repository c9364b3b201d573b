"""Refusals of programs' requests, by kind, each described at its address."""

from __future__ import annotations

from urllib.parse import urldefrag, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from registry.http.problems import PROBLEM_KINDS
from registry.models import User
from tests.api.clients import JSON, Program
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


def test_each_kind_is_described_at_its_own_address(client: Client) -> None:
    for kind in PROBLEM_KINDS.values():
        address, name = urldefrag(kind.uri)

        page = client.get(urlsplit(address).path).content.decode()

        assert address == f"{settings.SITE}/api/problems/"
        assert f'<dt id="{name}">' in page


@pytest.mark.parametrize(
    ("method", "path", "status", "name"),
    [
        pytest.param("get", "/api/v1/namespaces/?page=2", 400, "invalid-input", id="parameter"),
        pytest.param("get", "/api/v1/nowhere/", 404, "not-found", id="nothing there"),
        pytest.param("post", "/api/v1/nowhere/", 404, "not-found", id="nothing to write to"),
        pytest.param("delete", "/api/v1/", 405, "method-not-allowed", id="index"),
        pytest.param("post", "/api/v1/figures/", 405, "method-not-allowed", id="for reading"),
        pytest.param("put", "/api/v1/requests/", 405, "method-not-allowed", id="never put"),
        pytest.param("delete", "/api/v1/account/", 405, "method-not-allowed", id="account"),
        pytest.param("patch", "/api/v1/iana/", 405, "method-not-allowed", id="registrar"),
        pytest.param("get", "/api/v1/account/", 401, "not-signed-in", id="whose"),
        pytest.param("post", "/api/v1/requests/", 401, "not-signed-in", id="who asks"),
        pytest.param("get", "/api/v1/urn/parse/", 400, "invalid-input", id="missing"),
    ],
)
def test_refusal_says_of_which_kind_it_is(
    method: str, path: str, status: int, name: str, client: Client
) -> None:
    response = getattr(client, method)(path)

    assert response.headers["Content-Type"] == "application/problem+json"
    told = response.json()
    assert (response.status_code, told["status"]) == (status, status)
    assert told["type"] == f"{settings.SITE}/api/problems/#{name}"
    assert told["title"] == str(PROBLEM_KINDS[name].title)


def test_invalid_json_is_of_another_kind_than_a_wrong_member(registrant: User) -> None:
    program = Program.of(registrant)

    unread = program.client.post("/api/v1/account/follows/", b"{", JSON)
    wrong = program.client.post("/api/v1/account/follows/", {"nids": 3}, JSON)

    assert (unread.status_code, wrong.status_code) == (400, 400)
    assert unread.json()["type"].endswith("#unreadable")
    assert wrong.json()["type"].endswith("#invalid-input")


def test_method_that_is_not_there_needs_no_good_token(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.put("/api/v1/namespaces/isbn/", headers={"Authorization": "Bearer none"})

    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"

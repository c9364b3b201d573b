"""Columns of identifiers matched with namespaces, as OpenRefine asks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from registry.web.exports.reconciliation import MAX_RECONCILED_QUERIES
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

RECONCILE = "/reconcile/"


def reconcile(*texts: str, **query: Any) -> list[list[dict[str, Any]]]:
    """Return the candidates for each text, as a program without a CSRF token asks."""
    queries = {f"q{place}": {"query": text, **query} for place, text in enumerate(texts)}
    response = Client(enforce_csrf_checks=True).post(RECONCILE, {"queries": json.dumps(queries)})
    assert response.status_code == 200
    return [response.json()[key]["result"] for key in queries]


def test_service_says_what_it_is_and_where_its_results_are_read(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.get(RECONCILE)

    told = response.json()
    assert told["versions"] == ["0.2"]
    assert told["identifierSpace"] == f"{settings.SITE}/namespaces/"
    view = told["view"]["url"].replace("{{id}}", "isbn").removeprefix(settings.SITE)
    assert client.get(view).status_code == 200
    assert response["Access-Control-Allow-Origin"] == "*"


def test_identifiers_and_names_are_matched_and_words_are_candidates() -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")
    NamespaceFactory.create(nid="issn", summary="serial numbers")
    call_command("rebuild_search", verbosity=0)

    urn, nid, bare, words, near, nothing = reconcile(
        "urn:isbn:0395363411", "ISSN", "0-395-36341-1", "book", "isbm", "zzzzzz"
    )

    assert [(each["id"], each["match"], each["score"]) for each in urn] == [("isbn", True, 100.0)]
    assert (nid[0]["id"], nid[0]["match"]) == ("issn", True)
    assert (bare[0]["id"], bare[0]["match"]) == ("isbn", True)
    assert (words[0]["id"], words[0]["match"]) == ("isbn", False)
    assert near
    assert not any(each["match"] for each in near)
    assert nothing == []
    assert urn[0]["type"] == [{"id": "namespace", "name": "URN namespace"}]


def test_candidates_are_limited_to_the_number_and_type_asked_for() -> None:
    for number in range(5):
        NamespaceFactory.create(nid=f"seed{number}", summary="seed vaults")
    call_command("rebuild_search", verbosity=0)

    (few,), (none,) = reconcile("seed", limit=2), reconcile("seed", type="organization")

    assert (len(few), none) == (2, [])


@pytest.mark.parametrize(
    "queries",
    [
        "{",
        "[]",
        '{"q0": "isbn"}',
        '{"q0": {"query": 3}}',
        json.dumps({str(n): {"query": "a"} for n in range(MAX_RECONCILED_QUERIES + 1)}),
    ],
)
def test_invalid_batch_of_queries_is_refused(queries: str, client: Client) -> None:
    response = client.post(RECONCILE, {"queries": queries})

    assert response.status_code == 400
    assert response.json()["type"].endswith("#invalid-input")


def test_unregistered_namespace_is_no_candidate() -> None:
    assert reconcile("urn:nowhere:1") == [[]]

"""The API chooses its renderers by Accept like pages and files."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

LINES, TEXT = "application/x-ndjson", "text/plain"


@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        ("", LINES),
        ("*/*", LINES),
        (TEXT, TEXT),
        (f"{TEXT}, {LINES};q=0.5", TEXT),
        (f"{LINES};q=0, */*", TEXT),
        ("text/*;q=0.2, application/*;q=0.1", TEXT),
    ],
)
def test_greater_weight_decides(client: Client, accept: str, answered: str) -> None:
    headers = {"Accept": accept} if accept else {}

    response = client.post("/api/v1/urn/check/", "urn:a:b", content_type=TEXT, headers=headers)

    assert response.headers["Content-Type"] == f"{answered}; charset=utf-8"


@pytest.mark.parametrize("accept", ["image/png", "application/json;q=0"])
def test_unacceptable_media_type_is_a_406_problem(client: Client, accept: str) -> None:
    response = client.get("/api/v1/namespaces/", headers={"Accept": accept})

    assert response.status_code == 406
    assert response.headers["Content-Type"] == "application/problem+json"

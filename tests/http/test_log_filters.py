"""The log reports what is wrong with the site, and little of what clients do wrong."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What a server prints to the console."""
    [console] = [each for each in logging.getLogger().handlers if each.filters]
    assert isinstance(console, logging.StreamHandler)
    written = io.StringIO()
    before = console.setStream(written)
    yield written
    console.setStream(before)


@pytest.mark.parametrize(
    ("address", "host", "said"),
    [
        ("/theme/", "elsewhere.example", "Invalid HTTP_HOST header"),
        ("/theme/", "testserver", "Unable to parse request body"),
        ("/nowhere/", "testserver", "Not Found"),
    ],
    ids=["host", "body", "address"],
)
def test_what_is_refused_is_one_line_and_no_error(
    client: Client, log: io.StringIO, address: str, host: str, said: str
) -> None:
    kind = "multipart/form-data; boundary="

    response = client.generic("POST", address, b"x", content_type=kind, headers={"host": host})

    assert 400 <= response.status_code < 500
    [line] = log.getvalue().splitlines()
    assert line.startswith("WARNING django.")
    assert said in line


def test_a_fault_of_ours_is_an_error_with_the_way_to_it(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.web.home.views.selectors", None)

    response = Client(raise_request_exception=False).get("/")

    assert response.status_code == 500
    assert "ERROR django.request: Internal Server Error: /" in log.getvalue()
    assert "Traceback" in log.getvalue()

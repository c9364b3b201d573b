"""A deprecated operation of the API, wherever programs and people learn of it."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client

from registry.api import deprecations
from registry.api.deprecations import DeprecatedOperation
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db

MADE_UP = DeprecatedOperation(
    "NamespaceViewSet",
    "list",
    datetime.date(2027, 1, 31),
    datetime.date(2028, 2, 29),
    "The list of namespaces goes: read the table among the exports.",
)
NOTHING = "Nothing is to be removed at present."


@pytest.fixture
def deprecated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of namespaces as if it were deprecated."""
    NamespaceFactory.create(nid="isbn")
    monkeypatch.setattr(deprecations, "DEPRECATED_OPERATIONS", (MADE_UP,))


def read_flags(client: Client) -> dict[str, Any]:
    """Return what the description says about reading namespaces, by path."""
    paths = client.get("/api/schema/").json()["paths"]
    listed, read = "/api/v1/namespaces/", "/api/v1/namespaces/{nid}/"
    return {path: paths[path]["get"].get("deprecated", False) for path in (listed, read)}


@pytest.mark.usefixtures("deprecated")
def test_answers_of_what_is_to_go_say_since_when_and_until_when(client: Client) -> None:
    going = [client.get("/api/v1/namespaces/"), client.get("/api/v1/namespaces/?sort=nope")]
    staying = client.get("/api/v1/namespaces/isbn/")

    assert [each.status_code for each in (*going, staying)] == [200, 400, 200]
    for each in going:
        # RFC 9745, section 2.1: a Date of RFC 9651; RFC 8594, section 3: a date of HTTP.
        assert each.headers["Deprecation"] == "@1801353600"
        assert each.headers["Sunset"] == "Tue, 29 Feb 2028 00:00:00 GMT"
        assert '</api/versions/>; rel="deprecation"; type="text/html"' in each.headers["Link"]
    assert not {"Deprecation", "Sunset"} & set(staying.headers)


@pytest.mark.usefixtures("deprecated")
def test_description_marks_what_is_to_go(client: Client) -> None:
    assert list(read_flags(client).values()) == [True, False]


@pytest.mark.usefixtures("deprecated")
def test_people_read_what_is_to_go_and_what_to_ask_instead(client: Client) -> None:
    page = client.get("/api/versions/").content.decode()

    assert "Deprecated since 31 January 2027, removed on 29 February 2028" in page
    assert str(MADE_UP.words) in page
    assert NOTHING not in page


def test_nothing_is_to_go_at_present(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    answer = client.get("/api/v1/namespaces/")

    assert not {"Deprecation", "Sunset"} & set(answer.headers)
    assert NOTHING in client.get("/api/versions/").content.decode()
    assert list(read_flags(client).values()) == [False, False]

"""Locator tables, uploaded by programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from registry.models import LocatorTable, Namespace, User
from tests.exchange.locator_tables.conftest import Load, found
from tests.notifications.conftest import work

pytestmark = pytest.mark.django_db

A, B = "https://a.example/", "https://b.example/"
ADDRESS = "/api/v1/namespaces/lantern/locators/"
SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    """Reset the counts of earlier tests."""
    cache.clear()
    yield
    cache.clear()


def put(client: Client, text: str, kind: str = "text/csv") -> Any:
    return client.put(ADDRESS, text, content_type=kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"a,{A}\n", "text/csv"),
        (f"a,{A}\n", "text/csv; charset=utf-8"),
        (json.dumps({"name": "a", "locator": A}), "application/x-ndjson"),
    ],
)
def test_table_is_sent_and_looked_after_until_it_is_in_use(
    text: str, kind: str, namespace: Namespace, delegate: User, sign_in: SignIn
) -> None:
    client = sign_in(delegate)

    sent = put(client, text, kind)
    waiting = client.get(ADDRESS).json()
    work()
    done = client.get(ADDRESS).json()

    assert (sent.status_code, sent.json()) == (202, waiting)
    assert waiting["current"] is None
    assert (waiting["latest"]["state"], waiting["latest"]["bytes_given"]) == ("waiting", len(text))
    assert done["current"] == done["latest"]
    assert (done["current"]["state"], done["current"]["rows"]) == ("current", 1)
    assert found(namespace, "a") == [A]


def test_refused_table_has_its_report(
    load: Load, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    load(f"a,{A}\n")
    client = sign_in(registrar)

    put(client, "wrong\n")
    work()
    told = client.get(ADDRESS).json()

    assert (told["current"]["state"], told["latest"]["state"]) == ("current", "refused")
    [refusal] = told["latest"]["report"]
    assert (list(refusal), refusal["line"]) == (["line", "what", "how"], 1)
    assert found(namespace, "a") == [A]


def test_programs_of_others_read_what_is_in_use_and_write_nothing(
    load: Load, namespace: Namespace, client: Client, outsider: User, sign_in: SignIn
) -> None:
    table = load(f"a,{A}\n")
    load("wrong\n")
    other = sign_in(outsider)

    read = [reader.get(ADDRESS).json() for reader in (client, other)]
    refused = [
        (put(writer, "b,c").status_code, writer.delete(ADDRESS).status_code)
        for writer in (client, other)
    ]

    assert [(told["current"]["id"], told["latest"]) for told in read] == [(table.pk, None)] * 2
    assert refused == [(401, 401), (403, 403)]
    assert found(namespace, "a") == [A]


def test_unacceptable_table_is_refused_with_its_status(
    namespace: Namespace, registrar: User, sign_in: SignIn, settings: Settings, uploads: Path
) -> None:
    client = sign_in(registrar)
    settings.REGISTRY_LOCATOR_BYTES = 30

    answers = [
        put(client, f"a,{A}\n", "application/xml"),
        put(client, f"a,{A}\n" * 9),
        put(client, f"a,{A}\n"),
        put(client, f"a,{A}\n"),
        client.get(ADDRESS.replace("lantern", "nobody")),
    ]

    assert [answer.status_code for answer in answers] == [415, 413, 202, 409, 404]
    assert " 30 octets" in answers[1].json()["detail"]
    assert LocatorTable.objects.count() == len(list(uploads.iterdir())) == 1


def test_delete_stops_the_load_first_and_then_drops_the_table(
    load: Load, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    load(f"a,{A}\n")
    client = sign_in(registrar)
    put(client, f"b,{B}\n")

    seen = []
    for _time in range(3):
        seen.append((client.delete(ADDRESS).status_code, found(namespace, "a", "b")))
        work()

    assert seen == [(204, [A, None]), (204, [None, None]), (204, [None, None])]

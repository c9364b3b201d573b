"""A read-only database: readers are served, and actions are refused as a whole."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import Error, connection
from django.test import Client
from psycopg import sql
from pytest_django import Settings

from registry import database
from registry.models import Event, Letter, Message, RegistrationRequest, User
from registry.replicas import ReplicaChoice
from tests.api.clients import Program
from tests.http.test_outage import database_missing
from tests.live.servers import database_url

pytestmark = pytest.mark.django_db(transaction=True)

LONG_TEXT = "Words that need room. " * 200
REFUSED = "You cannot save changes at the moment"


@contextmanager
def database_read_only() -> Iterator[None]:
    """Make the database refuse writes, as a standby does."""
    if connection.vendor == "sqlite":
        with pragma("query_only", 1, 0):
            yield
        return
    name = sql.Identifier(connection.settings_dict["NAME"])
    alter = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
    connection.close()
    with psycopg.connect(
        database_url().rpartition("/")[0] + "/postgres", autocommit=True
    ) as server:
        server.execute(alter.format(name, sql.SQL("on")))
        try:
            yield
        finally:
            server.execute(alter.format(name, sql.SQL("off")))
            connection.close()


@contextmanager
def disk_full() -> Iterator[None]:
    """Make SQLite find no room for another page."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
    with pragma("max_page_count", pages, 1_073_741_823):
        yield


@contextmanager
def pragma(name: str, value: int, before: int) -> Iterator[None]:
    """Set a pragma on the connection that the tests and their clients share."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name} = {value}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {name} = {before}")


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """An outage that has not begun."""
    made = database.Outage()
    for module in ("registry.database", "registry.http.cache", "registry.web.errors"):
        monkeypatch.setattr(f"{module}.outage", made)


def count_rows() -> list[int]:
    return [model.objects.count() for model in (Message, Event, Letter)]


def test_readers_are_served_and_writers_told_while_nothing_can_be_written(
    settings: Settings, outage: None, in_review: RegistrationRequest, outsider: User
) -> None:
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    reader, client = Client(), Client(raise_request_exception=False)
    client.force_login(outsider)
    program = Program.of(outsider)
    program.client.raise_request_exception = False
    before, place = count_rows(), f"{in_review.get_absolute_url()}comment/"

    with database_read_only():
        pages = [reader.get(in_review.get_absolute_url()), reader.get("/health/ready")]
        sent = client.post(place, {"text": "Words."})
        told: Any = program.post(f"{in_review.reference}/messages/", {"text": "Words."})
    again = client.post(place, {"text": "Words."})

    assert [page.status_code for page in pages] == [200, 200]
    assert pages[1].text == "ready, reading only\n"
    assert (sent.status_code, sent.headers["Retry-After"]) == (503, "30")
    assert REFUSED in sent.text
    assert (told.status_code, told.headers["Retry-After"]) == (503, "30")
    assert told.json()["detail"].startswith(REFUSED)
    assert again.status_code == 302
    assert count_rows()[0] == before[0] + 1


def test_act_for_which_the_disk_has_no_room_is_refused_and_leaves_nothing(
    outage: None, in_review: RegistrationRequest, outsider: User
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(outsider)
    before, place = count_rows(), f"{in_review.get_absolute_url()}comment/"

    with disk_full():
        sent = client.post(place, {"text": LONG_TEXT})
        after = count_rows()
        page = Client().get(in_review.get_absolute_url())
    again = client.post(place, {"text": LONG_TEXT})

    assert (sent.status_code, sent.headers["Retry-After"]) == (503, "30")
    assert REFUSED in sent.text
    assert after == before
    assert page.status_code == 200
    assert (again.status_code, count_rows()[0]) == (302, before[0] + 1)


def test_writers_without_the_primary_are_told_of_replicas(
    outage: None, in_review: RegistrationRequest, outsider: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(outsider)
    place = f"{in_review.get_absolute_url()}comment/"
    choice = ReplicaChoice(["replica_1"])
    monkeypatch.setattr("registry.web.errors.replicas", choice)

    with database_missing():
        sent = client.post(place, {"text": "Words."})
        choice.resting_until["replica_1"] = time.monotonic() + 60
        without = client.post(place, {"text": "Words."})

    assert (sent.status_code, without.status_code) == (503, 503)
    assert "cannot be reached" in sent.text
    assert REFUSED not in without.text


def test_question_that_makes_no_sense_refuses_no_writing() -> None:
    with pytest.raises(Error) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")

    assert not database.is_writing_refused(raised.value)
    assert not database.is_writing_refused(ValueError("No number."))

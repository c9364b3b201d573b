"""All processes share a Redis server if the settings name one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from registry import background, database
from registry.http.metrics import write_metrics
from registry.models import User
from registry.selectors.service_status import read_service_status
from tests.programs import free_port, redis_server
from tests.test_settings import load_settings

pytestmark = pytest.mark.django_db

SIGN_UPS_PER_MINUTE = 20
"""allauth's own limit for one address."""


@pytest.fixture
def redis(tmp_path: Path, settings: Settings) -> Iterator[None]:
    """Run a separate server, which the settings name."""
    with redis_server(tmp_path) as url:
        known = load_settings(REGISTRY_CACHE_URL=url)["CACHES"]
        settings.CACHES = settings.CACHES | {"default": known["default"]}
        yield


def count_rows() -> int:
    """Return how many entries the table used without such a server has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM registry_cache")
        rows: int = cursor.fetchone()[0]
        return rows


@pytest.mark.whole
@pytest.mark.usefixtures("redis")
def test_signs_of_worker_and_clock_and_the_lease_are_seen_by_all() -> None:
    here, there = background.Lease(background.CLOCK), background.Lease(background.CLOCK)

    background.give_sign("one")
    background.note_tick()
    taken = [here.take(), there.take(), here.take()]
    here.give_back()

    assert background.find_last_sign() is not None
    assert background.find_last_tick() is not None
    assert taken == [True, False, True]
    assert there.take()
    assert count_rows() == 0


@pytest.mark.whole
@pytest.mark.usefixtures("redis")
def test_limits_of_allauth_are_counted_there() -> None:
    statuses = {
        Client().post("/accounts/sign-up/", {"email": f"a{n}@people.example"}).status_code
        for n in range(SIGN_UPS_PER_MINUTE + 1)
    }

    assert statuses == {200, 429}
    assert count_rows() == 0


@pytest.mark.whole
@pytest.mark.usefixtures("redis")
def test_status_and_the_figures_say_whether_the_server_answers(settings: Settings) -> None:
    background.note_tick()
    before, figures = {each.name: each for each in read_service_status()}, write_metrics().decode()
    url = f"redis://127.0.0.1:{free_port()}"
    known = load_settings(REGISTRY_CACHE_URL=url)["CACHES"]
    settings.CACHES = settings.CACHES | {"default": known["default"]}

    after, later_figures = (
        {each.name: each for each in read_service_status()},
        write_metrics().decode(),
    )

    assert (before["cache"].text, before["cache"].is_wrong) == ("answers", False)
    assert "registry_cache_up 1.0" in figures
    assert after["cache"].is_wrong
    assert "Error 111" in after["cache"].text
    assert before.keys() - after.keys() == {"worker", "clock"}
    assert not after["letters"].is_wrong
    assert "registry_cache_up 0.0" in later_figures
    assert "registry_letters_waiting 0.0" in later_figures


def test_missing_cache_server_refuses_posts_and_serves_pages(
    settings: Settings, registrant: User, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"redis://127.0.0.1:{free_port()}"
    known = load_settings(REGISTRY_CACHE_URL=url)["CACHES"]
    settings.CACHES = settings.CACHES | {"default": known["default"]}
    client = Client(raise_request_exception=False)

    page = client.get("/namespaces/")
    for _time in range(3):
        sent = client.post("/accounts/sign-up/", {"email": "a@people.example"})

    assert page.status_code == 200
    assert (sent.status_code, sent.headers["Retry-After"]) == (503, "30")
    [line] = filter(database.OutageFilter().filter, caplog.records)
    assert "Error 111" in line.getMessage()

"""The operator is warned about a proxy that the settings do not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core import checks
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db

FORWARDED = {"x-forwarded-for": "198.51.100.7"}


def warnings() -> list[str]:
    """Return our own warnings in `manage.py check`."""
    return [each.msg for each in checks.run_checks() if each.id == "registry.W001"]


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def test_forwarded_request_is_said_once_in_the_log_and_by_check(
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = warnings()
    client = Client()
    for _time in range(3):
        client.get("/about/", headers=FORWARDED)

    said = [each.getMessage() for each in caplog.records]
    assert before == []
    assert [each for each in said if "REGISTRY_TRUSTED_PROXIES is 0" in each] == warnings()
    assert len(warnings()) == 1


def test_nothing_is_said_where_the_number_is_set(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REGISTRY_TRUSTED_PROXIES = 1

    Client().get("/about/", headers=FORWARDED)

    assert (warnings(), caplog.records) == ([], [])


def test_nothing_is_said_of_requests_without_the_header(caplog: pytest.LogCaptureFixture) -> None:
    Client().get("/about/")

    assert (warnings(), caplog.records) == ([], [])


def test_number_ends_the_warning(settings: Settings) -> None:
    Client().get("/about/", headers=FORWARDED)
    assert len(warnings()) == 1

    settings.REGISTRY_TRUSTED_PROXIES = 1

    assert warnings() == []


def test_place_that_cannot_be_written_to_costs_nobody_a_page(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.DATA_DIR = tmp_path / "missing"

    response = Client().get("/about/", headers=FORWARDED)

    assert response.status_code == 200
    assert "written down" in caplog.text

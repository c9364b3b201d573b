"""What the operator sees: a line per request, metrics, and error reports."""

from __future__ import annotations

import io
import json
import logging
import logging.config
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from django.conf import settings as project
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings
from structlog.contextvars import clear_contextvars

from registry.http.cache import CachingWSGIHandler
from registry.http.observation import ObservedHandler
from registry.models import Letter, User
from registry.notifications.error_reports import ErrorReportHandler
from tests.http.test_wsgi import environment

pytestmark = pytest.mark.django_db

TOKEN = "a-token-of-more-than-twenty-characters"
Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Return the log as JSON, including requests."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    formatter = cast("Any", project.LOGGING)["formatters"]["json"]
    [console] = [each for each in logging.getLogger().handlers if each.filters]
    for each in console.filters:
        handler.addFilter(each)
    handler.setFormatter(logging.config.DictConfigurator({}).configure_formatter(dict(formatter)))
    access = logging.getLogger("registry.access")
    before = access.level
    for each in (access, logging.getLogger("registry.web.errors")):
        each.addHandler(handler)
    access.setLevel(logging.INFO)
    yield stream
    access.setLevel(before)
    for each in (access, logging.getLogger("registry.web.errors")):
        each.removeHandler(handler)
    clear_contextvars()


@pytest.fixture(autouse=True)
def lasting_connection() -> Iterator[None]:
    """Keep the connection of the test between requests, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def ask(path: str, **more: str) -> dict[str, str]:
    """Call the server as a web server does; return the headers of the response."""
    answered: dict[str, str] = {}

    def start(status: str, headers: list[tuple[str, str]], *_error: object) -> None:
        answered.update(headers, status=status)

    handler: Any = ObservedHandler(CachingWSGIHandler())
    body = handler(environment(path, **more), start)
    for _piece in body:
        pass
    body.close()
    return answered


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the lines of the log."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_each_request_has_a_line_with_time_name_status_and_duration(
    written: io.StringIO,
) -> None:
    answered = ask("/about/?from=a-secret-link")

    (line,) = lines_of(written)
    assert line["request_id"] == answered["X-Request-ID"]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/about/", 200)
    assert line["duration_ms"] > 0
    assert line["time"].endswith("Z")
    assert line["person"] is None
    assert "a-secret-link" not in written.getvalue()


def test_line_names_no_key_of_a_letter(written: io.StringIO) -> None:
    ask("/account/invitations/kq7-sealed-w0rd/")

    (line,) = lines_of(written)
    assert line["path"] == "/account/invitations/[key]"
    assert "kq7" not in written.getvalue()


def test_line_says_by_whom_a_request_was_sent_where_that_was_asked(
    written: io.StringIO, sign_in: Callable[[User], Client], registrant: User
) -> None:
    cookies = sign_in(registrant).cookies
    said = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())

    ask("/account/", HTTP_COOKIE=said)

    assert [line["person"] for line in lines_of(written)] == [registrant.pk]


def test_name_that_the_web_server_gave_a_request_is_kept_and_no_other_text() -> None:
    good, bad = "5f2c0a9e-1b7d", "two words\nand a line"

    kept = ask("/about/", HTTP_X_REQUEST_ID=good)["X-Request-ID"]
    replaced = ask("/about/", HTTP_X_REQUEST_ID=bad)["X-Request-ID"]

    assert kept == good
    assert len(replaced) == 16


@pytest.mark.parametrize("path", ["/health/status", "/health/metrics"])
@pytest.mark.parametrize("said", ["", "Bearer ", "Bearer another-token-of-some-length"])
def test_status_and_figures_are_not_found_without_the_token(
    client: Client, settings: Settings, path: str, said: str
) -> None:
    headers = {"Authorization": said}
    without = client.get(path, headers=headers)
    settings.REGISTRY_STATUS_TOKEN = TOKEN
    wrong = client.get(path, headers=headers)

    assert (without.status_code, wrong.status_code) == (404, 404)
    right = client.get(path, headers={"Authorization": f"Bearer {TOKEN}"})
    assert right.status_code in {200, 503}


def test_prometheus_reads_the_figures(client: Client, settings: Settings) -> None:
    settings.REGISTRY_STATUS_TOKEN = TOKEN
    ask("/about/")

    answer = client.get("/health/metrics", headers={"Authorization": f"Bearer {TOKEN}"})

    found = {each.name: each.samples for each in text_string_to_metric_families(answer.text)}
    assert found["registry_database_up"][0].value == 1
    assert found["registry_letters_waiting"][0].value == 0
    areas = {sample.labels["area"] for sample in found["registry_http_requests"]}
    assert "other" in areas


def test_status_page_says_what_the_command_says(client: Client, settings: Settings) -> None:
    settings.REGISTRY_STATUS_TOKEN = TOKEN

    answer = client.get("/health/status", headers={"Authorization": f"Bearer {TOKEN}"})

    assert "  database: answers" in answer.text
    assert answer["Cache-Control"] == "no-store"


def test_fault_is_told_by_mail_once_and_without_what_was_typed(settings: Settings) -> None:
    settings.REGISTRY_ERROR_MAIL = ["operator@registry.example"]
    cache.clear()
    handler = ErrorReportHandler()
    secret = "typed in confidence"

    for _time in range(3):
        try:
            raise ValueError(secret)
        except ValueError:
            logger = logging.getLogger("registry.tests")
            handler.handle(
                logger.makeRecord(
                    logger.name, logging.ERROR, __file__, 1, "It broke.", (), sys.exc_info()
                )
            )

    letter = Letter.objects.get()
    assert letter.address == "operator@registry.example"
    assert letter.subject.endswith("ERROR: It broke.")
    assert "test_observation.py" in letter.text
    assert "ValueError" in letter.text
    assert secret not in letter.text

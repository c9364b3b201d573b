"""Programs over HTTP, in several processes at once."""

from __future__ import annotations

import json
import uuid
from collections import Counter as Tally
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPMessage
from pathlib import Path
from threading import Barrier
from typing import Any, Final
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from registry.models import (
    Event,
    IdempotencyRecord,
    RegistrationRequest,
    Token,
    User,
)
from tests.doors import ALL_SCOPES
from tests.live.servers import AnyAnswer, gunicorn

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE: Final = 60
STARTED: Final = {
    "path": "community",
    "organization": "Some Body",
    "nid": "somebody",
    "summary": "Things of some body",
    "standards_action": False,
}
Answer = tuple[int, HTTPMessage, Any]


@pytest.fixture
def shown(registrant: User) -> str:
    """What a program of the registrant shows."""
    _token, shown = Token.objects.create(
        user=registrant, name="x", form_key=uuid.uuid4(), scopes=ALL_SCOPES
    )
    return str(shown)


def start(site: str, token: str, **headers: str) -> Answer:
    """Start a request; return status, headers and what was told."""
    asked = Request(
        f"{site}/api/v1/requests/",
        json.dumps(STARTED).encode(),
        {"Authorization": f"Token {token}", "Content-Type": "application/json", **headers},
    )
    with build_opener(ProxyHandler({}), AnyAnswer()).open(asked, timeout=PATIENCE) as answer:
        return answer.status, answer.headers, json.load(answer)


def at_once(count: int, act: Callable[[int], Answer]) -> list[Answer]:
    """Do `act` so many times in one moment."""
    barrier = Barrier(count)

    def one(number: int) -> Answer:
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(count) as clients:
        return list(clients.map(one, range(count)))


def test_of_many_with_one_key_at_once_one_is_done(tmp_path: Path, shown: str) -> None:
    with gunicorn(tmp_path) as site:
        key = {"Idempotency-Key": "one"}
        answers = at_once(8, lambda _number: start(site, shown, **key))
        last = start(site, shown, **key)

    statuses = Tally(status for status, _headers, _told in answers)
    assert set(statuses) <= {201, 409}
    assert statuses[201] >= 1
    assert {headers["Retry-After"] for status, headers, _told in answers if status == 409} <= {"1"}
    assert {told["reference"] for status, _h, told in answers if status == 201} == {
        last[2]["reference"]
    }
    assert last[1]["Idempotency-Replayed"] == "true"
    assert RegistrationRequest.objects.count() == IdempotencyRecord.objects.count() == 1
    assert Event.objects.filter(verb="start").count() == 1


def test_what_a_person_may_write_is_counted_for_all_processes(
    tmp_path: Path, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTRY_API_WRITES_PER_MINUTE", "4")
    homes = tmp_path / "one", tmp_path / "two"
    for home in homes:
        home.mkdir()
    with gunicorn(homes[0]) as one, gunicorn(homes[1]) as two:
        answers = at_once(10, lambda number: start((one, two)[number % 2], shown))

    statuses = Tally(status for status, _headers, _told in answers)
    assert statuses == {201: 4, 429: 6}
    waits = {int(headers["Retry-After"]) for status, headers, _t in answers if status == 429}
    assert all(1 <= wait <= 60 for wait in waits)
    assert RegistrationRequest.objects.count() == 4

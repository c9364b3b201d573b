"""Programs over HTTP, in several processes at once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter as Tally
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.client import HTTPMessage
from pathlib import Path
from threading import Barrier
from typing import Any, Final
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from django.test import Client

from registry.models import (
    Event,
    IdempotencyRecord,
    RegistrationRequest,
    Token,
    User,
)
from tests.live.servers import PAUSE, ROOT, AnyAnswer, environment, gunicorn
from tests.sign_in import ALL_SCOPES

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE: Final = 60
SLOW: Final = 4 * PATIENCE
STARTED: Final = {
    "path": "community",
    "organization": "Some Body",
    "nid": "somebody",
    "summary": "Things of some body",
    "standards_action": False,
}
Answer = tuple[int, HTTPMessage, Any]

KILLED_WHILE_ANSWERING: Final = """
import json, sys
import django
django.setup()
from django.test import Client
from registry.api import idempotency
from tests.live import killed
idempotency.store_response = lambda *_answer: killed.kill()
body, headers = json.loads(sys.argv[1]), json.loads(sys.argv[2])
client = Client(SERVER_NAME="127.0.0.1")
client.post("/api/v1/requests/", body, "application/json", headers=headers)
"""


@pytest.fixture
def shown(registrant: User) -> str:
    """The token of a registrant's program."""
    _token, shown = Token.objects.create(
        user=registrant, name="x", form_key=uuid.uuid4(), scopes=ALL_SCOPES
    )
    return str(shown)


def start(site: str, token: str, **headers: str) -> Answer:
    """Start a request, and try again while too many wait; return status, headers and body."""
    asked = Request(
        f"{site}/api/v1/requests/",
        json.dumps(STARTED).encode(),
        {"Authorization": f"Token {token}", "Content-Type": "application/json", **headers},
    )
    opener = build_opener(ProxyHandler({}), AnyAnswer())
    while True:
        with opener.open(asked, timeout=PATIENCE) as answer:
            if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
                return answer.status, answer.headers, json.load(answer)
        time.sleep(PAUSE)


def at_once(count: int, act: Callable[[int], Answer]) -> list[Answer]:
    """Do `act` several times at the same moment."""
    barrier = Barrier(count)

    def one(number: int) -> Answer:
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(count) as clients:
        return list(clients.map(one, range(count)))


def test_idempotency_key_sent_many_times_at_once_acts_once(tmp_path: Path, shown: str) -> None:
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


def test_key_is_free_as_soon_as_the_process_that_was_answering_is_killed(
    tmp_path: Path, shown: str
) -> None:
    headers = {"authorization": f"Token {shown}", "idempotency-key": "one"}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_ANSWERING, json.dumps(STARTED), json.dumps(headers)],
        cwd=ROOT,
        env=environment(tmp_path) | {"DJANGO_SETTINGS_MODULE": "registry.settings"},
        check=False,
        timeout=SLOW,
    )
    assert killed.returncode == -signal.SIGKILL
    assert IdempotencyRecord.objects.get().status is None
    assert not RegistrationRequest.objects.exists()

    again = Client().post("/api/v1/requests/", STARTED, "application/json", headers=headers)

    assert (again.status_code, "Idempotency-Replayed" in again.headers) == (201, False)
    assert RegistrationRequest.objects.count() == IdempotencyRecord.objects.count() == 1


def test_write_limit_is_counted_over_all_processes(
    tmp_path: Path, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTRY_API_WRITES_PER_MINUTE", "4")
    homes = tmp_path / "one", tmp_path / "two"
    for home in homes:
        home.mkdir()
    with gunicorn(homes[0]) as one, gunicorn(homes[1]) as two:
        answers = at_once(10, lambda number: start((one, two)[number % 2], shown))

    statuses = Tally(status for status, _headers, _told in answers)
    # Writes that were told to come again, since too many were writing, count too.
    assert set(statuses) == {201, 429}
    assert 1 <= statuses[201] <= 4
    waits = {int(headers["Retry-After"]) for status, headers, _t in answers if status == 429}
    assert all(1 <= wait <= 60 for wait in waits)
    assert RegistrationRequest.objects.count() == statuses[201]

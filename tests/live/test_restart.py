"""Restarting the server behind an open socket, as systemd does, also for another release."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPResponse
from pathlib import Path
from typing import Final
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.live.servers import PATIENCE, ROOT, collect_static_files, environment

START: Final = """
import os, sys
os.dup2({}, 3)
os.environ |= {{"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}}
os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "registry.wsgi"])
"""

MARKED: Final = {
    "registry/http/health.py": 'build_state("live',
    "templates/guide/about.html": '{% block heading %}{% translate "About the registry" %}',
}
"""Where each release says which it is: in what is loaded at the start, and in what is not."""
NAMES: Final = b"urn:isbn:0451450523\n" * 10
HEAD: Final = (
    "POST /api/v1/urn/check/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
    f"Connection: close\r\nContent-Length: {len(NAMES)}\r\n\r\n"
).encode()

LONG_PATIENCE: Final = 4 * PATIENCE
"""It is started twice, and clients meanwhile wait for that."""

pytestmark = pytest.mark.django_db(transaction=True)


def serve(door: socket.socket, home: Path, code: Path = ROOT) -> subprocess.Popen[bytes]:
    """Start the server like a unit with a socket: it inherits the third descriptor."""
    return subprocess.Popen(
        [sys.executable, "-c", START.format(door.fileno())],
        cwd=code,
        env=environment(home) | {"GUNICORN_CMD_ARGS": "--workers=1"},
        pass_fds=[door.fileno()],
        stdout=subprocess.DEVNULL,
    )


def ask(port: int, path: str = "/health/live") -> str:
    """Return the server's response, however long it takes."""
    url = f"http://127.0.0.1:{port}{path}"
    with build_opener(ProxyHandler({})).open(url, timeout=LONG_PATIENCE) as answer:
        return str(answer.read().decode())


def test_readers_during_a_restart_wait_and_are_answered(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door, ThreadPoolExecutor() as readers:
        port = int(door.getsockname()[1])
        first = serve(door, tmp_path)
        before = ask(port)
        first.terminate()
        status = first.wait(LONG_PATIENCE)
        came = [readers.submit(ask, port) for _reader in range(3)]
        second = serve(door, tmp_path)
        try:
            meanwhile = [each.result(LONG_PATIENCE) for each in came]
        finally:
            second.terminate()
            second.wait(LONG_PATIENCE)

    assert (before, status) == ("live\n", 0)
    assert meanwhile == ["live\n"] * 3


def make_release(folder: Path, name: str) -> Path:
    """Copy the code into a folder, with the name of the release in a module and in a template."""
    release = folder / name
    for part in ("registry", "templates", "locale"):
        shutil.copytree(ROOT / part, release / part)
    shutil.copy2(ROOT / "gunicorn.conf.py", release)
    (release / "static").symlink_to(ROOT / "static")
    for file, there in MARKED.items():
        text = (release / file).read_text("utf-8")
        assert there in text
        (release / file).write_text(text.replace(there, f"{there}, {name}", 1), "utf-8")
    return release


def test_restart_ends_what_is_under_way_by_the_old_release_and_goes_on_with_the_new(
    tmp_path: Path,
) -> None:
    """The page is asked for only once the link leads elsewhere: nothing of it is in memory."""
    releases, link, home = tmp_path / "releases", tmp_path / "registry", tmp_path / "home"
    home.mkdir()
    (home / "static").symlink_to(collect_static_files())
    link.symlink_to(make_release(releases, "first"))
    make_release(releases, "second")
    with socket.create_server(("127.0.0.1", 0)) as door, ThreadPoolExecutor() as readers:
        port = int(door.getsockname()[1])
        old = serve(door, home, link)
        before = ask(port)
        link.unlink()
        link.symlink_to(releases / "second")
        page = ask(port, "/about/")
        with socket.create_connection(("127.0.0.1", port), LONG_PATIENCE) as slow:
            slow.sendall(HEAD + NAMES[:10])
            # Until the server has read that much, the request counts as not begun.
            time.sleep(1)
            old.terminate()
            time.sleep(1)
            slow.sendall(NAMES[10:])
            response = HTTPResponse(slow)
            response.begin()
            answer = (response.status, response.read())
        status = old.wait(LONG_PATIENCE)
        came = readers.submit(ask, port)
        new = serve(door, home, link)
        try:
            after, page_after = came.result(LONG_PATIENCE), ask(port, "/about/")
        finally:
            new.terminate()
            new.wait(LONG_PATIENCE)

    assert (before, after) == ("live, first\n", "live, second\n")
    assert (answer[0], b"urn:isbn:0451450523" in answer[1]) == (200, True)
    assert status == 0
    assert list_releases(page) == ["first"]
    assert list_releases(page_after) == ["second"]


def list_releases(page: str) -> list[str]:
    """Return which releases a page is of."""
    return [name for name in ("first", "second") if f"About the registry, {name}" in page]

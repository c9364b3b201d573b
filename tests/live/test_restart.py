"""Restarting the server behind an open socket, as systemd does: nobody is refused."""

from __future__ import annotations

import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.live.servers import PATIENCE, ROOT, environment

START: Final = """
import os, sys
os.dup2({}, 3)
os.environ |= {{"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}}
os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "registry.wsgi"])
"""

LONG_PATIENCE: Final = 4 * PATIENCE
"""It is started twice, and clients meanwhile wait for that."""

pytestmark = pytest.mark.django_db(transaction=True)


def serve(door: socket.socket, home: Path) -> subprocess.Popen[bytes]:
    """Start the server like a unit with a socket: it inherits the third descriptor."""
    return subprocess.Popen(
        [sys.executable, "-c", START.format(door.fileno())],
        cwd=ROOT,
        env=environment(home) | {"GUNICORN_CMD_ARGS": "--workers=1"},
        pass_fds=[door.fileno()],
        stdout=subprocess.DEVNULL,
    )


def ask(port: int) -> str:
    """Return the server's response, however long it takes."""
    url = f"http://127.0.0.1:{port}/health/live"
    with build_opener(ProxyHandler({})).open(url, timeout=LONG_PATIENCE) as answer:
        return str(answer.read().decode())


def test_whoever_comes_while_the_server_is_started_anew_waits_and_is_answered(
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

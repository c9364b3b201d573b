"""Other people's programs that tests run: this machine's, or Debian's."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from tools.test_tools import find_program, is_continuous_integration

PATIENCE: Final = 60.0
STARTING: Final = 0.02


def program(name: str) -> str:
    """Return the path of a program in `tools.test_tools`, or do without: see `lack`."""
    return find_program(name) or lack(name)


def lack(name: str) -> NoReturn:
    """Skip a test for want of a program; in continuous integration that is a failure."""
    missing = f"{name} is missing: make test-tools installs it."
    if is_continuous_integration():
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


@contextmanager
def running(command: Sequence[Any], port: int, **options: Any) -> Iterator[None]:
    """Run a server from when it listens on `port` until the block ends."""
    server = subprocess.Popen(command, **options)
    try:
        wait_for(port, server)
        yield
    finally:
        server.terminate()
        server.wait(PATIENCE)


@contextmanager
def redis_server(home: Path) -> Iterator[str]:
    """Run a Redis server of its own that keeps nothing; yield its URL."""
    binary, port = program("redis-server"), free_port()
    options = {"port": port, "dir": home, "save": "", "pidfile": home / "redis.pid"}
    command = [binary, *(str(word) for name in options for word in (f"--{name}", options[name]))]
    with running(command, port, stdout=subprocess.DEVNULL):
        yield f"redis://127.0.0.1:{port}/0"


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until something listens there."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        except ConnectionError:
            time.sleep(STARTING)
        else:
            return
    raise RuntimeError(f"{server.args!r} does not answer.")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as attempt:
        attempt.bind(("127.0.0.1", 0))
        port: int = attempt.getsockname()[1]
        return port

"""Web server, worker and scheduler run side by side and end together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAYING = "import os, sys, time; os.write(1, b'{name} %d\\n' % os.getpid()); "
LASTING = SAYING + "time.sleep(60)"
ENDING = SAYING + "sys.exit({status})"


def part(code: str, **facts: object) -> list[str]:
    """Return the command of a part that prints its name and number."""
    return [sys.executable, "-c", code.format(**facts)]


@contextmanager
def serving(
    web: list[str], worker: list[str], log: list[str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run the parts, and end whatever a test leaves."""
    program = (
        "import sys; from tools.serving import serve; "
        f"sys.exit(serve({web!r}, {worker!r}, {part('0')!r}, pause=0.2, log={log!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=30)


def named(process: subprocess.Popen[str], count: int) -> dict[str, int]:
    """Return the numbers of the first `count` parts that printed their name, by name."""
    assert process.stdout is not None
    said = [process.stdout.readline().split() for _part in range(count)]
    return {name: int(number) for name, number in said}


KEYS = {"REGISTRY_LOG_KEY": "PRIVATE+KEY", "REGISTRY_LOG_KEY_FILE": "/run/log-key"}
LISTING_KEYS = (
    "import os, time; held = sorted(set(os.environ) & {names!r});"
    "os.write(1, ('{name} ' + ' '.join(held) + '\\n').encode()); time.sleep({seconds})"
)


@pytest.mark.whole
def test_key_of_the_log_goes_to_the_part_that_signs_and_to_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    parts = {
        name: part(LISTING_KEYS, name=name, names=set(KEYS), seconds=seconds)
        # Workers that end are started again, the same way.
        for name, seconds in {"web": 60, "worker": 0, "log": 0}.items()
    }

    with serving(parts["web"], parts["worker"], parts["log"]) as process:
        assert process.stdout is not None
        said = {process.stdout.readline().strip() for _part in range(9)}

    assert said == {"web", "worker", f"log {' '.join(KEYS)}"}


def is_gone(number: int) -> bool:
    """Whether the process ends within some seconds."""
    for _look in range(200):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.whole
@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_all_parts_end_together_when_asked(asked: signal.Signals) -> None:
    with serving(part(LASTING, name="web"), part(LASTING, name="worker")) as process:
        parts = named(process, 2)

        process.send_signal(asked)

        assert process.wait(30) == 0
        assert [name for name, number in parts.items() if not is_gone(number)] == []


@pytest.mark.whole
def test_no_part_outlives_a_program_that_is_killed_outright() -> None:
    with serving(part(LASTING, name="web"), part(LASTING, name="worker")) as process:
        parts = named(process, 2)

        process.kill()

        assert [name for name, number in parts.items() if not is_gone(number)] == []


@pytest.mark.whole
def test_worker_that_ends_is_told_of_and_started_anew() -> None:
    with serving(part(LASTING, name="web"), part(ENDING, name="worker", status=3)) as process:
        named(process, 2)
        assert process.stderr is not None
        told = process.stderr.readline()
        again = named(process, 1)

        assert "(exit status 3)" in told
        assert list(again) == ["worker"]


@pytest.mark.whole
def test_processes_all_end_without_the_web_server() -> None:
    with serving(part(LASTING, name="web"), part(LASTING, name="worker")) as process:
        parts = named(process, 2)

        os.kill(parts["web"], signal.SIGKILL)

        assert process.wait(30) != 0
        assert is_gone(parts["worker"])

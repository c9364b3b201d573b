"""Serve the registry on this machine until stopped: `python -m tools.serving`.

Four parts run side by side: the web server, the worker that sends letters, the one that signs the
log, and now and then the scheduler. They end together. A worker that ends is reported and
restarted, without losing letters. If the web server ends, everything ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from types import FrameType

from registry.env import LOG_KEY, LOG_KEY_FILE

Command = Sequence[str]
Part = subprocess.Popen[bytes]

WEB = [sys.executable, "-m", "gunicorn", "registry.wsgi"]
WORKER = [sys.executable, "manage.py", "db_worker", "--verbosity", "0", "--no-startup-delay"]
LOG = [sys.executable, "manage.py", "build_log", "--every", "30"]
CLOCK = [sys.executable, "manage.py", "tick"]

PR_SET_PDEATHSIG = 1
PAUSE = 5.0
"""Seconds before a worker that ended is restarted."""
BETWEEN_TICKS = 300.0
"""Seconds between runs of the scheduler."""
PATIENCE = 15.0
"""Seconds that a part may take to end: longer than the web server gives its readers."""

DUTIES = {"worker": "sends letters", "log": "signs the log"}
WAITING = {"worker": "letters wait", "log": "entries wait"}

asked_to_stop: list[int] = []


def serve(
    web: Command, worker: Command, clock: Command, pause: float = PAUSE, log: Command | None = None
) -> int:
    """Run the parts until a signal comes or the web server ends; return the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, request_stop)
    running = {"web": start_part(web), "worker": start_part(worker)}
    due = {"worker": 0.0, "log": 0.0, "clock": time.monotonic() + pause}
    if log:
        running["log"] = start_part(log, has_log_key=True)
    try:
        while not asked_to_stop and running["web"].poll() is None:
            time.sleep(0.1)
            supervise_parts(running, due, {"worker": worker, "log": log}, clock, pause)
    finally:
        end_parts(running)
    return 0 if asked_to_stop else running["web"].returncode or 1


def supervise_parts(
    running: dict[str, Part],
    due: dict[str, float],
    workers: Mapping[str, Command | None],
    clock: Command,
    pause: float,
) -> None:
    """Restart workers that ended, after a pause, and run the scheduler when it is due."""
    now = time.monotonic()
    ended = {name for name, part in running.items() if part.poll() is not None}
    for name in ended & workers.keys():
        if not due[name]:
            report_worker_end(name, running[name], pause)
            due[name] = now + pause
        elif now >= due[name] and (command := workers[name]):
            running[name], due[name] = start_part(command, has_log_key=name == "log"), 0.0
    if now >= due["clock"]:
        running["clock"], due["clock"] = start_part(clock, quiet=True), now + BETWEEN_TICKS


def request_stop(number: int, frame: FrameType | None) -> None:
    """Record that somebody asked to stop."""
    asked_to_stop.append(number)


def start_part(command: Command, *, quiet: bool = False, has_log_key: bool = False) -> Part:
    """Start a part that does not get the terminal's ctrl-C, so that it is ended once, in order.

    The log's key is passed on only to the part that signs the log.
    """
    kept = {
        name: value for name, value in os.environ.items() if name not in (LOG_KEY, LOG_KEY_FILE)
    }
    return subprocess.Popen(
        command,
        env=None if has_log_key else kept,
        start_new_session=True,
        preexec_fn=end_with_parent,
        stdout=subprocess.DEVNULL if quiet else None,
    )


def end_with_parent() -> None:
    """Make the part end too if this program is killed; only Linux can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def report_worker_end(name: str, worker: Part, pause: float) -> None:
    """Report that a worker ended, and what follows."""
    print(
        f"The worker that {DUTIES[name]} has ended (exit status {worker.returncode}). It is "
        f"started again in {pause:.0f} s; {WAITING[name]} until then, none is lost.",
        file=sys.stderr,
        flush=True,
    )


def end_parts(running: dict[str, Part]) -> None:
    """End all parts, leaving none behind."""
    for name, part in running.items():
        # The web server takes this for ctrl-C: it does not wait for idle connections.
        part.send_signal(signal.SIGINT if name == "web" else signal.SIGTERM)
    latest = time.monotonic() + PATIENCE
    for part in running.values():
        try:
            part.wait(max(0.1, latest - time.monotonic()))
        except subprocess.TimeoutExpired:
            part.kill()
            part.wait()


if __name__ == "__main__":
    sys.exit(serve(WEB, WORKER, CLOCK, log=LOG))

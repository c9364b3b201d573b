"""Servers to measure: each with one worker on one core, and wrk on another."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SERVING, ASKING = "0", "1"
"""The core of the servers, and that of the client."""
CONNECTIONS: Final = 8
TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
PATIENCE: Final = 60.0


@dataclass(frozen=True, slots=True)
class Load:
    """A server's figures in one round: requests, seconds, and its CPU seconds."""

    requests: int
    seconds: float
    processor: float

    @property
    def microseconds(self) -> float:
        """The CPU time per request."""
        return self.processor / max(self.requests, 1) * 1e6

    @property
    def rate(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds


class Server:
    """A server that runs until it is ended."""

    def __init__(self, command: list[str], port: int, environment: Mapping[str, str]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        started = time.monotonic()
        self.process = subprocess.Popen(
            ["taskset", "-c", SERVING, *command], cwd=ROOT, env=os.environ | dict(environment)
        )
        self.wait()
        self.first_answer = time.monotonic() - started

    def wait(self) -> None:
        """Wait for the first response, whatever it is."""
        latest = time.monotonic() + PATIENCE
        while time.monotonic() < latest and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/about/", timeout=PATIENCE).close()
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.005)
            else:
                return
        raise RuntimeError(f"{self.url} does not answer.")

    def workers(self) -> list[int]:
        """Return the serving processes: the children, or the server if it has none."""
        return list_children(self.process.pid) or [self.process.pid]

    def processor(self) -> float:
        """Return the CPU time of the serving processes, in seconds."""
        return sum(map(read_processor, self.workers()))

    def memory(self) -> tuple[float, float]:
        """Return a worker's memory, and its share of what several have in common, in MB."""
        rollup = Path(f"/proc/{self.workers()[0]}/smaps_rollup").read_text()
        fields = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", rollup, re.MULTILINE))
        return int(fields["Rss"]) / 1024, int(fields["Pss"]) / 1024

    def load(self, path: str, seconds: int, script: Path | None, *headers: str) -> Load:
        """Request `path` as fast as it is answered."""
        command = ["taskset", "-c", ASKING, "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s"]
        command += ["-s", str(script)] if script else []
        command += [part for header in headers for part in ("-H", header)]
        before = self.processor()
        output = subprocess.run([*command, self.url + path], capture_output=True, text=True).stdout
        return parse_load(output, self.processor() - before)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, bytes, str]:
        """Return status, body and ETag of `path`, without following redirects."""
        request = urllib.request.Request(self.url + path, headers=dict(headers or {}))
        try:
            with urllib.request.build_opener(Stay).open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read(), answer.headers.get("ETag", "")
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read(), answer.headers.get("ETag", "")

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirects."""

    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Do not follow."""


def list_children(process: int) -> list[int]:
    """Return the processes that the main thread of a process has started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in children.split()]


def read_processor(process: int) -> float:
    """Return the CPU time of a process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) * TICK


def parse_load(output: str, processor: float) -> Load:
    """Parse wrk's output."""
    totals = re.search(r"(\d+) requests in ([\d.]+)s", output)
    if not totals:
        raise RuntimeError(f"wrk says: {output}")
    return Load(int(totals[1]), float(totals[2]), processor)


def find_free_port() -> int:
    """Return a free port."""
    with socket.socket() as attempt:
        attempt.bind(("127.0.0.1", 0))
        port: int = attempt.getsockname()[1]
        return port


def start_gunicorn(application: str, environment: Mapping[str, str]) -> Server:
    """Start gunicorn as gunicorn.conf.py has it, but with one worker."""
    port = find_free_port()
    own = {"PORT": str(port), "REGISTRY_SITE": f"http://127.0.0.1:{port}", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gunicorn", "--workers=1", application]
    return Server(command, port, own | dict(environment))


def start_uvicorn(application: str, environment: Mapping[str, str]) -> Server:
    """Start uvicorn, with which Bioregistry serves itself; one process."""
    port = find_free_port()
    command = [sys.executable, "-m", "uvicorn", f"--port={port}", "--log-level=error", application]
    return Server([*command, "--no-access-log"], port, environment)

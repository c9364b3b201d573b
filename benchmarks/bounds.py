"""How much memory and CPU time one anonymous request takes in a large registry.

Run from the top of the repository as `python -m benchmarks.bounds [NAMESPACES REQUESTS]`, by
default with 2,000 namespaces and 10,000 requests of two rounds; prints a table in Markdown and
exits with 1 if a worker takes more than 50 MB for one request beyond its idle memory. Each row has
a server of its own; needs taskset (Debian: util-linux).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.servers import ROOT, Server, gunicorn

NAMESPACES: Final = 2_000
REQUESTS: Final = 10_000
ROUNDS: Final = 2
MAX_GROWTH: Final = 50
PATIENCE: Final = 900.0
PIECE: Final = 1 << 16
FILL: Final = """
import django; django.setup()
from benchmarks.published import fill
fill({}, {})
"""
CHECK: Final = "/api/v1/urn/check/"
HEAD: Final = """\
| | status | octets | processor | memory at most | beyond none | target |
|---|--:|--:|--:|--:|--:|---|"""


@dataclass(frozen=True, slots=True)
class Question:
    """The address, what is sent along, and the session cookie, if any."""

    name: str
    path: str
    body: bytes | None = None
    cookie: str = ""


def questions() -> Iterator[Question]:
    yield Question("`/`", "/")
    yield Question("`/namespaces/?show=all`", "/namespaces/?show=all")
    yield Question("`/sitemap-namespaces.xml`", "/sitemap-namespaces.xml")
    yield Question("`/exports/registry-dump.jsonl`", "/exports/registry-dump.jsonl")
    yield Question("`/exports/`", "/exports/")
    yield Question("`urn/check`, 1.1 MB of names of other NIDs", CHECK, names(92_000))
    yield Question("`urn/check`, 20,000 such names", CHECK, names(20_000))


def names(count: int) -> bytes:
    """Return `count` names, each with a different unregistered NID."""
    return b"".join(b"urn:z%05x:x\n" % number for number in range(count))


def main(arguments: list[str]) -> int:
    """Create the registry, and ask everything."""
    namespaces, requests = map(int, arguments) if arguments else (NAMESPACES, REQUESTS)
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        environment = {
            "REGISTRY_DATA_DIR": folder,
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "registry.settings",
        }
        run(environment, "-m", "benchmarks.registries", str(namespaces))
        run(environment, "-c", FILL.format(requests, ROUNDS))
        run(environment, "manage.py", "build_exports")
        print(f"{namespaces:,} namespaces, {requests:,} requests\n\n{HEAD}", flush=True)
        met = [measure(each, environment) for each in questions()]
        return 0 if all(met) else 1


def run(environment: dict[str, str], *words: str) -> None:
    """Run one of our programs."""
    subprocess.run([sys.executable, *words], cwd=ROOT, env=os.environ | environment, check=True)


def measure(question: Question, environment: dict[str, str]) -> bool:
    """Print what one request takes on a fresh server; return whether it is within bounds."""
    server = gunicorn(Path(sys.executable), "registry.wsgi", environment)
    try:
        without, before = highest_memory(server), server.processor()
        status, octets = ask(server, question)
        used, seconds = highest_memory(server), server.processor() - before
    finally:
        server.end()
    is_met = used - without <= MAX_GROWTH
    goal = f"{MAX_GROWTH} MB {'met' if is_met else '**missed**'}"
    print(
        f"| {question.name} | {status} | {octets:,} | {seconds:.1f} s | {used:.0f} MB"
        f" | {used - without:.0f} MB | {goal} |",
        flush=True,
    )
    return is_met


def ask(server: Server, question: Question) -> tuple[int, int]:
    """Return the status and the size of the response."""
    headers = {"Accept-Encoding": "gzip"}
    if question.cookie:
        headers["Cookie"] = question.cookie
    if question.body is not None:
        headers["Content-Type"] = "text/plain"
    asked = urllib.request.Request(server.url + question.path, question.body, headers)
    octets = 0
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            while piece := answer.read(PIECE):
                octets += len(piece)
            return answer.status, octets
    except urllib.error.HTTPError as refused:
        return refused.code, len(refused.read())


def highest_memory(server: Server) -> float:
    """Return the peak memory of the worker, in MB."""
    said = Path(f"/proc/{server.workers()[0]}/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB", said, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

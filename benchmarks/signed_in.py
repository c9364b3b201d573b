"""The cost of a signed-in reader compared with a stranger, who gets cached pages.

Run from the top of the repository as `python -m benchmarks.signed_in`; prints a table in Markdown,
and exits with 1 if a page costs more than ten times as much for a signed-in reader as for a
stranger. The working pages are also named here, for `benchmarks.scale`.
"""

from __future__ import annotations

import http.client
import importlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final
from urllib.parse import urlsplit

from benchmarks.bounds import FILL
from benchmarks.servers import ROOT, Server, gunicorn

NAMESPACES: Final = 100
REQUESTS: Final = 1_000
ROUNDS: Final = 3
ASKED_OF_MEMORY: Final = 500
ASKED_ANEW: Final = 100
MAX_RATIO: Final = 10.0
FIND_PAGES: Final = "import benchmarks.signed_in as own; own.print_pages()"


@dataclass(frozen=True, slots=True)
class WorkingPage:
    """A page that a signed-in person opens: its name, its path and their cookie."""

    name: str
    path: str
    cookie: str


def print_pages() -> None:
    """Print the pages of the registry of the environment, with sessions of their readers."""
    importlib.import_module("django").setup()
    # Models need the settings.
    rows = importlib.import_module("benchmarks.sessions").list_pages()
    print(json.dumps([[each.name, each.path, each.cookie] for each in rows]))


def find_pages(environment: dict[str, str]) -> list[WorkingPage]:
    """Return the pages of a filled registry, by name; readers' pages come last."""
    said = subprocess.run(
        [sys.executable, "-c", FIND_PAGES],
        cwd=ROOT,
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return [WorkingPage(*each) for each in json.loads(said.stdout.splitlines()[-1])]


def ask_often(server: Server, path: str, cookie: str, times: int) -> float:
    """Return CPU microseconds per request, over many requests on one connection."""
    line = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=600)
    headers = {"Accept": "text/html", "Accept-Encoding": "gzip"}
    headers |= {"Cookie": cookie} if cookie else {}
    for time in range(times + 1):
        if time == 1:  # The first one warms up.
            before = server.processor()
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path} was answered with {answer.status}.")
        if time == 0 and cookie:
            # Browsers send the CSRF cookie back, so no new one has to be created.
            given = answer.headers.get_all("Set-Cookie") or []
            headers["Cookie"] = "; ".join([cookie, *(each.partition(";")[0] for each in given)])
    line.close()
    return (server.processor() - before) / times * 1e6


def main() -> int:
    """Fill a registry, and print the table."""
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        environment = {
            "REGISTRY_DATA_DIR": folder,
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "registry.settings",
        }
        for words in (
            ("-m", "benchmarks.registries", str(NAMESPACES)),
            ("-c", FILL.format(REQUESTS, 1)),
        ):
            subprocess.run(
                [sys.executable, *words], cwd=ROOT, env=os.environ | environment, check=True
            )
        return measure(environment)


def measure(environment: dict[str, str]) -> int:
    """Print the cost of each page for both; return 0 if the target is met."""
    pages = [each for each in find_pages(environment) if each.name.startswith("reader")]
    server = gunicorn(Path(sys.executable), "registry.wsgi", environment)
    print("| page | a stranger, from memory, µs | signed in, µs | times | target |")
    print("|---|--:|--:|--:|---|")
    met = True
    try:
        for each in pages:
            rounds = [
                (
                    ask_often(server, each.path, "", ASKED_OF_MEMORY),
                    ask_often(server, each.path, each.cookie, ASKED_ANEW),
                )
                for _round in range(ROUNDS)
            ]
            known, anew = (median(figures) for figures in zip(*rounds, strict=True))
            ratio = median(own / other for other, own in rounds if other)
            met = met and ratio <= MAX_RATIO
            goal = f"{MAX_RATIO:.0f} {'met' if ratio <= MAX_RATIO else '**missed**'}"
            name = each.name.removeprefix("reader, ")
            print(f"| {name} | {known:,.0f} | {anew:,.0f} | {ratio:.1f} | {goal} |")
    finally:
        server.end()
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

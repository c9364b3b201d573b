"""What grows with the registry: pages, files and commands of a large one beside a small one.

`python -m benchmarks.scale [NAMESPACES REQUESTS]` from the top of the repository, by default with
10,000 and 100,000. REGISTRY_SCALE_DATABASE names the server on which PostgreSQL databases are made,
such as `postgres://user@localhost`; without it SQLite is measured. Prints a table in Markdown, and
ends with 1 where a page of the large registry takes more than twice what it takes in the small one,
a worker ends with more than 150 MB, or the clock needs more than 20 seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.bounds import FILL, Question, ask, highest_memory
from benchmarks.servers import ROOT, Server, gunicorn

SMALL: Final = (100, 1_000)
LARGE: Final = (10_000, 100_000)
OVERDUE: Final = 2_000
ROUNDS: Final = 1
REPEATS: Final = 5
MAX_RATIO: Final = 2.0
MAX_MEGABYTES: Final = 150
MAX_TICK_SECONDS: Final = 20.0
SLACK: Final = 0.01
"""Seconds of the processor that do not count: a clock that ticks a hundred times a second."""
PAGES: Final = (
    "/",
    "/namespaces/",
    "/namespaces/isbn/",
    "/namespaces.json?kind=informal",
    "/requests/",
    "/requests.atom",
    "/organizations/",
    "/requests/figures/",
    "/namespaces/?q=archive",
    "/sitemap-namespaces.xml",
    "/exports/",
    "/exports/urn-namespaces.xml",
    "/exports/registry-dump.jsonl",
    "/api/v1/namespaces/",
    "/api/v1/events/",
)
"""What strangers read, each asked as if nothing was in memory."""
COMMANDS: Final = (
    ("build_exports",),
    ("tick",),
    ("verify_journal",),
    ("dump", "--complete", "{folder}/complete.jsonl"),
)
"""Commands, in this order: the clock is measured on requests that are overdue."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of the processor for each page and command, and the most memory of a worker."""

    seconds: dict[str, float]
    megabytes: float
    overdue: int


def main(arguments: list[str]) -> int:
    """Measure both and print the table."""
    size = (int(arguments[0]), int(arguments[1])) if arguments else LARGE
    small, large = measure_registry(*SMALL), measure_registry(*size)
    print(f"\n| | {SMALL[0]:,} / {SMALL[1]:,} | {size[0]:,} / {size[1]:,} | | target |")
    print("|---|--:|--:|--:|---|")
    met = list(print_rows(small, large))
    return 0 if all(met) else 1


def print_rows(small: Measured, large: Measured) -> Iterator[bool]:
    """Print a row for each thing, and yield whether its target was met."""
    for name, before in small.seconds.items():
        now = large.seconds[name]
        is_met, goal = True, ""
        if name.startswith("/"):
            is_met = now <= before * MAX_RATIO + SLACK
            goal = f"twice {'met' if is_met else '**missed**'}"
        elif name == "tick":
            is_met = now <= MAX_TICK_SECONDS * max(1, large.overdue / OVERDUE)
            goal = f"20 s for {OVERDUE:,} {'met' if is_met else '**missed**'}"
        ratio = now / before if before else 0.0
        print(f"| `{name}` | {before:.3f} s | {now:.3f} s | {ratio:.1f} | {goal} |", flush=True)
        yield is_met
    is_met = large.megabytes <= MAX_MEGABYTES
    goal = f"{MAX_MEGABYTES} MB {'met' if is_met else '**missed**'}"
    memory = f"{small.megabytes:.0f} MB | {large.megabytes:.0f} MB"
    print(f"| a worker's memory at most | {memory} | | {goal} |")
    print(f"\nReminders given by `tick`: {small.overdue:,} and {large.overdue:,}.")
    yield is_met


def measure_registry(namespaces: int, requests: int) -> Measured:
    """Make a registry of this size and measure everything in it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="registry-")))
        environment = {
            "REGISTRY_DATA_DIR": str(folder),
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            # Each page is made anew: what comes from memory costs the same in any registry.
            "REGISTRY_CACHE_BYTES": "0",
        }
        if server := os.environ.get("REGISTRY_SCALE_DATABASE"):
            environment["REGISTRY_DATABASE_URL"] = make_database(server, f"scale_{requests}")
        started = time.monotonic()
        run(environment, "-m", "benchmarks.registries", str(namespaces))
        run(environment, "-c", FILL.format(requests, ROUNDS))
        run(environment, "manage.py", "rebuild_search")
        print(
            f"Filled {namespaces:,} / {requests:,}: {time.monotonic() - started:.0f} s", flush=True
        )
        seconds, overdue = {}, 0
        for command in COMMANDS:
            words = [each.format(folder=folder) for each in command]
            before, said = children_seconds(), run(environment, "manage.py", *words)
            seconds[command[0]] = children_seconds() - before
            if command[0] == "tick":
                overdue = count_reminders(said)
        seconds |= (pages := measure_pages(environment))[0]
    return Measured(seconds, pages[1], overdue)


def measure_pages(environment: dict[str, str]) -> tuple[dict[str, float], float]:
    """Return the processor's time for each page, and the most memory that the worker had."""
    server = gunicorn(Path(sys.executable), "registry.wsgi", environment)
    try:
        seconds = {path: measure_page(server, path) for path in PAGES}
        return seconds, highest_memory(server)
    finally:
        server.end()


def measure_page(server: Server, path: str) -> float:
    """Return the processor's time for one page, once what is loaded with the first is loaded."""
    ask(server, Question(path, path))
    before = server.processor()
    for _time in range(REPEATS):
        ask(server, Question(path, path))
    return (server.processor() - before) / REPEATS


def make_database(server: str, name: str) -> str:
    """Make an empty database of that name on the server; return its address."""
    for statement in (f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"):
        subprocess.run(["psql", f"{server}/postgres", "-qc", statement], check=True)
    return f"{server}/{name}"


def run(environment: dict[str, str], *words: str) -> str:
    """Run a program of ours, whatever it finds; return what it says."""
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        print(ran.stderr[-2_000:], file=sys.stderr)
    return ran.stdout


def children_seconds() -> float:
    """Return the processor's time of all programs that were run so far."""
    used = os.times()
    return used.children_user + used.children_system


def count_reminders(said: str) -> int:
    """Return how many reminders the clock says it has given."""
    verbs = ("nudge", "remind", "escalate", "alarm")
    lines = (line.partition(": ") for line in said.splitlines())
    return sum(int(count) for verb, _colon, count in lines if verb in verbs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

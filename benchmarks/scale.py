"""What grows with the registry: pages, files and commands of a large one and a small one.

`python -m benchmarks.scale [NAMESPACES REQUESTS]` from the top of the repository, by default with
10,000 and 100,000. REGISTRY_SCALE_DATABASE names the server for PostgreSQL databases, such as
`postgres://user@localhost`; without it SQLite is measured, and filled row by row, which takes
hours. On PostgreSQL the large registry has many copies of each request of the small one. Prints a
table in Markdown, and exits with 1 if a page of the large registry takes more than twice the time
of the small one, a worker or a command had more than 150 MB, or the scheduler needs more than 20
seconds on the wall. A command is ended after half an hour.
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
from http import HTTPStatus
from pathlib import Path
from typing import Final

from benchmarks.bounds import FILL, Question, ask, highest_memory
from benchmarks.servers import ROOT, Server, gunicorn, read_processor
from benchmarks.signed_in import find_pages

SMALL: Final = (100, 1_000)
LARGE: Final = (10_000, 100_000)
OVERDUE: Final = 2_000
ROUNDS: Final = 1
REPEATS: Final = 5
MAX_RATIO: Final = 2.0
MAX_MEGABYTES: Final = 150
MAX_TICK_SECONDS: Final = 20.0
MAX_COMMAND_SECONDS: Final = 1_800
SLACK: Final = 0.01
"""CPU seconds that do not count: the resolution of the clock is a hundredth of a second."""
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
    "/sitemap.xml",
    "/sitemap-1.xml",
    "/exports/",
    "/exports/urn-namespaces.xml",
    "/exports/registry-dump.jsonl",
    "/api/v1/namespaces/",
    "/api/v1/events/",
)
"""Public pages, each requested with an empty cache."""
LISTS: Final = ("/requests.json", "/requests.xml", "/requests.ttl", "/namespaces.xml")
"""Whole lists, which take longer the more there is, but no more memory."""
BUILD: Final = ("build_exports",)
COMMANDS: Final = (
    ("tick",),
    ("verify_journal",),
    ("dump", "--complete", "{folder}/complete.jsonl"),
)
"""Commands, in this order: the scheduler is measured on overdue requests."""
RESTORE: Final = ("load_dump", "{folder}/complete.jsonl")
"""Into an empty database, after everything else."""
COPY: Final = """
import django; django.setup()
from benchmarks.copies import multiply_requests
multiply_requests({})
"""
RECORD: Final = """
import django; django.setup()
from benchmarks.recorded import record_rows
record_rows()
"""
LEAVE_OVERDUE: Final = """
import django; django.setup()
from benchmarks.overdue import leave_overdue
leave_overdue({})
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """CPU seconds for each page and command, and the peak memory of a process.

    `tick_wall` is the time of the scheduler on the wall.
    """

    seconds: dict[str, float]
    megabytes: dict[str, float]
    overdue: int
    tick_wall: float


@dataclass(frozen=True, slots=True)
class CommandRun:
    """The figures of a command, and its output."""

    seconds: float
    wall: float
    megabytes: float
    said: str


def main(arguments: list[str]) -> int:
    """Measure both and print the table."""
    size = (int(arguments[0]), int(arguments[1])) if arguments else LARGE
    small, large = measure_registry(*SMALL), measure_registry(*size)
    print(f"\n| | {SMALL[0]:,} / {SMALL[1]:,} | {size[0]:,} / {size[1]:,} | | target |")
    print("|---|--:|--:|--:|---|")
    met = list(print_rows(small, large))
    return 0 if all(met) else 1


def print_rows(small: Measured, large: Measured) -> Iterator[bool]:
    """Print a row for each item, and yield whether its target was met."""
    for name, before in small.seconds.items():
        now = large.seconds[name]
        is_met, goal = True, ""
        if name.startswith("/"):
            is_met = now <= before * MAX_RATIO + SLACK
            goal = f"twice {'met' if is_met else '**missed**'}"
        elif name == "tick":
            is_met = large.tick_wall <= MAX_TICK_SECONDS * max(1, large.overdue / OVERDUE)
            is_met_in_words = "met" if is_met else "**missed**"
            goal = f"20 s on the wall for {OVERDUE:,}: {large.tick_wall:.1f} s {is_met_in_words}"
        ratio = now / before if before else 0.0
        print(f"| `{name}` | {before:.3f} s | {now:.3f} s | {ratio:.1f} | {goal} |", flush=True)
        yield is_met
    for name, megabytes in large.megabytes.items():
        is_met = megabytes <= MAX_MEGABYTES
        goal = f"{MAX_MEGABYTES} MB {'met' if is_met else '**missed**'}"
        memory = f"{small.megabytes[name]:.0f} MB | {megabytes:.0f} MB"
        print(f"| most memory of {name} | {memory} | | {goal} |")
        yield is_met
    print(f"\nReminders given by `tick`: {small.overdue:,} and {large.overdue:,}.")


def measure_registry(namespaces: int, requests: int) -> Measured:
    """Create a registry of this size and measure everything in it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="registry-")))
        environment = {
            "REGISTRY_DATA_DIR": str(folder),
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            # Nothing is cached: a cached page costs the same in any registry.
            "REGISTRY_CACHE_BYTES": "0",
        }
        database = os.environ.get("REGISTRY_SCALE_DATABASE")
        if database:
            environment["REGISTRY_DATABASE_URL"] = make_database(database, f"scale_{requests}")
        started = time.monotonic()
        fill(environment, namespaces, requests)
        print(
            f"Filled {namespaces:,} / {requests:,}: {time.monotonic() - started:.0f} s", flush=True
        )
        # The worker first builds the files that strangers read.
        runs = {BUILD[0]: run_command(environment, BUILD, folder)}
        pages, worker = measure_pages(environment)
        run(environment, "-c", LEAVE_OVERDUE.format(OVERDUE))
        for command in COMMANDS:
            runs[command[0]] = run_command(environment, command, folder)
        empty = (
            make_database(database, f"scale_{requests}_again")
            if database
            else f"sqlite:///{folder}/again.sqlite3"
        )
        environment["REGISTRY_DATABASE_URL"] = empty
        run(environment, "manage.py", "migrate", "--verbosity=0")
        runs[RESTORE[0]] = run_command(environment, RESTORE, folder)
    return Measured(
        pages | {name: each.seconds for name, each in runs.items()},
        {"a worker": worker} | {f"`{name}`": each.megabytes for name, each in runs.items()},
        count_reminders(runs["tick"].said),
        runs["tick"].wall,
    )


def fill(environment: dict[str, str], namespaces: int, requests: int) -> None:
    """Fill an empty database; on PostgreSQL with copies of the small registry's requests."""
    made = SMALL[1] if "REGISTRY_DATABASE_URL" in environment else requests
    run(environment, "-m", "benchmarks.registries", str(namespaces))
    run(environment, "-c", FILL.format(made, ROUNDS))
    run(environment, "manage.py", "rebuild_search")
    if requests > made:
        run(environment, "-c", COPY.format(requests // made))
    run(environment, "-c", RECORD)
    if url := environment.get("REGISTRY_DATABASE_URL"):
        # As autovacuum does sooner or later.
        subprocess.run(["psql", url, "-qc", "VACUUM ANALYZE"], check=True)


def run_command(environment: dict[str, str], command: tuple[str, ...], folder: Path) -> CommandRun:
    """Run one of our commands with a time limit, and report its figures."""
    words = [each.format(folder=folder) for each in command]
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            ["timeout", str(MAX_COMMAND_SECONDS), sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=said,
        )
        _pid, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            print(f"{command[0]} ended with {process.returncode}.", file=sys.stderr)
        said.seek(0)
        seconds, wall = used.ru_utime + used.ru_stime, time.monotonic() - started
        return CommandRun(seconds, wall, used.ru_maxrss / 1024, said.read())


def measure_pages(environment: dict[str, str]) -> tuple[dict[str, float], float]:
    """Return the CPU time of each page, and the peak memory of the worker."""
    working = find_pages(environment)
    clock = DatabaseClock(environment.get("REGISTRY_DATABASE_URL", "/none").rpartition("/")[2])
    server = gunicorn(Path(sys.executable), "registry.wsgi", environment)
    try:
        seconds = {path: measure_page(server, clock, path) for path in PAGES}
        for each in working:
            seconds[f"{each.path.partition('/r-')[0]} {each.name}"] = measure_page(
                server, clock, each.path, each.cookie
            )
        seconds |= {f"all of {path}": measure_list(server, clock, path) for path in LISTS}
        return seconds, highest_memory(server)
    finally:
        server.end()


def measure_page(server: Server, clock: DatabaseClock, path: str, cookie: str = "") -> float:
    """Return the CPU time of one page, without what only the first request loads.

    It is that of the worker and of the database.
    """
    question = Question(path, path, cookie=cookie)
    status, _octets = ask(server, question)
    if status != HTTPStatus.OK:
        print(f"{path} was answered with {status}.", file=sys.stderr)
    before = server.processor() + clock.read()
    for _time in range(REPEATS):
        ask(server, question)
    return (server.processor() + clock.read() - before) / REPEATS


def measure_list(server: Server, clock: DatabaseClock, path: str) -> float:
    """Return the CPU time of a whole list, of the worker and of the database."""
    before = server.processor() + clock.read()
    status, _octets = ask(server, Question(path, path))
    if status != HTTPStatus.OK:
        print(f"{path} was answered with {status}.", file=sys.stderr)
    return server.processor() + clock.read() - before


class DatabaseClock:
    """The CPU time of the PostgreSQL processes that serve one database on this machine."""

    def __init__(self, name: str) -> None:
        self.mark = f" {name} "
        self.known: dict[str, float] = {}

    def read(self) -> float:
        """Return the seconds that they have worked so far, including ended ones."""
        for each in Path("/proc").iterdir():
            try:
                if each.name.isdigit() and self.mark in (each / "cmdline").read_text():
                    self.known[each.name] = read_processor(int(each.name))
            except OSError:
                continue  # It has ended meanwhile.
        return sum(self.known.values())


def make_database(server: str, name: str) -> str:
    """Create an empty database of that name on the server; return its address."""
    for statement in (f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"):
        subprocess.run(["psql", f"{server}/postgres", "-qc", statement], check=True)
    return f"{server}/{name}"


def run(environment: dict[str, str], *words: str) -> str:
    """Run one of our programs, whatever its exit status; return its output."""
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


def count_reminders(said: str) -> int:
    """Return how many reminders the scheduler says it has sent."""
    verbs = ("nudge", "remind", "escalate", "alarm")
    lines = (line.partition(": ") for line in said.splitlines())
    return sum(int(count) for verb, _colon, count in lines if verb in verbs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

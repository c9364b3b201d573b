"""How fast the site answers, compared with a bare Django view and Bioregistry's application.

Servers have one worker on one core, and wrk has the other. They alternate, and the CPU time for
each request is compared with that of the bare view in the same round.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from django.conf import settings

from benchmarks import seed as seeds
from benchmarks.servers import Load, Server, start_gunicorn, start_uvicorn
from benchmarks.tables import CannotRun, Table, judge
from registry.exchange.exports.bioregistry import make_bioregistry
from registry.exchange.exports.entries import list_entries

SIZE: Final = (1_000, 1_000)
"""How many namespaces and requests."""
ROUNDS: Final = 3
SECONDS: Final = 1
APPLICATION: Final = "registry.wsgi"
BARE_APPLICATION: Final = "django.core.wsgi:get_wsgi_application()"
FROM_MEMORY: Final = {"REGISTRY_CACHE_BYTES": "16000000"}
MIN_TIMES_BIOREGISTRY: Final = 2.5
MAX_START_SECONDS: Final = 1.0
MAX_MEGABYTES: Final = 95.0
DISTINCT: Final = """\
local n = os.time() * 100000 - 170000000000000
request = function()
  n = n + 1
  return wrk.format("GET", (wrk.path:gsub("NUMBER", string.format("%.0f", n))))
end
"""


@dataclass(frozen=True)
class Row:
    """Something to measure: its address, and the required fraction of the bare view's speed."""

    name: str
    server: str
    path: str
    target: float | None = None
    status: int = 200
    is_unchanged: bool = False
    loads: list[Load] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    @property
    def microseconds(self) -> float:
        """The CPU time of a request in the median round."""
        return statistics.median(load.microseconds for load in self.loads)

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as the table has it."""
        share = statistics.median(self.shares)
        rate = statistics.median(load.rate for load in self.loads)
        target = "" if self.target is None else judge(f"{self.target}", share >= self.target)
        return self.name, f"{self.microseconds:,.0f}", f"{rate:,.0f}", f"{share:.2f}", target


BARE: Final = Row("a bare view", "bare", "/floor/")
REDIRECT: Final = Row("a redirect, from memory", "memory", "/resolve/urn:ietf:rfc:8141", 0.45, 303)
BIOREGISTRY_REDIRECT: Final = Row(
    "Bioregistry: redirect", "Bioregistry", "/isbn:9780395363416", None, 302
)
ROWS: Final = (
    Row("a redirect, another URN each time", "anew", "/resolve/urn:ietf:rfc:NUMBER", 0.45, 303),
    REDIRECT,
    Row("namespace as JSON, made anew", "anew", "/namespaces/isbn.json", 0.25),
    Row("namespace as JSON, from memory", "memory", "/namespaces/isbn.json", 0.5),
    Row("namespace as JSON, 304", "memory", "/namespaces/isbn.json", 0.7, 304, is_unchanged=True),
    Row("namespace in the API, made anew", "anew", "/api/v1/namespaces/isbn/"),
    Row("page of a namespace, made anew", "anew", "/namespaces/isbn/", 0.15),
    Row("page of a namespace, from memory", "memory", "/namespaces/isbn/", 0.35),
    Row("search of prefixes, another each time", "anew", "/api/search?q=NUMBER", 0.3),
    Row("filtered list, made anew", "anew", "/namespaces/?q=book"),
    BIOREGISTRY_REDIRECT,
    Row("Bioregistry: resource", "Bioregistry", "/api/registry/isbn"),
    Row("Bioregistry: search", "Bioregistry", "/api/search?q=NUMBER"),
)


def measure(is_smallest: bool) -> Iterator[Table]:
    """Serve a registry, and request everything by turns."""
    if not find_spec("bioregistry"):
        raise CannotRun("bioregistry is not installed (requirements-dev.txt).")
    namespaces, requests = (110, 10) if is_smallest else SIZE
    seeds.fill(seeds.load_registry(), namespaces, requests)
    rounds, folder = 1 if is_smallest else ROUNDS, Path(os.environ["REGISTRY_DATA_DIR"])
    script = folder / "distinct.lua"
    script.write_text(DISTINCT)
    with ExitStack() as stack:
        servers = {
            "bare": start_gunicorn(BARE_APPLICATION, {"DJANGO_SETTINGS_MODULE": "benchmarks.bare"}),
            "anew": start_gunicorn(APPLICATION, {}),
            "memory": start_gunicorn(APPLICATION, FROM_MEMORY),
        }
        for server in servers.values():
            stack.callback(server.end)
        servers["Bioregistry"] = start_bioregistry(folder)
        stack.callback(servers["Bioregistry"].end)
        for row in ROWS:
            refuse_other_answer(servers[row.server], row)
        for _round in range(rounds):
            for row in ROWS:
                BARE.loads.append(servers["bare"].load(BARE.path, SECONDS, None))
                BARE.shares.append(1.0)
                row.loads.append(measure_row(servers[row.server], row, script))
                row.shares.append(BARE.loads[-1].microseconds / row.loads[-1].microseconds)
        caption = f"One worker, {namespaces:,} namespaces"
        columns = ("", "µs of the processor", "in a second", "of the bare view's speed", "target")
        yield Table(caption, columns, [row.cells for row in (BARE, *ROWS)])
        yield Table(
            "A worker, and Bioregistry", ("", "", "target"), list(measure_worker(servers, rounds))
        )


def start_bioregistry(folder: Path) -> Server:
    """Serve our namespaces with Bioregistry's application."""
    records = folder / "records.json"
    records.write_text(json.dumps(make_bioregistry(list_entries(), settings.SITE)))
    return start_uvicorn("benchmarks.theirs:app", {"BIOREGISTRY_RECORDS": str(records)})


def refuse_other_answer(server: Server, row: Row) -> None:
    """Check that the row measures what it says."""
    status, _body, etag = server.get(row.path.replace("NUMBER", "8141"))
    if row.is_unchanged:
        status, _body, _etag = server.get(row.path, {"If-None-Match": etag})
    if status != row.status:
        raise RuntimeError(f"{row.path} was answered with {status}.")


def measure_row(server: Server, row: Row, script: Path) -> Load:
    """Request one row for some time."""
    headers = [f"If-None-Match: {server.get(row.path)[2]}"] if row.is_unchanged else []
    return server.load(row.path, SECONDS, script if "NUMBER" in row.path else None, *headers)


def measure_worker(servers: dict[str, Server], rounds: int) -> Iterator[tuple[str, str, str]]:
    """Yield how a redirect compares with Bioregistry's, a worker's memory, and its start."""
    times = BIOREGISTRY_REDIRECT.microseconds / REDIRECT.microseconds
    target = judge(f"{MIN_TIMES_BIOREGISTRY} times", times >= MIN_TIMES_BIOREGISTRY)
    yield "a redirect, from memory, as fast as Bioregistry's", f"{times:.1f} times", target
    resident, proportional = servers["memory"].memory()
    target = judge(f"{MAX_MEGABYTES:.0f} MB", resident <= MAX_MEGABYTES)
    yield "resident after all these requests", f"{resident:.0f} MB", target
    yield (
        "its share of that, with what several workers have in common",
        f"{proportional:.0f} MB",
        "",
    )
    soonest = min(measure_start() for _round in range(rounds))
    target = judge(f"{MAX_START_SECONDS:.0f} s", soonest <= MAX_START_SECONDS)
    yield f"start to first answer, the best of {rounds}", f"{soonest:.2f} s", target


def measure_start() -> float:
    """Return how many seconds a server takes to its first response."""
    server = start_gunicorn(APPLICATION, FROM_MEMORY)
    server.end()
    return server.first_answer

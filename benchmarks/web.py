"""How fast the site answers, compared with a bare Django view and Bioregistry's application.

Run from the top of the repository as `python -m benchmarks.web`; needs wrk and taskset (Debian:
wrk, util-linux). Servers have one worker on one core. They alternate, and the CPU time per request
is compared with that of the bare view in the same round. Prints tables in Markdown and exits with 1
if a target is missed.
"""

from __future__ import annotations

import hashlib
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.checked import write_checking
from benchmarks.servers import ROOT, Load, Server, gunicorn, uvicorn

ROUNDS: Final = 5
SECONDS: Final = 2
MANY: Final = 10_000
URN: Final = "urn:ietf:rfc:8141"
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
    def share(self) -> float:
        """The fraction of the bare view's speed in the median round."""
        return statistics.median(self.shares)

    @property
    def is_met(self) -> bool:
        """Whether the target, if there is one, is met."""
        return self.target is None or self.share >= self.target

    def written(self) -> str:
        """Return the row as the table has it."""
        rate = statistics.median(load.rate for load in self.loads)
        goal = "" if self.target is None else f"{self.target} {'met' if self.is_met else MISSED}"
        return (
            f"| {self.name} | {self.microseconds:,.0f} | {rate:,.0f} | {self.share:.2f} | {goal} |"
        )


MISSED: Final = "**missed**"
BARE: Final = Row("a bare view", "bare", "/floor/")
ROWS: Final = (
    Row("`/resolve/`, another URN each time", "kept", "/resolve/urn:ietf:rfc:NUMBER", 0.45, 303),
    Row("`/resolve/`, one URN, from memory", "kept", f"/resolve/{URN}", 0.45, 303),
    Row("namespace as JSON, uncached", "made", "/namespaces/isbn.json", 0.25),
    Row("namespace as JSON, from memory", "kept", "/namespaces/isbn.json", 0.5),
    Row("namespace as JSON, 304", "kept", "/namespaces/isbn.json", 0.7, 304, is_unchanged=True),
    Row("namespace in the API, uncached", "made", "/api/v1/namespaces/isbn/"),
    Row("page of a namespace, uncached", "made", "/namespaces/isbn/", 0.15),
    Row("page of a namespace, from memory", "kept", "/namespaces/isbn/", 0.35),
    Row("search in 10,000, another each time", "many made", "/api/search?q=NUMBER", 0.3),
    Row("search in 10,000 that finds 1,250, uncached", "many made", "/api/search?q=book", 0.3),
    Row("list of 10,000 filtered, uncached", "many made", "/namespaces/?q=book"),
    Row("list of 10,000 narrowed down, from memory", "many", "/namespaces/?q=book", 0.3),
    Row("Bioregistry: redirect", "theirs", "/isbn:9780395363416", None, 302),
    Row("Bioregistry: resource", "theirs", "/api/registry/isbn"),
    Row("Bioregistry: search in 10,000", "theirs", "/api/search?q=book"),
)


def main() -> int:
    """Measure everything and print it; 1 if a target is missed."""
    print(f"Python {platform.python_version()} on {platform.system()}, {platform.machine()}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "distinct.lua").write_text(DISTINCT)
        servers = serve_registries(folder)
        try:
            met = [write_rows(servers, folder), write_exports(servers)]
            met += [write_checking(servers["kept"], folder), write_memory(servers, folder)]
        finally:
            for server in servers.values():
                server.end()
    return 0 if all(met) else 1


def serve_registries(folder: Path) -> dict[str, Server]:
    """Create two registries, today's and one of 10,000 namespaces, and serve them."""
    python = make_runtime()
    today, many = folder / "today", folder / "many"
    for home, count in ((today, 0), (many, MANY)):
        make = [str(python), "-m", "benchmarks.registries", str(count)]
        build = [str(python), "manage.py", "build_exports"]
        for command in (make, build):
            subprocess.run(command, cwd=ROOT, env=make_environment(home), check=True)
    servers = {
        "bare": gunicorn(python, "benchmarks.bare:application", {}),
        "kept": gunicorn(python, "registry.wsgi", make_environment(today)),
        "made": gunicorn(python, "registry.wsgi", make_environment(today, cache="0")),
        "many": gunicorn(python, "registry.wsgi", make_environment(many)),
        "many made": gunicorn(python, "registry.wsgi", make_environment(many, cache="0")),
    }
    records = folder / "records.json"
    records.write_bytes(servers["many"].get("/exports/bioregistry.json")[1])
    servers["theirs"] = uvicorn("benchmarks.theirs:app", {"BIOREGISTRY_RECORDS": str(records)})
    return servers


def make_environment(home: Path, cache: str = "16000000") -> dict[str, str]:
    """Return the environment of a registry in `home`."""
    home.mkdir(exist_ok=True)
    own = {"REGISTRY_DATA_DIR": str(home), "REGISTRY_CACHE_BYTES": cache, "PYTHONPATH": str(ROOT)}
    own["REGISTRY_CHECK_SECONDS_PER_MINUTE"] = "1000"
    return {**os.environ, **own}


def make_runtime() -> Path:
    """Return the Python of an environment with only requirements.txt, created once."""
    pins = (ROOT / "requirements.txt").read_bytes()
    place = ROOT / ".cache" / f"benchmark-{hashlib.sha256(pins).hexdigest()[:12]}"
    python = place / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "-r", "requirements.txt"]
        subprocess.run(install, cwd=ROOT, check=True)
    return python


def write_rows(servers: dict[str, Server], folder: Path) -> bool:
    """Request everything alternately, and print the figures; true if all targets are met."""
    script = folder / "distinct.lua"
    for row in ROWS:
        refuse_other(servers[row.server], row)
    for _round in range(ROUNDS):
        for row in ROWS:
            BARE.loads.append(servers["bare"].load(BARE.path, SECONDS))
            row.loads.append(measure_row(servers[row.server], row, script))
            row.shares.append(BARE.loads[-1].microseconds / row.loads[-1].microseconds)
    BARE.shares.append(1.0)
    print("\n| | processor, µs for each | in a second | of the bare view's speed | target |")
    print("|---|--:|--:|--:|---|")
    for row in (BARE, *ROWS):
        print(row.written())
    ours, theirs = ROWS[1].microseconds, ROWS[-3].microseconds
    times, is_met = theirs / ours, theirs >= 2.5 * ours
    print(f"\nA redirect: {times:.1f} times Bioregistry, 2.5 {'met' if is_met else MISSED}")
    return is_met and all(row.is_met for row in ROWS)


def refuse_other(server: Server, row: Row) -> None:
    """Check that the row measures what it says."""
    status, _body, etag = server.get(row.path.replace("NUMBER", "8141"))
    if row.is_unchanged:
        status, _body, _etag = server.get(row.path, {"If-None-Match": etag})
    if status != row.status:
        raise RuntimeError(f"{row.path} was answered with {status}.")


def measure_row(server: Server, row: Row, script: Path) -> Load:
    """Request one row for some seconds."""
    headers = [f"If-None-Match: {server.get(row.path)[2]}"] if row.is_unchanged else []
    return server.load(row.path, SECONDS, script if "NUMBER" in row.path else None, *headers)


def write_exports(servers: dict[str, Server]) -> bool:
    """Print how much of the full export of 10,000 is sent per second of CPU time."""
    print("\n| the registry of 10,000 namespaces | MB in a second of the processor | target |")
    print("|---|--:|---|")
    speeds: dict[str, list[float]] = {"ours": [], "packed": [], "theirs": []}
    for _round in range(ROUNDS):
        ours = servers["many"].load("/exports/bioregistry.json", SECONDS)
        packed = servers["many"].load(
            "/exports/bioregistry.json", SECONDS, None, "Accept-Encoding: gzip"
        )
        theirs = servers["theirs"].load("/api/registry", 4 * SECONDS)
        for name, load in (("ours", ours), ("packed", packed), ("theirs", theirs)):
            speeds[name].append(load.octets / load.processor / 1e6)
    found = {name: statistics.median(each) for name, each in speeds.items()}
    is_met = found["ours"] >= 2.5 * found["theirs"]
    print(
        f"| ours, `/exports/bioregistry.json` | {found['ours']:,.1f} |"
        f" {describe_target(is_met, '2.5 ×')} |"
    )
    print(f"| ours, packed (as sent) | {found['packed']:,.1f} | |")
    print(f"| Bioregistry, `/api/registry` | {found['theirs']:,.1f} | |")
    return is_met


def write_memory(servers: dict[str, Server], folder: Path) -> bool:
    """Print how soon the site answers, and a worker's memory after all these requests."""
    rss, pss = servers["kept"].memory()
    soonest = min(measure_start(folder) for _start in range(ROUNDS))
    print("\n| | | target |\n|---|--:|---|")
    soon, small = soonest < 1, rss <= 95
    print(
        f"| start to first answer, the best of {ROUNDS} | {soonest:.2f} s |"
        f" {describe_target(soon, '1 s')} |"
    )
    print(f"| resident in a worker | {rss:.0f} MB | {describe_target(small, '95 MB')} |")
    print(f"| its share of that | {pss:.0f} MB | |")
    return soon and small


def measure_start(folder: Path) -> float:
    """Return how long a server takes to its first response."""
    server = gunicorn(make_runtime(), "registry.wsgi", make_environment(folder / "today"))
    server.end()
    return server.first_answer


def describe_target(is_met: bool, what: str) -> str:
    """Return a target, and whether it is met."""
    return f"{what} {'met' if is_met else MISSED}"


if __name__ == "__main__":
    sys.exit(main())

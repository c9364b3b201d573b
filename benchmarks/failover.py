"""What is lost with a primary and its disk, and the cost of waiting so that nothing is.

Run from the top of the repository as `python -m benchmarks.failover [ROUNDS [WRITERS]]`, by default
5 rounds of 4 writers; prints a table in Markdown. In each round writers add events to the journal,
each in a transaction of its own, until the primary is killed with -9; its data is removed and its
replica promoted. Lost is what was acknowledged and is missing then; the window is the time from the
first lost event to the kill. This is done once without waiting for the replica, and once with, as
`deploy/postgresql-primary.conf` has it. Meanwhile `pg_stat_replication` says how long after the
primary the replica has an event on its disk: what is killed in that time is lost. Both servers run
on this machine, on one disk, with fsync: between machines the round trip is added. Exits with 1 if
an event is lost in spite of waiting.
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.live.databases import Server, installed, own, server_home

ROUNDS = 5
WRITERS = 4
SECONDS: Final = 5.0
LOOK_SECONDS: Final = 0.05
ROOT: Final = Path(__file__).resolve().parent.parent
CONFIGURED: Final = ROOT / "deploy" / "postgresql-primary.conf"
REPLICA: Final = ROOT / "deploy" / "postgresql-replica.conf"
DURABLE: Final = {"fsync": "on", "full_page_writes": "on"}

WRITER: Final = """
import os, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
import django
django.setup()
from django.db import transaction
from registry import journal
from registry.models import Namespace
namespace, _is_new = Namespace.objects.get_or_create(
    nid="failover", defaults={"nid_as_registered": "failover", "kind": "formal"}
)
print("ready", flush=True)
sys.stdin.readline()
while True:
    began = time.monotonic()
    with transaction.atomic():
        event = journal.append(namespace, actor=None, verb="note", comment="A line.")
    print(event.number, began, time.monotonic(), flush=True)
"""
"""Adds events once started, and reports each with its start and acknowledgement."""


@dataclass
class Losses:
    """The results of all rounds with one setting."""

    acknowledged: int = 0
    lost: int = 0
    windows: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)


def main(arguments: list[str]) -> int:
    """Measure both settings alternately, and print the table; return the exit status."""
    rounds, writers = [*map(int, arguments), *(ROUNDS, WRITERS)[len(arguments) :]]
    binaries = installed()
    if binaries is None:
        print("pg_basebackup is missing (Debian: apt-get install postgresql).", file=sys.stderr)
        return 1
    found = {"nothing": Losses(), "a replica": Losses()}
    with server_home() as home, tempfile.TemporaryDirectory(prefix="registry-") as folder:
        model = Server(home, home / "model", binaries)
        model.make()
        with model.running():
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(migrate, env=make_environment(model, folder), cwd=ROOT, check=True)
        for turn in range(rounds):
            for waits_for, losses in found.items():
                place = home / f"{turn}-{waits_for.replace(' ', '-')}"
                place.mkdir()
                own(place)
                configuration = CONFIGURED if waits_for == "a replica" else None
                settings = DURABLE | {"synchronous_commit": "on"}
                primary = Server(place, place / "data", binaries, configuration, **settings)
                primary.adopt(model)
                replica = Server(
                    place / "replica", place / "replica" / "data", binaries, REPLICA, **settings
                )
                lose_primary(primary, replica, folder, writers, losses)
                shutil.rmtree(place)
    print_table(found)
    return 1 if found["a replica"].lost else 0


def make_environment(server: Server, folder: str) -> dict[str, str]:
    """Return the environment of a process that works on a server."""
    return {**os.environ, "REGISTRY_DATABASE_URL": server.url, "REGISTRY_DATA_DIR": folder}


def lose_primary(
    primary: Server, replica: Server, folder: str, writers: int, losses: Losses
) -> None:
    """Let writers add events until the primary is lost; record what the other one lacks."""
    primary.start()
    replica.copy(primary)
    replica.start()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER],
            cwd=ROOT,
            env=make_environment(primary, folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _number in range(writers)
    ]
    for process in processes:
        assert process.stdout
        process.stdout.readline()
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    give_up = time.monotonic() + SECONDS
    while time.monotonic() < give_up:
        lag = primary.ask("SELECT extract(epoch FROM flush_lag)::float FROM pg_stat_replication")
        losses.lags += [lag] if lag is not None else []
        time.sleep(LOOK_SECONDS)
    primary.end(signal.SIGKILL)
    killed_at = time.monotonic()
    shutil.rmtree(primary.data)
    lines = [
        line.split() for process in processes for line in process.communicate()[0].splitlines()
    ]
    replica.ask("SELECT pg_promote()")
    there = set(replica.ask("SELECT json_agg(number) FROM registry_event") or [])
    replica.end()
    told = [(int(line), float(began), float(at)) for line, began, at in lines if line.isdigit()]
    missing = [at for line, _began, at in told if line not in there]
    losses.acknowledged += len(told)
    losses.lost += len(missing)
    losses.windows.append(max(killed_at - min(missing), 0.0) if missing else 0.0)
    losses.waits += [at - began for _line, began, at in told]


def print_table(found: dict[str, Losses]) -> None:
    """Print what was lost, and how long an action took."""
    print(
        "| a commit waits for | acknowledged | lost | window of these "
        "| on the replica after, median | longest | an act, median | 99 of 100 |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for waits_for, losses in found.items():
        ranked = statistics.quantiles(losses.waits, n=100)
        print(
            f"| {waits_for} | {losses.acknowledged:,} | {losses.lost} "
            f"| {max(losses.windows) * 1000:.0f} ms "
            f"| {statistics.median(losses.lags) * 1000:.1f} ms | {max(losses.lags) * 1000:.1f} ms "
            f"| {statistics.median(losses.waits) * 1000:.1f} ms | {ranked[98] * 1000:.1f} ms |"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Checking 100,000 URNs through the API, compared with the command that does it locally."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

from benchmarks.corpus import invalid_urns, valid_urns
from benchmarks.servers import ROOT, Server
from registry.rate_limits import MAX_CHECKED_NAMES

COUNT: Final = 100_000
RUNS: Final = range(5)
MAX_SHARE: Final = 1.3


def write_checking(server: Server, folder: Path) -> bool:
    """Print the CPU time of each; true if the target is met."""
    path = folder / "names.txt"
    path.write_text(make_names(), encoding="utf-8")
    runs = [
        (time_command(path), time_api(server, path), time_api(server, path, "yes")) for _ in RUNS
    ]
    command, api, ruled = (statistics.median(each) for each in zip(*runs, strict=True))
    share = statistics.median(ours / floor for floor, ours, _ruled in runs)
    is_met = share <= MAX_SHARE
    print(f"\n| {COUNT:,} URNs | seconds of the processor | share | target |")
    print("|---|--:|--:|---|")
    print(f"| `python -m registry.urn check --format json` | {command:.2f} | | |")
    goal = f"{MAX_SHARE} {'met' if is_met else '**missed**'}"
    same = "`POST /api/v1/urn/check/?rules=no`, the same question"
    print(f"| {same} | {api:.2f} | {share:.2f} | {goal} |")
    print(f"| by the rules of their namespaces too | {ruled:.2f} | {ruled / command:.2f} | |")
    return is_met


def make_names() -> str:
    """Return the names, 2 in 100 of them invalid, one per line."""
    found = [*valid_urns(980), *invalid_urns(20)]
    random.Random(1).shuffle(found)
    lines = "".join(name.replace("\n", " ") + "\n" for name in found)
    return lines * (COUNT // len(found))


def time_command(path: Path) -> float:
    """Return the time of the command."""
    command = [sys.executable, "-m", "registry.urn", "check", str(path), "--format", "json"]
    before = os.times()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    after = os.times()
    return (
        after.children_user
        + after.children_system
        - (before.children_user + before.children_system)
    )


def time_api(server: Server, path: Path, rules: str = "no") -> float:
    """Return the time of the API, with as many lists as needed."""
    before, lines = server.processor(), path.read_bytes().splitlines(keepends=True)
    for some in split_into_batches(lines, MAX_CHECKED_NAMES):
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        connection = HTTPConnection(server.url.removeprefix("http://"))
        with closing(connection):
            connection.request("POST", f"/api/v1/urn/check/?rules={rules}", b"".join(some), headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise RuntimeError(f"A list was answered with {answer.status}.")
            while answer.read(1 << 20):
                pass
    return server.processor() - before


def split_into_batches(lines: Sequence[bytes], most: int) -> Iterator[Sequence[bytes]]:
    """Yield the lines in batches."""
    for first in range(0, len(lines), most):
        yield lines[first : first + most]

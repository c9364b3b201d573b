"""What finding similar NIDs costs in a small registry and in a large one.

`python -m benchmarks.similar_nids [SMALL LARGE]` from the top of the repository, by default with
1,000 and 110,000 NIDs; one in eleven is registered, and the others are requested.
REGISTRY_SCALE_DATABASE, as in `benchmarks.scale`, measures PostgreSQL; without it SQLite is
measured. Prints a table in Markdown, and exits with 1 if the large registry takes more than twice
as long as the small one. Both are filled first, then asked in turns, each by a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.scale import MAX_RATIO, make_database
from benchmarks.servers import ROOT

SMALL: Final = 1_000
LARGE: Final = 110_000
RUN: Final = """
import json, django; django.setup()
from benchmarks import likeness
print(json.dumps(likeness.{}))
"""
FILLED: Final = {
    "keys of a NID": ("keys", ""),
    "filling in the keys, processor of the worker": ("seconds", " s"),
    "keys with their index": ("megabytes", " MB"),
}
ASKED: Final = {
    "`find_similar_nids`, worker": "find_similar_nids",
    "`find_similar_nids`, worker and database waited for": "find_similar_nids, waiting",
    "`list_nid_findings`, worker": "list_nid_findings",
    "`list_nid_findings`, worker and database waited for": "list_nid_findings, waiting",
    "`list_similar_requests`, worker": "list_similar_requests",
    "`list_similar_requests`, worker and database waited for": "list_similar_requests, waiting",
    "a draft asks for another NID, worker": "save_draft",
    "a draft asks for another NID, worker and database waited for": "save_draft, waiting",
}


def main(arguments: list[str]) -> int:
    """Measure both and print the table."""
    sizes = tuple(map(int, arguments)) if arguments else (SMALL, LARGE)
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        environments = [make_environment(Path(folder), size) for size in sizes]
        for each in environments:
            run(each, "manage.py", "migrate", "--verbosity=0")
        filled = [
            measure(each, f"fill({size})") for each, size in zip(environments, sizes, strict=True)
        ]
        asked = [measure(each, "ask()") for each in environments]
    print(f"\n| | {sizes[0]:,} NIDs | {sizes[1]:,} NIDs | | target |\n|---|--:|--:|--:|---|")
    return 0 if all(list(print_rows(filled, asked))) else 1


def print_rows(filled: list[dict[str, Any]], asked: list[dict[str, Any]]) -> Iterator[bool]:
    """Print a row for each item, and yield whether its target was met."""
    for name, (key, unit) in FILLED.items():
        print(f"| {name} | {filled[0][key]:,.1f}{unit} | {filled[1][key]:,.1f}{unit} | | |")
    for name, key in ASKED.items():
        before, now = asked[0][key] * 1_000, asked[1][key] * 1_000
        is_met = now <= before * MAX_RATIO
        goal = f"twice {'met' if is_met else '**missed**'}"
        print(f"| {name} | {before:.2f} ms | {now:.2f} ms | {now / before:.1f} | {goal} |")
        yield is_met
    for name, key in (("NIDs that resemble one, in the mean", "alike"), ("most memory", "memory")):
        unit = " MB" if key == "memory" else ""
        print(f"| {name} | {asked[0][key]:.1f}{unit} | {asked[1][key]:.1f}{unit} | | |")


def make_environment(folder: Path, size: int) -> dict[str, str]:
    """Return the settings of a registry with an empty database."""
    place = folder / str(size)
    place.mkdir()
    environment = {
        "REGISTRY_DATA_DIR": str(place),
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "registry.settings",
    }
    if server := os.environ.get("REGISTRY_SCALE_DATABASE"):
        environment["REGISTRY_DATABASE_URL"] = make_database(server, f"similar_{size}")
    return environment


def measure(environment: dict[str, str], call: str) -> dict[str, Any]:
    """Return what a function of `benchmarks.likeness` measures, in a process of its own."""
    found: dict[str, Any] = json.loads(run(environment, "-c", RUN.format(call)).splitlines()[-1])
    return found


def run(environment: dict[str, str], *words: str) -> str:
    """Run one of our programs; return its output."""
    command = [sys.executable, *words]
    ran = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    )
    ran.check_returncode()
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Writing and loading a dump of the registry, complete and public: time and memory."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.db import connections

from benchmarks import seed as seeds
from benchmarks.commands import run_python
from benchmarks.tables import Table, judge

SIZE: Final = (1_000, 10_000)
"""How many namespaces and requests."""
MAX_MEGABYTES: Final = 150.0


def measure(is_smallest: bool) -> Iterator[Table]:
    """Write each dump, and load it into an empty registry."""
    folder = Path(os.environ["REGISTRY_DATA_DIR"])
    database = Path(os.environ["REGISTRY_DATABASE_URL"].removeprefix("sqlite:///"))
    empty = folder / "empty.sqlite3"
    connections.close_all()
    shutil.copy(database, empty)
    namespaces, requests = (110, 50) if is_smallest else SIZE
    seeds.fill(seeds.load_registry(), namespaces, requests)
    connections.close_all()
    rows = []
    for name, flags in (("complete", ["--complete"]), ("public", [])):
        file, loaded = folder / f"{name}.jsonl", folder / f"{name}.sqlite3"
        shutil.copy(empty, loaded)
        runs = {
            "written": run_python("manage.py", "dump", *flags, str(file)),
            "loaded": run_python(
                *("manage.py", "load_dump", "--unsigned", "--no-input", str(file)),
                environment={"REGISTRY_DATABASE_URL": f"sqlite:///{loaded}"},
            ),
        }
        octets = f"{file.stat().st_size / 1e6:.1f} MB"
        for verb, run in runs.items():
            figures = (octets, f"{run.processor:.1f} s", f"{run.megabytes:.0f} MB")
            target = judge(f"{MAX_MEGABYTES:.0f} MB", run.megabytes <= MAX_MEGABYTES)
            rows.append((f"{name}, {verb}", *figures, target))
    columns = ("", "the file", "processor", "memory", "target")
    yield Table(f"{namespaces:,} namespaces and {requests:,} requests, SQLite", columns, rows)

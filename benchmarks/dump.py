"""Time and memory of writing and loading a complete dump, by size of the registry.

Run from the top of the repository as `python -m benchmarks.dump [ROWS]`, by default with a table of
a million locators, in SQLite and in PostgreSQL; prints a table in Markdown and exits with 1 if it
takes more than 1.25 times the memory that it takes with 10,000.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

from tests.live.databases import postgresql

FEW: Final = 10_000
MANY: Final = 1_000_000
GROWTH: Final = 1.25
MEBI: Final = 1 << 10
HEAD: Final = """\
| | locators | octets | dumped in | memory | loaded in | memory |
|---|--:|--:|--:|--:|--:|--:|"""
FILL: Final = """
import django; django.setup()
from benchmarks.dumped import fill
fill({})
"""

Database = Callable[[], AbstractContextManager[str]]


def main(arguments: list[str]) -> int:
    """Measure both databases with few rows and with many."""
    many = int(arguments[0]) if arguments else MANY
    print(HEAD, flush=True)
    bounded = [measure(name, each, many) for name, each in DATABASES.items()]
    return 0 if all(bounded) else 1


def measure(name: str, database: Database, many: int) -> bool:
    """Print the figures with few rows and with many; return whether memory stays bounded."""
    few = row(name, database, FEW)
    return all(
        with_many <= GROWTH * with_few
        for with_few, with_many in zip(few, row(name, database, many), strict=True)
    )


def row(name: str, database: Database, rows: int) -> tuple[float, float]:
    """Print the figures for `rows` rows; return the memory, in MiB, both ways."""
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        file = Path(folder) / "registry.jsonl"
        with database() as url:
            run(folder, url, "manage.py", "migrate", "--verbosity=0")
            run(folder, url, "-c", FILL.format(rows))
            out = run(folder, url, "manage.py", "dump", "--complete", str(file))
        with database() as url:
            run(folder, url, "manage.py", "migrate", "--verbosity=0")
            back = run(folder, url, "manage.py", "load_dump", str(file))
        told = f"{out[0]:.1f} s | {out[1]:.0f} MiB | {back[0]:.1f} s | {back[1]:.0f} MiB"
        print(f"| {name} | {rows:,} | {file.stat().st_size:,} | {told} |", flush=True)
    return out[1], back[1]


def run(folder: str, url: str, *words: str) -> tuple[float, float]:
    """Run a program on the database at `url`; return its seconds, and its peak memory in MiB."""
    environment = os.environ | {
        "REGISTRY_DATA_DIR": folder,
        "REGISTRY_DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "registry.settings",
    }
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{words} ended with {process.returncode}.")
    return time.perf_counter() - began, used.ru_maxrss / MEBI


@contextmanager
def sqlite() -> Iterator[str]:
    """Keep a database in a file for the duration of the block."""
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        yield f"sqlite:///{Path(folder) / 'registry.sqlite3'}"


DATABASES: Final[dict[str, Database]] = {"SQLite": sqlite, "PostgreSQL": postgresql}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

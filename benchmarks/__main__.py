"""Measure, and write the tables of README.md: `python -m benchmarks [NAME …]`.

Without a name all programs run, one after another, each in a process of its own. Exits with 1 if a
program does not run, otherwise with 2 if a target is missed. `--smallest` measures next to nothing
and writes nothing: it shows that the programs run.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import shutil
import subprocess
import sys
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Final

from benchmarks.databases import empty_registry
from benchmarks.tables import CannotRun, Table, replace_tables

DID_NOT_RUN: Final = 1
"""Also the status of any exception that nobody expected."""
TARGET_MISSED: Final = 2
PROGRAMS: Final = {
    "urn": None,
    "template": None,
    "grammar": None,
    "reader": None,
    "findings": None,
    "web": "SQLite",
    "pages": "SQLite",
    "acts": "SQLite",
    "writers": "PostgreSQL",
    "dump": "SQLite",
    "locators": None,
    "log": None,
}
"""The programs in the order of README.md, and the database of the registry that each measures."""

TOOLS: Final = {"web": {"wrk": "wrk", "taskset": "util-linux"}}
"""What a program runs, and Debian's package of each."""


def main() -> int:
    """Run the programs that are named, or all; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *PROGRAMS], metavar="NAME")
    parser.add_argument("--smallest", action="store_true", help="run on next to nothing")
    options = parser.parse_args()
    if len(options.names) == 1:
        return run_program(options.names[0], options.smallest)
    flags = ["--smallest"] if options.smallest else []
    statuses = {
        name: subprocess.run([sys.executable, "-m", "benchmarks", name, *flags]).returncode
        for name in options.names or PROGRAMS
    }
    for name, status in statuses.items():
        if status:
            print(f"{name}: {'a target is missed' if status == TARGET_MISSED else 'did not run'}")
    failures = [status for status in statuses.values() if status]
    return min(failures, default=0)


def run_program(name: str, is_smallest: bool) -> int:
    """Run one program and write its tables; return the exit status."""
    started, load = time.monotonic(), os.getloadavg()[0]
    print(f"{name} …", file=sys.stderr, flush=True)
    try:
        for tool, package in TOOLS.get(name, {}).items():
            if not shutil.which(tool):
                raise CannotRun(f"{tool} is not installed (Debian: {package}).")
        database = PROGRAMS[name]
        with empty_registry(database) if database else nullcontext():
            # Models need the settings, so modules are only imported now.
            module = importlib.import_module(f"benchmarks.{name}")
            tables: list[Table] = list(module.measure(is_smallest))
        seconds = time.monotonic() - started
        text = "\n\n".join([*map(str, tables), describe_run(seconds, load)])
        print(f"{text}\n", flush=True)
        if not is_smallest:
            replace_tables(name, text)
    except CannotRun as missing:
        print(f"{name} cannot run: {missing}", file=sys.stderr)
        return DID_NOT_RUN
    return 0 if all(table.is_met for table in tables) else TARGET_MISSED


def describe_run(seconds: float, load: float) -> str:
    """Say when and on what the figures were measured, and how busy the machine was."""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} CPUs"
        f" ({platform.machine()}), a load of {load:.1f} before and {os.getloadavg()[0]:.1f} after"
        f" {seconds:.0f} s."
    )


if __name__ == "__main__":
    sys.exit(main())

"""What a command takes: time, processor and memory.

`python -m benchmarks.commands WORD …` runs a command and prints its figures as JSON. Memory is only
right when a small process starts the command: Linux counts the peak of whoever did.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class CommandRun:
    """Seconds on the wall, CPU seconds, and peak memory in MB."""

    wall: float
    processor: float
    megabytes: float


def run_python(
    *words: str, environment: Mapping[str, str] | None = None, status: int = 0
) -> CommandRun:
    """Run Python with these arguments, and drop its output; it must end with that status."""
    launcher = [sys.executable, "-m", "benchmarks.commands", sys.executable, *words]
    launched = subprocess.run(
        launcher, env=os.environ | dict(environment or {}), capture_output=True, text=True
    )
    if launched.returncode != status:
        raise RuntimeError(f"{' '.join(words)} failed: {launched.stderr}")
    return CommandRun(**json.loads(launched.stdout))


def main(command: list[str]) -> int:
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall, processor = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    print(json.dumps(asdict(CommandRun(wall, processor, usage.ru_maxrss / 1024))))
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

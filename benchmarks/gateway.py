"""How long a locator table takes to load, how large it is, and how fast look-ups are.

Run from the top of the repository as `python -m benchmarks.gateway [ROWS [DATABASE]]`, by default
with 5 million rows, in SQLite and in PostgreSQL. Prints a table in Markdown and exits with 1 if
look-ups take more than 1.5 times those in a table of 10,000, in the same run.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from typing import Final

import django

from benchmarks.dump import DATABASES

HERE: Final = "here"
"""The last argument of the process that measures the database of its environment."""
ROWS: Final = 5_000_000
HEAD: Final = """\
| | rows | made in | rows/s | memory at most | octets a row | found in | of 10,000 | share |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""


def main(arguments: list[str]) -> int:
    """Measure both databases, each in a process of its own, or the one that is named."""
    rows, *names = [each for each in arguments if each != HERE] or [str(ROWS)]
    if HERE in arguments:
        return measure(int(rows), names[0])
    print(HEAD, flush=True)
    worst = 0
    for name in names or DATABASES:
        with DATABASES[name]() as url:
            environment = {**os.environ, "REGISTRY_DATABASE_URL": url}
            command = [sys.executable, "-m", "benchmarks.gateway", rows, name, HERE]
            worst = max(worst, subprocess.run(command, env=environment, check=False).returncode)
    return worst


def measure(rows: int, name: str) -> int:
    """Measure the database of the environment."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REGISTRY_DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
        django.setup()
        # The measuring module imports the models, which need the settings.
        locators = importlib.import_module("benchmarks.locators")
        return 0 if locators.run(rows, name) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

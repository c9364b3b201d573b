"""How long actions wait for each other: 32 writers at once on PostgreSQL, compared with a floor.

Run from the top of the repository as `python -m benchmarks.writers [WRITERS [ACTS]]`, by default
with 32 writers and 6 actions each; prints a table in Markdown. Every action takes a number from one
counter row and holds it until its transaction ends. The floor takes such a number and does nothing
else: its waiting time is the price of numbers without gaps, for anyone. Exits with 1 if a single
writer's comment holds the row for more than half of its time, or with more than 24 statements: with
many writers, time also measures a busy machine. Is ended after half an hour.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile

from tests.live.databases import postgresql

WRITERS = 32
ACTS = 6
MAX_SECONDS = 1_800


def main(arguments: list[str]) -> int:
    """Create a registry on a server of its own, and measure it in a separate process."""
    writers, acts = [*map(int, arguments), *(WRITERS, ACTS)[len(arguments) :]]
    with postgresql() as url, tempfile.TemporaryDirectory(prefix="registry-") as folder:
        environment = {
            **os.environ,
            "REGISTRY_DATABASE_URL": url,
            "REGISTRY_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            # Nobody here is stopped for writing much.
            "REGISTRY_COMMENTS_PER_HOUR": "1000000",
        }
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(migrate, env=environment, check=True)
        code = f"import benchmarks.writers as own; own.measure({writers}, {acts})"
        command = ["timeout", str(MAX_SECONDS), sys.executable, "-c", code]
        return subprocess.run(command, env=environment, check=False).returncode


def measure(writers: int, acts: int) -> None:
    """Measure the database of the environment; exit with 1 if a target is missed."""
    importlib.import_module("django").setup()
    # The measuring module imports the models, which need the settings.
    sys.exit(0 if importlib.import_module("benchmarks.contention").run(writers, acts) else 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

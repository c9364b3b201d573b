"""How long acts wait for one another: 32 writers at once on PostgreSQL, beside a floor.

Run from the top of the repository as `python -m benchmarks.writers [WRITERS [ACTS]]`, by default
with 32 writers and 6 acts each; prints a table in Markdown. Every act takes a number from one
counter row and holds it until its transaction ends. The floor takes such a number and does nothing
else: what it waits is the price of lines without gaps, whoever asks. Ends with 1 where a comment
holds the row for more than half of the time that it takes, or with more than 24 statements, with
one writer alone: with many, time is also that of a busy machine. Is ended after half an hour.
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
    """Make a registry on a server of its own, and measure it in a process of its own."""
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
    """Measure the database of the environment; end this process with 1 where a target is missed."""
    importlib.import_module("django").setup()
    # What measures stands on the models, which stand on the settings.
    sys.exit(0 if importlib.import_module("benchmarks.contention").run(writers, acts) else 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

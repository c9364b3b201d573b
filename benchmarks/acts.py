"""What the log adds to an action: the same actions with and without a log entry, alternating.

Run from the top of the repository as `python -m benchmarks.acts [PAIRS [DATABASE]]`, by default
with 64 pairs of actions each time, by one writer in SQLite, and by one and by 32 at once in
PostgreSQL; prints a table in Markdown and exits with 1 if an entry adds more than a tenth to an
action's CPU time, including the server's (which Linux reports for PostgreSQL).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Final

from benchmarks.dump import DATABASES

ACTS: Final = 64
HEAD: Final = """\
| | act | writers | pairs | processor, without, ms | with, ms | dearer |
|---|---|--:|--:|--:|--:|--:|"""
MEASURE: Final = """
import sys; import django; django.setup()
from benchmarks.acted import measure
sys.exit(0 if measure({!r}, {}) else 1)
"""


def main(arguments: list[str]) -> int:
    """Measure in both databases, or in the one that is named."""
    acts = int(arguments[0]) if arguments else ACTS
    print(HEAD, flush=True)
    return max([measure(name, acts) for name in arguments[1:] or DATABASES])


def measure(name: str, acts: int) -> int:
    """Print the times in one database; return the exit status of the measuring program."""
    with tempfile.TemporaryDirectory(prefix="registry-") as folder, DATABASES[name]() as url:
        environment = os.environ | {
            "REGISTRY_DATA_DIR": folder,
            "REGISTRY_DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "registry.settings",
        }
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(migrate, env=environment, check=True)
        program = [sys.executable, "-c", MEASURE.format(name, acts)]
        return subprocess.run(program, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How fast the pages of the process are where very much is going on.

Run from the top of the repository as `python -m benchmarks.process`; prints a table in Markdown
and ends with 1 where a page asks the database more often for many requests than for few.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile

import django


def main() -> int:
    """Measure on a database of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REGISTRY_DATA_DIR"] = folder
        os.environ.pop("REGISTRY_DATABASE_URL", None)
        os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
        django.setup()
        # What measures stands on the models, which stand on the settings.
        return 0 if importlib.import_module("benchmarks.opened").run() else 1


if __name__ == "__main__":
    sys.exit(main())

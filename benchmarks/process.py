"""How fast the pages of the process are in a registry with very much activity.

Run from the top of the repository as `python -m benchmarks.process`; prints a table in Markdown and
exits with 1 if a page makes more database queries for many requests than for few.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile

import django


def main() -> int:
    """Measure on a temporary database."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REGISTRY_DATA_DIR"] = folder
        os.environ.pop("REGISTRY_DATABASE_URL", None)
        os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
        django.setup()
        # The measuring module imports the models, which need the settings.
        return 0 if importlib.import_module("benchmarks.opened").run() else 1


if __name__ == "__main__":
    sys.exit(main())

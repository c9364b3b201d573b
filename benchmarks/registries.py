"""Create a registry to measure in: today's, with thousands more namespaces if requested.

`python -m benchmarks.registries 10000`, with REGISTRY_DATA_DIR naming the folder.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final

import django
from django.core.management import call_command

WORDS: Final = ("book", "archive", "sensor", "device", "schema", "event", "library", "standard")


def main(count: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("load_registry", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    # Models need the settings.
    models = importlib.import_module("registry.models")
    bodies = models.Organization.objects.bulk_create(
        models.Organization(name=f"Body {n}") for n in range(200 if count else 0)
    )
    models.Namespace.objects.bulk_create(
        (
            models.Namespace(
                nid=nid,
                nid_as_registered=nid,
                kind="formal",
                summary=f"{WORDS[n % len(WORDS)]} identifiers of kind {n}",
                registrant=bodies[n % len(bodies)],
                references=[f"RFC {3000 + n % 6000}"],
                registered_on="2020-01-01",
            )
            for n, nid in ((n, f"{WORDS[n % len(WORDS)]}-{n}") for n in range(count))
        ),
        batch_size=1000,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))

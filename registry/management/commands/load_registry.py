"""Load the namespaces, their resolution services, reserved lists, and identifiers seen in use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from registry import search
from registry.exchange import seed
from registry.management.base import RegistryCommand


class Command(RegistryCommand):
    """`manage.py load_registry`: can safely be run again."""

    help = (
        "Load the registered namespaces, their resolution services, the reserved lists and the "
        "identifiers in use without registration; can be run again without harm."
    )

    refusal_words = "Nothing was loaded.\n"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--namespaces", type=Path, metavar="FILE", default=seed.NAMESPACES_FILE)
        parser.add_argument("--provenance", type=Path, metavar="FILE", default=seed.PROVENANCE_FILE)

        parser.add_argument("--services", type=Path, metavar="FILE", default=seed.SERVICES_FILE)

    def handle(
        self, *args: Any, namespaces: Path, provenance: Path, services: Path, **options: Any
    ) -> None:
        entries = seed.read_namespaces(namespaces, provenance)
        offered = seed.read_services(services)
        sightings = seed.read_sightings()
        with transaction.atomic():
            loaded = seed.load_namespaces(entries, name_source(namespaces))
            words = seed.load_vocabularies()
            resolving = seed.load_services(offered, services.name)
            reserved = seed.load_reserved_names(seed.read_reserved_names())
            seen = seed.load_sightings(sightings)
            search.rebuild_index()
        self.stdout.write(f"Namespaces: {loaded}.")
        self.stdout.write(f"Resolution services: {resolving}.")
        self.stdout.write(f"Query keywords and service designators: {words}.")
        self.stdout.write(f"Reserved names: {reserved}.")
        self.stdout.write(f"Identifiers in use without registration: {seen}.")


def name_source(path: Path) -> str:
    """Return the provenance of namespaces from this file."""
    return seed.SHIPPED_SOURCE if path == seed.NAMESPACES_FILE else f"File {path.name}"[:200]

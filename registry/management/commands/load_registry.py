"""Load the registered namespaces, where their names resolve, and the reserved lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from registry import loading


class Command(BaseCommand):
    """`manage.py load_registry`: can be run again without harm."""

    help = (
        "Load the registered namespaces, their resolution services and the reserved lists; can be "
        "run again without harm."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--namespaces", type=Path, metavar="FILE", default=loading.NAMESPACES)
        parser.add_argument("--provenance", type=Path, metavar="FILE", default=loading.PROVENANCE)

        parser.add_argument("--services", type=Path, metavar="FILE", default=loading.SERVICES)

    def handle(
        self, *args: Any, namespaces: Path, provenance: Path, services: Path, **options: Any
    ) -> None:
        try:
            entries = loading.read(namespaces, provenance)
            offered = loading.read_services(services)
        except loading.BadFiles as refusal:
            raise CommandError(f"Nothing was loaded.\n{refusal}") from None
        with transaction.atomic():
            loaded = loading.load_namespaces(entries, source_of(namespaces))
            words = loading.load_vocabularies()
            resolving = loading.load_services(offered, services.name)
            reserved = loading.load_reserved_names(loading.read_reserved_names())
        self.stdout.write(f"Namespaces: {loaded}.")
        self.stdout.write(f"Resolution services: {resolving}.")
        self.stdout.write(f"Query keywords and service designators: {words}.")
        self.stdout.write(f"Reserved names: {reserved}.")


def source_of(path: Path) -> str:
    """Return what the provenance of namespaces from this file says."""
    return loading.SHIPPED_SOURCE if path == loading.NAMESPACES else f"File {path.name}"[:200]

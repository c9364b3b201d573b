"""Build the files of the registry."""

from __future__ import annotations

from typing import Any

from registry.exchange.exports import refresh_exports
from registry.management.base import PagelessCommand, RegistryCommand


class Command(RegistryCommand, PagelessCommand):
    """`manage.py build_exports`: does now what the worker does in the background."""

    help = (
        "Build the files at /exports/ that are behind the registry, without waiting for the worker."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        names = refresh_exports(at_once=True)
        self.stdout.write(f"Built {len(names)} files.")

"""Rebuild the search index."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry import search
from registry.management.base import PagelessCommand


class Command(PagelessCommand):
    """`manage.py rebuild_search`: after an upgrade, which may bring new chapters and keywords."""

    help = (
        "Make the search index anew from what everybody may read. It is kept true by itself; an "
        "upgrade may bring other chapters of the guide, keywords and synonyms."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing; say what is wrong in the index, and fail if anything is",
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        if not check:
            self.stdout.write(f"Documents in the search index: {search.rebuild_index()}.")
            return
        stale = list(search.find_stale_documents())
        self.stdout.write("\n".join(stale) or "The search index is true.")
        if stale:
            raise CommandError("The search index is not true. Run rebuild_search.")

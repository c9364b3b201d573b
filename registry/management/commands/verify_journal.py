"""Prove the journal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry import journal
from registry.models import Event


class Command(BaseCommand):
    """`manage.py verify_journal`: ends with an error when a line was changed or taken out."""

    help = "See that no line of the journal was changed, added or taken out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--withheld",
            action="store_true",
            help="of a registry from a public dump: take lines by their digests alone, and count "
            "them",
        )

    def handle(self, *args: Any, withheld: bool, **options: Any) -> None:
        broken = list(journal.verify(withheld=withheld))
        for sentence in broken:
            self.stdout.write(sentence)
        self.stdout.write(f"Lines in the journal: {Event.objects.count()}.")
        if withheld:
            unread = Event.objects.filter(verb=journal.WITHHELD).count()
            self.stdout.write(f"Known by their digests alone: {unread}.")
        if broken:
            raise CommandError(f"The journal is broken in {len(broken)} places.")

"""Prove the journal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry import journal
from registry.models import Event


class Command(BaseCommand):
    """`manage.py verify_journal`: ends with an error when a line was changed or taken out."""

    help = "See that no line of the journal was changed, added or taken out."

    def handle(self, *args: Any, **options: Any) -> None:
        broken = list(journal.verify())
        for sentence in broken:
            self.stdout.write(sentence)
        self.stdout.write(f"Lines in the journal: {Event.objects.count()}.")
        if broken:
            raise CommandError(f"The journal is broken in {len(broken)} places.")

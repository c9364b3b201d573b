"""Look at all clocks, once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry import clock


class Command(BaseCommand):
    """`manage.py tick`: can be run at any moment, any number of times."""

    help = (
        "Send the nudges, reminders and escalations that are due, let idle requests expire, "
        "and see to letters that were not sent. Does nothing twice."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        tally = clock.tick()
        for verb, count in sorted((+tally.done).items()):
            self.stdout.write(f"{verb}: {count}")
        self.stdout.write(f"Done by the clock: {tally.done.total()}.")
        if tally.failures:
            raise CommandError(f"The clock could not see to {', '.join(tally.failures)}.")

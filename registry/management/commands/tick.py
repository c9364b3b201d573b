"""Run the scheduler once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error

from registry import background, database, scheduler


class Command(BaseCommand):
    """`manage.py tick`: can be run at any time, any number of times."""

    help = (
        "Send the nudges, reminders and escalations that are due, let idle requests expire, "
        "and see to letters that were not sent. Does nothing twice."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--wait",
            type=float,
            default=600.0,
            metavar="SECONDS",
            help="how long to wait for a database that is away: 600",
        )

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def handle(self, *args: Any, wait: float, **options: Any) -> None:
        lease = background.Lease(background.CLOCK)

        def act() -> scheduler.TickReport | None:
            return scheduler.tick(renew_lease=lease.renew) if lease.take() else None

        try:
            tally = database.retry_until_available(act, wait)
            if tally is None:
                self.stdout.write("Another clock is at it, and does what is due.")
                return
            background.note_tick()
            lease.give_back()
        except Error as error:
            if not database.is_database_unavailable(error):
                raise
            raise CommandError(f"The database cannot be asked: {error}") from error
        for verb, count in sorted((+tally.done).items()):
            self.stdout.write(f"{verb}: {count}")
        self.stdout.write(f"Done by the clock: {tally.done.total()}.")
        if tally.failures:
            raise CommandError(f"The clock could not see to {', '.join(tally.failures)}.")

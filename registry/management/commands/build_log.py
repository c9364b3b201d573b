"""Build and sign the transparency log."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import Error, connection

from registry import database, journal
from registry.journal import log_worker
from registry.journal.log_worker import BuiltLog, LogBuilder
from registry.management.base import PagelessCommand, RegistryCommand


class Command(RegistryCommand, PagelessCommand):
    """`manage.py build_log`: once, or repeatedly while it runs."""

    help = (
        "Add the new lines of the journal to the transparency log and sign its head. The key is "
        "read from REGISTRY_LOG_KEY_FILE or REGISTRY_LOG_KEY. Refuses where the journal does not "
        "go on from the last head."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--every",
            type=float,
            metavar="SECONDS",
            help="go on until ended, and look so often: at the least every 60",
        )

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def handle(self, *args: Any, every: float | None, **options: Any) -> None:
        if every is None:
            self.report(log_worker.build_log())
            return
        if not 0 < every <= 60:
            raise CommandError("A head is promised each minute: say --every 60 or less.")
        with log_worker.hold_lock():
            self.build_repeatedly(every)

    def build_repeatedly(self, every: float) -> None:
        """Build until the program is ended; wait while the database is down."""
        builder: LogBuilder | None = None
        while True:
            try:
                if builder is None and journal.find_log():
                    builder = log_worker.open_builder()
                if builder and (built := builder.build()).new:
                    self.report(built)
            except Error as error:
                if not database.is_database_unavailable(error):
                    raise
                # Commands have no request that does so: without this the connection would stay
                # broken.
                connection.close_if_unusable_or_obsolete()
            time.sleep(every)

    def report(self, built: BuiltLog) -> None:
        said = f"{built.head.origin}: {built.head.size} entries, {built.new} of them new."
        if built.is_development:
            said += " Signed with a development key, which proves nothing to others."
        self.stdout.write(said)

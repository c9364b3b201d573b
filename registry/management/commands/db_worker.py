"""The worker of django-tasks-db, made to survive database outages and other workers' crashes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django_tasks_db.management.commands import db_worker

from registry import background, database


class Command(db_worker.Command):
    """`manage.py db_worker`: sends letters and webhooks, builds files, loads locator tables.

    The tasks of a killed worker are taken over by the next one running, and so are those that this
    worker had when the database went away.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--patience",
            type=float,
            default=background.WORKER_PATIENCE,
            metavar="SECONDS",
            help="after how long another worker that gives no sign of life counts as killed, so "
            f"that its task is taken over: {background.WORKER_PATIENCE:.0f}",
        )

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        worker_id, patience = options["worker_id"], options.pop("patience")

        def work() -> None:
            background.retake_tasks(worker_id)
            with background.watch_workers(worker_id, patience):
                super(Command, self).handle(**options)

        database.retry_until_available(work)

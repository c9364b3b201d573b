"""The worker of django-tasks-db, which here outlives an outage of the database."""

from __future__ import annotations

from functools import partial
from typing import Any

from django_tasks_db.management.commands import db_worker

from registry import database


class Command(db_worker.Command):
    """`manage.py db_worker`: sends letters and webhooks, and loads tables of locators.

    A task that was at work when the database went away is made anew by `tick`.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        database.retry_until_available(partial(super().handle, **options))

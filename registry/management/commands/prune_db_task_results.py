"""The pruning of django-tasks-db, done by one machine at a time."""

from __future__ import annotations

from typing import Any

from django_tasks_db.management.commands import prune_db_task_results

from registry import background, database


class Command(prune_db_task_results.Command):
    """`manage.py prune_db_task_results`: deletes finished tasks."""

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        lease = background.Lease(background.PRUNING)
        if not lease.take():
            self.stdout.write("Another machine is at it, and clears away what is done.")
            return
        try:
            super().handle(*args, **options)
        finally:
            lease.give_back()

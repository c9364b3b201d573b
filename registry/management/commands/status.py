"""Say how the registry is served."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry import database
from registry.selectors.service_status import read_service_status


class Command(BaseCommand):
    """`manage.py status`: a line for each thing; ends with an error where one needs somebody."""

    help = (
        "Say whether the database answers and has its tables, whether worker and clock are at "
        "work, how many letters wait and tasks are dead, and the head of the journal. Changes "
        "nothing."
    )
    requires_system_checks: tuple[str, ...] = ()

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = []
        for line in read_service_status():
            mark = "!" if line.is_wrong else " "
            self.stdout.write(f"{mark} {line.name + ':':<12}{line.text}")
            if line.is_wrong:
                wrong.append(line.name)
        if wrong:
            raise CommandError(f"Needs somebody: {', '.join(wrong)}.")

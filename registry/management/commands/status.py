"""Report the state of the service."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry import database
from registry.management.base import PagelessCommand
from registry.selectors.service_status import list_status_objects, read_service_status


class Command(PagelessCommand):
    """`manage.py status`: one line per item; ends with an error if one needs attention."""

    help = (
        "Say whether the database answers and has its tables, how far its replicas are behind, "
        "whether worker and clock are at work, how many letters wait and tasks are dead, and the "
        "head of the journal. Changes nothing."
    )

    def run_from_argv(self, argv: list[str]) -> None:
        database.forbid_database_creation()
        super().run_from_argv(argv)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="for programs, as one list")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = []
        for line in read_service_status():
            lines.append(line)
            if not options["json"]:
                mark = "!" if line.is_wrong else " "
                self.stdout.write(f"{mark} {line.name + ':':<12}{line.text}")
        if options["json"]:
            self.stdout.write(json.dumps(list_status_objects(lines), indent=2))
        if wrong := [line.name for line in lines if line.is_wrong]:
            raise CommandError(f"Needs somebody: {', '.join(wrong)}.")

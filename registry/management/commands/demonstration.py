"""Make everything ready for the demonstration."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse

from registry.demonstration import CAST, PASSWORD, make_cast, make_samples, static_files


class Command(BaseCommand):
    """`manage.py demonstration`: keeps what is there, and is quick when nothing is to be done."""

    help = "Make database, registry, cast, samples and static files ready, and say how to sign in."
    # The pages are not needed here, and checking them takes as long as all the rest.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"))

    def handle(self, *args: Any, port: str, **options: Any) -> None:
        if not settings.DEMONSTRATION:
            raise CommandError(
                "This is not the demonstration: accounts with a known password are made nowhere "
                "else. Unset REGISTRY_MODE."
            )
        self.say(apply_migrations(), "migrations applied to the database")
        call_command("load_registry", stdout=self.stdout)
        cast, made = make_cast()
        self.say(made, "accounts made for the cast")
        self.say(make_samples(cast), "sample requests made")
        if static_files.gather_static_files():
            self.stdout.write("Static files gathered.")
        self.welcome(f"http://127.0.0.1:{port}")

    def say(self, count: int, what: str) -> None:
        """Print what was done, if anything was."""
        if count:
            self.stdout.write(f"{count} {what}.")

    def welcome(self, site: str) -> None:
        """Print where the registry is, and how to sign in as whom."""
        width = max(len(member.email) for member in CAST)
        lines = [f"  {member.email:{width}}  {member.name}, {member.does}" for member in CAST]
        self.stdout.write(f"\nThe registry: {site}")
        self.stdout.write(f"Sign in at {site}{reverse('account_login')}, password {PASSWORD}, as")
        self.stdout.write("\n".join(lines))
        self.stdout.write(f"Mail is shown at {site}{reverse('demonstration:mail')}\n")


def apply_migrations() -> int:
    """Apply the migrations that are missing; return how many that were."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        call_command("migrate", interactive=False, verbosity=0)
    return len(plan)

"""Prepare everything for the demonstration."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse
from django.utils import timezone

from registry.demonstration import (
    CAST,
    PASSWORD,
    VENDOR_CONTENTS,
    make_cast,
    make_samples,
)
from registry.journal.log_worker import discard_demonstration_log
from registry.management.base import PagelessCommand
from registry.models import SchedulerDay

FETCH_VENDOR: Final = (sys.executable, "-m", "tools.vendor")


class Command(PagelessCommand):
    """`manage.py demonstration`: keeps existing data, and is quick if there is nothing to do."""

    help = "Make database, registry, cast and samples ready, and say how to sign in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"))

    def handle(self, *args: Any, port: str, **options: Any) -> None:
        if not settings.DEMONSTRATION:
            raise CommandError(
                "This is not the demonstration: accounts with a known password are made nowhere "
                "else. Unset REGISTRY_MODE."
            )
        # Whoever starts it for the first time waits for half a minute, and should see why.
        self.announce("Looking after the database")
        self.say(apply_migrations(), "migrations applied to the database")
        discard_demonstration_log()
        self.announce("Loading the registry")
        call_command("load_registry", stdout=self.stdout)
        self.announce("Making sample people and their requests")
        cast, made = make_cast()
        self.say(made, "accounts made for the cast")
        self.say(make_samples(cast), "sample requests made")
        SchedulerDay.objects.record(timezone.localdate())
        if not VENDOR_CONTENTS.exists():
            self.announce("Fetching style sheets, scripts and fonts")
            self.fetch_vendor_files()
        self.welcome(f"http://127.0.0.1:{port}")

    def fetch_vendor_files(self) -> None:
        """Fetch the front-end packages; without them pages have no style, and say so."""
        if subprocess.run(FETCH_VENDOR, cwd=settings.BASE_DIR, check=False).returncode:
            self.stderr.write("They were not fetched. Pages come without style until they are.")

    def announce(self, step: str) -> None:
        """Print what is done next, at once, also where output is collected."""
        self.stdout.write(f"{step} …")
        self.stdout.flush()

    def say(self, count: int, what: str) -> None:
        """Print what was done, if anything was."""
        if count:
            self.stdout.write(f"{count} {what}.")

    def welcome(self, site: str) -> None:
        """Print the registry's address, and the accounts to sign in with."""
        width = max(len(member.email) for member in CAST)
        lines = [f"  {member.email:{width}}  {member.name}, {member.does}" for member in CAST]
        self.stdout.write(f"\nThe registry: {site}")
        self.stdout.write(f"Sign in at {site}{reverse('account_login')}, password {PASSWORD}, as")
        self.stdout.write("\n".join(lines))
        self.stdout.write("Officers are asked for a code, which the sign-in page shows.")
        self.stdout.write(f"Mail is shown at {site}{reverse('demonstration:mail')}\n")


def apply_migrations() -> int:
    """Apply missing migrations; return how many.

    Raises `CommandError` for a database of an earlier version: the migrations have been squashed
    since, and it only has demonstration data.
    """
    executor = MigrationExecutor(connection)
    applied = {key for key in executor.loader.applied_migrations if key[0] == "registry"}
    if applied - executor.loader.disk_migrations.keys():
        raise CommandError(
            f"The database {connection.settings_dict['NAME']} was made by an earlier version of the"
            f" registry, and cannot be carried over. Move the folder {settings.DATA_DIR} away and"
            " run this again: the demonstration starts afresh."
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        call_command("migrate", interactive=False, verbosity=0)
    return len(plan)

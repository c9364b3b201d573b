"""Prepare everything for the demonstration."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse
from django.utils import timezone

from registry.demonstration import (
    CAST,
    PASSWORD,
    make_cast,
    make_samples,
)
from registry.journal.log_worker import discard_demonstration_log
from registry.management.base import PagelessCommand
from registry.models import SchedulerDay

STATIC_MANIFEST = "staticfiles.json"


def gather_static_files() -> bool:
    """Collect the static files unless they are up to date; return whether it was done."""
    marker = Path(settings.DATA_DIR) / "static-sources.sha256"
    digest = digest_static_sources()
    gathered = (Path(settings.STATIC_ROOT) / STATIC_MANIFEST).exists() and marker.exists()
    if gathered and marker.read_text(encoding="ascii") == digest:
        return False
    call_command("collectstatic", clear=True, interactive=False, verbosity=0)
    marker.write_text(digest, encoding="ascii")
    return True


def digest_static_sources() -> str:
    """Return a digest of the name, size and age of every static file."""
    lines = sorted(
        f"{name} {status.st_size} {status.st_mtime_ns}"
        for name, path in list_static_sources()
        for status in (path.stat(),)
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def list_static_sources() -> Iterator[tuple[str, Path]]:
    """Yield each static file with the name it is served under."""
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield name, Path(storage.path(name))


class Command(PagelessCommand):
    """`manage.py demonstration`: keeps existing data, and is quick if there is nothing to do."""

    help = "Make database, registry, cast, samples and static files ready, and say how to sign in."

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
        self.announce("Gathering style sheets, scripts and fonts")
        if gather_static_files():
            self.stdout.write("Static files gathered.")
        self.welcome(f"http://127.0.0.1:{port}")

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

"""Databases to measure in, each for the duration of a block."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from sysconfig import get_path
from tempfile import TemporaryDirectory
from typing import Final

import django
from django.core.management import call_command
from django.db import connections

from benchmarks.tables import CannotRun
from tests.live.databases import WHEEL, installed, postgresql


@contextmanager
def sqlite() -> Iterator[str]:
    """Keep a database in a file; yield its address."""
    with TemporaryDirectory(prefix="registry-") as folder:
        yield f"sqlite:///{Path(folder, 'registry.sqlite3')}"


DATABASES: Final[dict[str, Callable[[], AbstractContextManager[str]]]] = {
    "SQLite": sqlite,
    "PostgreSQL": postgresql,
}


def require_postgresql() -> None:
    """Raise `CannotRun` if this machine has no server to start."""
    if not installed() and not Path(get_path("platlib"), WHEEL[0]).exists():
        raise CannotRun("PostgreSQL is not installed (Debian: postgresql).")


@contextmanager
def empty_registry(database: str) -> Iterator[None]:
    """Give this process, and those that it starts, a registry without any rows.

    Raises `CannotRun` if this machine lacks the database.
    """
    if database == "PostgreSQL":
        require_postgresql()
    with TemporaryDirectory(prefix="registry-") as folder, DATABASES[database]() as url:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "registry.settings",
            "REGISTRY_DATA_DIR": folder,
            "REGISTRY_DATABASE_URL": url,
            # Pages are made anew: one from memory costs the same in any registry.
            "REGISTRY_CACHE_BYTES": "0",
            # A comment is published when it is posted.
            "REGISTRY_COMMENT_SECONDS": "0",
            # Nobody here is stopped for writing much.
            "REGISTRY_COMMENTS_PER_HOUR": "1000000",
        }
        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        try:
            yield
        finally:
            connections.close_all()

"""Taking the database away from everyone, and giving it back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.db import connection
from psycopg import sql

from tests.live.servers import PATIENCE, database_url


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is true, which must be soon."""
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up, "It does not come about."
        time.sleep(0.1)


@contextmanager
def database_away() -> Iterator[None]:
    """Make the database unreachable for the duration of the block, even for open connections."""
    connection.close()
    away = file_away() if connection.vendor == "sqlite" else connections_refused()
    with away:
        yield


@contextmanager
def file_away() -> Iterator[None]:
    """Move the file of the database."""
    here = Path(connection.settings_dict["NAME"])
    there = here.with_suffix(".away")
    here.rename(there)
    try:
        yield
        assert not here.exists(), "Somebody made another database in its place."
    finally:
        there.rename(here)


@contextmanager
def connections_refused() -> Iterator[None]:
    """End all connections to the database, and make the server refuse new ones."""
    name = sql.Identifier(connection.settings_dict["NAME"])
    allow = sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}")
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    url = database_url().rpartition("/")[0] + "/postgres"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(allow.format(name, sql.SQL("false")))
        server.execute(end, [connection.settings_dict["NAME"]])
        try:
            yield
        finally:
            server.execute(allow.format(name, sql.SQL("true")))

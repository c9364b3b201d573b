"""The serving role cannot remove the triggers, and `check` warns if it can."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from django.db.backends.base.base import BaseDatabaseWrapper

from registry.http.checks import find_excessive_rights
from tests.live import databases

pytestmark = pytest.mark.django_db

ROLES = Path(__file__).resolve().parent.parent / "deploy" / "postgresql-roles.sql"
TABLE = """
    CREATE TABLE registry_event (id int);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE EXCEPTION ''kept''; END';
    CREATE TRIGGER kept BEFORE DELETE ON registry_event FOR EACH ROW EXECUTE FUNCTION refuse();
    INSERT INTO registry_event VALUES (1);
"""


def read_statements() -> tuple[LiteralString, LiteralString]:
    """Return the statements for PostgreSQL: those before and those after `\\connect registry`."""
    text = re.sub(r":'\w+_password'", "'secret'", ROLES.read_text("utf-8"))
    before, after = text[text.index("CREATE ROLE") :].split("\\connect registry\n")
    return before, after


def run_as(url: str, role: str, *statements: LiteralString) -> None:
    """Run statements one by one, each in its own transaction."""
    with psycopg.connect(reach(url, role), autocommit=True) as connection:
        for each in statements:
            connection.execute(each)


def reach(url: str, role: str) -> str:
    """Return the address at which a role reaches the same database."""
    return url.replace("registry@", f"{role}@")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a database made by the statements of deploy/, with a table of the migration's.

    The server's own superuser is called `registry`, as the serving role there; here that one is
    called `serving`.
    """
    before, after = (
        each.replace(" registry LOGIN", " serving LOGIN") for each in read_statements()
    )
    after = after.replace("TO registry;", "TO serving;")
    with databases.postgresql() as url:
        run_as(url, "registry", *(each for each in before.split(";") if each.strip()))
        url = f"{url.removesuffix('/postgres')}/registry"
        run_as(url, "registry", after)
        run_as(url, "registry_migrate", "SET ROLE registry_owner", TABLE)
        yield url


def warnings_of(database: BaseDatabaseWrapper) -> list[str]:
    """Return the warnings of `check` about the role of a connection."""
    return [str(each.msg) for each in find_excessive_rights(database)]


def test_role_of_the_guide_reads_and_writes_rows_and_removes_no_trigger(server: str) -> None:
    run_as(server, "serving", "INSERT INTO registry_event VALUES (2)")
    with pytest.raises(psycopg.errors.RaiseException):
        run_as(server, "serving", "DELETE FROM registry_event")
    for statement in (
        "DROP TRIGGER kept ON registry_event",
        "DROP FUNCTION refuse() CASCADE",
        "TRUNCATE registry_event",
        "DROP SCHEMA public CASCADE",
        "SET ROLE registry_owner",
        "GRANT registry_owner TO serving",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run_as(server, "serving", statement)
    database = databases.build_wrapper(server, "serving")
    with closing(database):
        assert warnings_of(database) == []


@pytest.mark.parametrize(
    ("change", "remove", "told"),
    [
        ("ALTER ROLE serving SUPERUSER", "DROP TRIGGER kept ON registry_event", "is a superuser"),
        (
            "ALTER TABLE registry_event OWNER TO serving",
            "DROP TRIGGER kept ON registry_event",
            "owns the tables",
        ),
        (
            "ALTER SCHEMA public OWNER TO serving",
            "DROP FUNCTION refuse() CASCADE",
            "owns the schema of the tables",
        ),
        (
            "GRANT registry_owner TO serving",
            "DROP TRIGGER kept ON registry_event",
            "owns the tables, and owns the schema of the tables, and owns the database",
        ),
        # As `createdb -O serving` leaves it: from PostgreSQL 15 on, `public` is the database's.
        (
            "ALTER DATABASE registry OWNER TO serving;"
            "ALTER SCHEMA public OWNER TO pg_database_owner",
            "DROP FUNCTION refuse() CASCADE",
            "owns the schema of the tables, and owns the database",
        ),
    ],
)
def test_role_that_can_remove_triggers_is_warned_of(
    server: str, change: LiteralString, remove: LiteralString, told: str
) -> None:
    with closing(databases.build_wrapper(server)) as database, database.cursor() as cursor:
        cursor.execute(f"BEGIN; {change}; SET SESSION AUTHORIZATION serving")

        [warning] = warnings_of(database)

        assert warning.endswith(f": it {told}.")
        # The warning is right: the role removes the trigger, and then the event.
        cursor.execute(remove)
        cursor.execute("DELETE FROM registry_event")
        assert cursor.rowcount >= 1
        cursor.execute("ROLLBACK")


def test_role_that_could_join_the_owner_is_warned_of(server: str) -> None:
    with closing(databases.build_wrapper(server)) as database, database.cursor() as cursor:
        cursor.execute("BEGIN; ALTER ROLE serving CREATEROLE; SET SESSION AUTHORIZATION serving")

        [warning] = warnings_of(database)

        assert warning.endswith(": it may make itself a member of other roles (CREATEROLE).")
        cursor.execute("ROLLBACK")


def test_owner_of_the_tables_is_warned_of(server: str) -> None:
    with closing(databases.build_wrapper(server, "registry_migrate")) as database:
        assert [warning.partition(": it ")[2] for warning in warnings_of(database)] == [
            "owns the tables, and owns the schema of the tables, and owns the database."
        ]

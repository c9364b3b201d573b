"""The serving role cannot remove the triggers, and `check` warns if it can."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from registry.http.checks import find_excessive_rights
from tests.live import databases

pytestmark = pytest.mark.django_db

GRANTS = """
    CREATE ROLE owner LOGIN;
    CREATE ROLE serving LOGIN;
    GRANT CREATE ON SCHEMA public TO owner;
    SET ROLE owner;
    CREATE TABLE registry_event (id int);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE EXCEPTION ''kept''; END';
    CREATE TRIGGER kept BEFORE DELETE ON registry_event FOR EACH ROW EXECUTE FUNCTION refuse();
    GRANT SELECT, INSERT, UPDATE, DELETE ON registry_event TO serving;
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server with a table, its owner, and a serving role."""
    with databases.postgresql() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(GRANTS)
        yield url


def warnings_of(url: str, role: str) -> list[str]:
    """Return the warnings of `check` about a role."""
    database = databases.build_wrapper(url, role)
    try:
        return [str(each.msg) for each in find_excessive_rights(database)]
    finally:
        database.close()


@pytest.mark.parametrize(
    ("role", "said"), [("registry", "it is a superuser."), ("owner", "it owns the tables.")]
)
def test_a_role_that_may_drop_triggers_is_warned_of(server: str, role: str, said: str) -> None:
    [warning] = warnings_of(server, role)

    assert warning.endswith(said)


def test_a_role_that_reads_and_writes_rows_is_as_it_should_be(server: str) -> None:
    with psycopg.connect(server.replace("registry@", "serving@"), autocommit=True) as connection:
        connection.execute("INSERT INTO registry_event VALUES (1)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DROP TRIGGER kept ON registry_event")
        with pytest.raises(psycopg.errors.RaiseException):
            connection.execute("DELETE FROM registry_event")

    assert warnings_of(server, "serving") == []

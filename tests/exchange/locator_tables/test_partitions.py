"""On PostgreSQL the rows of locator tables were partitioned once, and are in one table now."""

from __future__ import annotations

from importlib import import_module
from typing import Final, LiteralString

import pytest
from django.apps import apps
from django.db import connection

from registry.models import Namespace
from tests.exchange.locator_tables.conftest import Load, found

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite never had partitions"
)

PARTITION: Final[tuple[LiteralString, ...]] = (
    "SET CONSTRAINTS ALL IMMEDIATE",
    "ALTER TABLE registry_locator RENAME TO registry_locator_whole",
    "CREATE TABLE registry_locator (LIKE registry_locator_whole) PARTITION BY HASH (table_id)",
    "CREATE TABLE registry_locator_0 PARTITION OF registry_locator"
    " FOR VALUES WITH (MODULUS 1, REMAINDER 0)",
    "INSERT INTO registry_locator SELECT * FROM registry_locator_whole",
    "DROP TABLE registry_locator_whole",
    "ALTER TABLE registry_locator ADD CONSTRAINT pk PRIMARY KEY (table_id, key)",
    "ALTER TABLE registry_locator ADD CONSTRAINT fk FOREIGN KEY (table_id)"
    " REFERENCES registry_locatortable DEFERRABLE INITIALLY DEFERRED",
    "SET CONSTRAINTS ALL IMMEDIATE",
)


def test_partitions_are_united_with_their_rows_and_constraints(
    load: Load, namespace: Namespace
) -> None:
    load("a,https://a.example/\nb,https://b.example/\n")
    migration = import_module("registry.migrations.0034_one_table_of_locators")
    with connection.cursor() as cursor:
        for statement in PARTITION:
            cursor.execute(statement)

    with connection.schema_editor() as editor:
        migration.unite_rows(apps, editor)

    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tableoid::regclass::text FROM registry_locator")
        tables = cursor.fetchall()
        constraints = connection.introspection.get_constraints(cursor, "registry_locator")
    assert tables == [("registry_locator",)]
    assert found(namespace, "a", "b") == ["https://a.example/", "https://b.example/"]
    assert sum(each["primary_key"] for each in constraints.values()) == 1
    assert [each["foreign_key"] for each in constraints.values() if each["foreign_key"]] == [
        ("registry_locatortable", "id")
    ]

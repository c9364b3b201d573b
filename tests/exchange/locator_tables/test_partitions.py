"""On PostgreSQL the rows of locator tables are partitioned, each table's in one partition."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from registry.models import Namespace
from tests.exchange.locator_tables.conftest import Load, found

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has no partitions"
)


def list_partitions() -> list[str]:
    """Return the database tables that contain rows of locator tables."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tableoid::regclass::text FROM registry_locator")
        return [name for (name,) in cursor.fetchall()]


def test_names_of_a_namespace_lie_in_one_partition(load: Load) -> None:
    load("".join(f"n{number},https://a.example/{number}\n" for number in range(50)))

    (partition,) = list_partitions()

    assert partition.startswith("registry_locator_")


def test_looking_up_asks_one_partition_alone(load: Load) -> None:
    table = load("a,https://a.example/\n")

    with connection.cursor() as cursor:
        cursor.execute(
            "EXPLAIN SELECT locator FROM registry_locator WHERE table_id = %s AND key = %s",
            [table.pk, bytes(16)],
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert plan.count(" on registry_locator_") == 1, plan


def test_rows_are_there_after_they_were_united_and_divided_again(
    load: Load, namespace: Namespace
) -> None:
    load("a,https://a.example/\nb,https://b.example/\n")
    migration = import_module("registry.migrations.0022_locator_partitions")

    for move in (migration.unite_rows, migration.divide_rows):
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with connection.schema_editor() as editor:
            move(apps, editor)
        assert found(namespace, "a", "b") == ["https://a.example/", "https://b.example/"]

    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "registry_locator")
    assert sum(each["primary_key"] for each in constraints.values()) == 1
    assert [each["foreign_key"] for each in constraints.values() if each["foreign_key"]] == [
        ("registry_locatortable", "id")
    ]

"""Divide the rows of locator tables among partitions, on PostgreSQL alone.

The rows of one table, and so the names of one namespace, lie in one partition. Its index, its
vacuum and what is left behind where a table was replaced are those of that partition. There are as
many partitions as there will be: whoever serves the registry may make no tables.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

PARTITIONS = 32
TABLE, WHOLE = "registry_locator", "registry_locator_whole"
COLUMNS = "table_id, key, name, locator"


def divide_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Move all rows to partitions."""
    if schema_editor.connection.vendor == "postgresql":
        move_rows(schema_editor, divided=True)


def unite_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Move all rows back to one table."""
    if schema_editor.connection.vendor == "postgresql":
        move_rows(schema_editor, divided=False)


def move_rows(schema_editor: BaseDatabaseSchemaEditor, *, divided: bool) -> None:
    """Make the table anew, with its constraints under the names that they have."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype IN ('p', 'f') ORDER BY contype DESC",
            [TABLE],
        )
        constraints = cursor.fetchall()
        cursor.execute(f"ALTER TABLE {TABLE} RENAME TO {WHOLE}")
        how = "PARTITION BY HASH (table_id)" if divided else ""
        cursor.execute(f"CREATE TABLE {TABLE} (LIKE {WHOLE}) {how}")
        for number in range(PARTITIONS if divided else 0):
            cursor.execute(
                f"CREATE TABLE {TABLE}_{number} PARTITION OF {TABLE}"
                f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
            )
        # In the order of the index, in which they were written at first.
        cursor.execute(
            f"INSERT INTO {TABLE} ({COLUMNS}) SELECT {COLUMNS} FROM {WHOLE} ORDER BY table_id, key"
        )
        cursor.execute(f"DROP TABLE {WHOLE}")
        for name, definition in constraints:
            cursor.execute(f'ALTER TABLE {TABLE} ADD CONSTRAINT "{name}" {definition}')


class Migration(migrations.Migration):
    dependencies = [("registry", "0021_indexes_of_lists")]

    operations = [migrations.RunPython(divide_rows, unite_rows)]

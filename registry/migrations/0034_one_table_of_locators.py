"""Unite the rows of locator tables, where an earlier 0022 divided them among partitions."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLE, PARTITIONED = "registry_locator", "registry_locator_partitioned"
COLUMNS = "table_id, key, name, locator"


def unite_rows(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make one table of the partitions, with its constraints under the names that they have."""
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT relkind FROM pg_class WHERE oid = %s::regclass", [TABLE])
        if cursor.fetchone() != ("p",):
            return
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype IN ('p', 'f') ORDER BY contype DESC",
            [TABLE],
        )
        constraints = cursor.fetchall()
        cursor.execute(f"ALTER TABLE {TABLE} RENAME TO {PARTITIONED}")
        cursor.execute(f"CREATE TABLE {TABLE} (LIKE {PARTITIONED})")
        # In the order of the index, in which they were written at first.
        cursor.execute(
            f"INSERT INTO {TABLE} ({COLUMNS})"
            f" SELECT {COLUMNS} FROM {PARTITIONED} ORDER BY table_id, key"
        )
        cursor.execute(f"DROP TABLE {PARTITIONED}")
        for name, definition in constraints:
            cursor.execute(f'ALTER TABLE {TABLE} ADD CONSTRAINT "{name}" {definition}')


class Migration(migrations.Migration):
    dependencies = [("registry", "0033_drop_entry_requests")]

    operations = [migrations.RunPython(unite_rows, migrations.RunPython.noop)]

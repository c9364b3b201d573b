"""Triggers by which the database refuses updates of what is frozen.

SQLite makes a table anew when a column is added, and loses its triggers with it: a migration
that does so to one of these freezes it again.
"""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

FROZEN = {
    "registry_event": "",
    "registry_registration": "",
    "registry_round": "OLD.submitted_at IS NOT NULL",
}

SQLITE = """
CREATE TRIGGER {table}_frozen BEFORE UPDATE ON {table} {when}
BEGIN SELECT RAISE(ABORT, 'a frozen row of {table} cannot be changed'); END
"""

POSTGRESQL = """
CREATE FUNCTION {table}_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'a frozen row of {table} cannot be changed'; END $$;
CREATE TRIGGER {table}_frozen BEFORE UPDATE ON {table} FOR EACH ROW {when}
EXECUTE FUNCTION {table}_frozen()
"""


def freeze(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add one trigger a table, in the words of the database at hand."""
    words = {"sqlite": SQLITE, "postgresql": POSTGRESQL}.get(schema_editor.connection.vendor, "")
    for table, condition in FROZEN.items():
        when = f"WHEN ({condition})" if condition else ""
        if words:
            schema_editor.execute(words.format(table=table, when=when), params=None)


def thaw(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again, where they are."""
    on_table = schema_editor.connection.vendor == "postgresql"
    for table in FROZEN:
        where = f" ON {table}" if on_table else ""
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_frozen{where}", params=None)
        if on_table:
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {table}_frozen()", params=None)

"""Triggers by which the database refuses to change, delete or empty what is frozen.

SQLite makes a table anew when a column is added, and loses its triggers with it: a migration
that does so to one of these creates its triggers again.
"""

from collections.abc import Iterator

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

FROZEN = {
    "registry_event": "",
    "registry_registration": "",
    "registry_round": "OLD.submitted_at IS NOT NULL",
}
"""Tables whose rows are neither changed nor deleted, and which rows if not all."""
UNDELETABLE = {**FROZEN, "registry_namespace": ""}
"""Tables whose rows are not deleted, and which rows if not all."""

SQLITE = """
CREATE TRIGGER {table}_{name} BEFORE {act} ON {table} {when}
BEGIN SELECT RAISE(ABORT, 'a frozen row of {table} cannot be {done}'); END
"""

POSTGRESQL = """
CREATE FUNCTION {table}_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'a frozen row of {table} cannot be {done}'; END $$;
CREATE TRIGGER {table}_{name} BEFORE {act} ON {table} {when}
EXECUTE FUNCTION {table}_{name}()
"""

NAMES = ("frozen", "kept", "whole")


def create_triggers(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the triggers, in the words of the database at hand."""
    execute_all(schema_editor, trigger_statements(schema_editor.connection.vendor))


def drop_triggers(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again, where they are."""
    execute_all(schema_editor, drop_statements(schema_editor.connection.vendor))


def execute_all(schema_editor: BaseDatabaseSchemaEditor, statements: Iterator[str]) -> None:
    """Have the database carry out some statements."""
    for statement in statements:
        schema_editor.execute(statement, params=None)


def trigger_statements(vendor: str) -> Iterator[str]:
    """Yield what adds the triggers."""
    if vendor == "sqlite":
        each_row, words = "", SQLITE
    elif vendor == "postgresql":
        each_row, words = "FOR EACH ROW ", POSTGRESQL
    else:
        return
    acts = (("frozen", "UPDATE", "changed", FROZEN), ("kept", "DELETE", "deleted", UNDELETABLE))
    for name, act, done, tables in acts:
        for table, condition in tables.items():
            when = each_row + (f"WHEN ({condition})" if condition else "")
            yield words.format(table=table, name=name, act=act, done=done, when=when)
    if vendor == "postgresql":
        for table in UNDELETABLE:
            yield words.format(table=table, name="whole", act="TRUNCATE", done="deleted", when="")


def drop_statements(vendor: str) -> Iterator[str]:
    """Yield what takes the triggers away."""
    on_table = vendor == "postgresql"
    for table in UNDELETABLE:
        for name in NAMES:
            yield f"DROP TRIGGER IF EXISTS {table}_{name}" + (f" ON {table}" if on_table else "")
            if on_table:
                yield f"DROP FUNCTION IF EXISTS {table}_{name}()"

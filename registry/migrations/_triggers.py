"""Triggers by which the database refuses to change, delete or empty what is frozen.

SQLite makes a table anew when a column is added, and loses its triggers with it: a migration
that does so to one of these creates its triggers again.
"""

from collections.abc import Collection, Iterator, Mapping

from django.apps import apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

FROZEN = {
    "registry_event": "",
    "registry_ianasnapshot": "",
    "registry_importedrecord": "",
    "registry_logorigin": "",
    "registry_registration": "",
    "registry_round": "OLD.submitted_at IS NOT NULL",
    "registry_sourcedocument": "",
}
"""Tables whose rows are neither changed nor deleted, and which rows if not all."""
UNDELETABLE = {**FROZEN, "registry_namespace": ""}
"""Tables whose rows are not deleted, and which rows if not all."""

WITHDRAWABLE = {"registry_event": frozenset({"actor_name", "subject", "data"})}
"""Columns of frozen rows that are changed where a name or details are withdrawn, and only then."""
SALTS = {"registry_event": frozenset({"actor_salt", "details_salt", "seal_salt"})}
"""Columns of frozen rows that can only be emptied."""
UNLESS_WITHDRAWN = {
    "registry_event": """NOT (
        NEW.actor_salt IN ('', OLD.actor_salt)
        AND NEW.details_salt IN ('', OLD.details_salt)
        AND NEW.seal_salt IN ('', OLD.seal_salt)
        AND (NEW.actor_name = OLD.actor_name
             OR (NEW.actor_salt = '' AND NEW.actor_name = 'Name withdrawn'))
        AND ((NEW.subject = OLD.subject AND NEW.data = OLD.data) OR NEW.details_salt = ''))"""
}
"""When a change of those columns is refused: what a salt opens changes with the salt alone."""

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

NAMES = ("frozen", "withdrawn", "kept", "whole")

Columns = Mapping[str, Collection[str]]
"""The columns of each table."""


def create_triggers(_state: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the triggers of the tables that there are, in place of those already there."""
    connection = schema_editor.connection
    drop_triggers(_state, schema_editor)
    with connection.cursor() as cursor:
        columns = {
            table: [
                column.name
                for column in connection.introspection.get_table_description(cursor, table)
            ]
            for table in connection.introspection.table_names(cursor)
            if table in UNDELETABLE
        }
    execute_all(schema_editor, trigger_statements(connection.vendor, columns))


def drop_triggers(_state: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away again, where they are."""
    execute_all(schema_editor, drop_statements(schema_editor.connection.vendor))


def execute_all(schema_editor: BaseDatabaseSchemaEditor, statements: Iterator[str]) -> None:
    """Have the database carry out some statements."""
    for statement in statements:
        schema_editor.execute(statement, params=None)


def trigger_statements(vendor: str, columns: Columns | None = None) -> Iterator[str]:
    """Yield what adds the triggers, those of tables and `columns` that there are.

    Without `columns` they are those of the models.
    """
    if columns is None:
        columns = {
            model._meta.db_table: [str(column.column) for column in model._meta.concrete_fields]
            for model in apps.get_app_config("registry").get_models()
        }
    if vendor == "sqlite":
        each_row, words = "", SQLITE
    elif vendor == "postgresql":
        each_row, words = "FOR EACH ROW ", POSTGRESQL
    else:
        return
    acts = (("frozen", "UPDATE", "changed", FROZEN), ("kept", "DELETE", "deleted", UNDELETABLE))
    for name, act, done, tables in acts:
        present = {table: condition for table, condition in tables.items() if table in columns}
        for table, condition in present.items():
            when = each_row + (f"WHEN ({condition})" if condition else "")
            which = act
            if name == "frozen" and SALTS.get(table, frozenset()) & set(columns[table]):
                which = f"UPDATE OF {list_fixed_columns(table, columns[table])}"
                yield forbid_changes_unless_withdrawn(words, table, each_row)
            yield words.format(table=table, name=name, act=which, done=done, when=when)
    if vendor == "postgresql":
        for table in (table for table in UNDELETABLE if table in columns):
            yield words.format(table=table, name="whole", act="TRUNCATE", done="deleted", when="")


def list_fixed_columns(table: str, columns: Collection[str]) -> str:
    """Return, for SQL, the columns of a frozen row that never change."""
    free = WITHDRAWABLE[table] | SALTS[table]
    return ", ".join(f'"{column}"' for column in columns if column not in free)


def forbid_changes_unless_withdrawn(words: str, table: str, each_row: str) -> str:
    """Return what adds the trigger by which names and details can be withdrawn, and no more."""
    free = ", ".join(sorted(WITHDRAWABLE[table] | SALTS[table]))
    return words.format(
        table=table,
        name="withdrawn",
        act=f"UPDATE OF {free}",
        done="changed but for a name that is withdrawn",
        when=f"{each_row}WHEN ({UNLESS_WITHDRAWN[table]})",
    )


def drop_statements(vendor: str) -> Iterator[str]:
    """Yield what takes the triggers away."""
    on_table = vendor == "postgresql"
    for table in UNDELETABLE:
        for name in NAMES:
            yield f"DROP TRIGGER IF EXISTS {table}_{name}" + (f" ON {table}" if on_table else "")
            if on_table:
                yield f"DROP FUNCTION IF EXISTS {table}_{name}()"

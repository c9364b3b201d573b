"""Make what no model says: groups of roles, the cache's table, the full-text index, and triggers."""

from django.apps.registry import Apps
from django.core.management import call_command
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from registry.migrations._triggers import create_triggers, drop_triggers

ROLES = ("designated expert", "lead expert", "registrar", "standards body", "administrator")
CACHE_TABLE = "registry_cache"

TEXT_INDEX = {
    "sqlite": (
        "CREATE VIRTUAL TABLE registry_searchdocument_text USING fts5("
        "stems, content='registry_searchdocument', content_rowid='id', "
        "tokenize='unicode61 remove_diacritics 0')",
        "CREATE TRIGGER registry_searchdocument_added AFTER INSERT ON registry_searchdocument "
        "BEGIN INSERT INTO registry_searchdocument_text(rowid, stems) "
        "VALUES (new.id, new.stems); END",
        "CREATE TRIGGER registry_searchdocument_gone AFTER DELETE ON registry_searchdocument "
        "BEGIN INSERT INTO registry_searchdocument_text("
        "registry_searchdocument_text, rowid, stems) VALUES ('delete', old.id, old.stems); END",
        "CREATE TRIGGER registry_searchdocument_changed AFTER UPDATE ON registry_searchdocument "
        "BEGIN INSERT INTO registry_searchdocument_text("
        "registry_searchdocument_text, rowid, stems) VALUES ('delete', old.id, old.stems); "
        "INSERT INTO registry_searchdocument_text(rowid, stems) VALUES (new.id, new.stems); END",
    ),
    "postgresql": (
        "CREATE INDEX registry_searchdocument_text ON registry_searchdocument "
        "USING gin (array_to_tsvector(string_to_array(stems, ' ')))",
        "CREATE INDEX registry_searchdocument_namespaces ON registry_searchdocument "
        "USING gin (array_to_tsvector(string_to_array(stems, ' '))) "
        "WHERE kind || '' = 'namespace'",
    ),
}
DROP_TEXT_INDEX = {
    "sqlite": ("DROP TABLE registry_searchdocument_text",),
    "postgresql": (
        "DROP INDEX registry_searchdocument_text",
        "DROP INDEX registry_searchdocument_namespaces",
    ),
}


def create_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Group = apps.get_model("auth", "Group")
    for role in ROLES:
        Group.objects.get_or_create(name=role)


def create_cache_table(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    database = schema_editor.connection.alias
    call_command("createcachetable", CACHE_TABLE, database=database, verbosity=0)


def drop_cache_table(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(CACHE_TABLE)}")


def create_text_index(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in TEXT_INDEX[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


def drop_text_index(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in DROP_TEXT_INDEX[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.RunPython(create_groups, migrations.RunPython.noop),
        migrations.RunPython(create_cache_table, drop_cache_table),
        migrations.RunPython(create_text_index, drop_text_index),
        migrations.RunPython(create_triggers, drop_triggers),
    ]

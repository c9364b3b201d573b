"""Make what no model says: a group for each role, the table of the cache, and the triggers."""

from django.apps.registry import Apps
from django.core.management import call_command
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from registry.migrations._triggers import create_triggers, drop_triggers

ROLES = ("designated expert", "lead expert", "registrar", "standards body", "administrator")
CACHE_TABLE = "registry_cache"


def create_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Group = apps.get_model("auth", "Group")
    for role in ROLES:
        Group.objects.get_or_create(name=role)


def create_cache_table(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    database = schema_editor.connection.alias
    call_command("createcachetable", CACHE_TABLE, database=database, verbosity=0)


def drop_cache_table(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(CACHE_TABLE)}")


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.RunPython(create_groups, migrations.RunPython.noop),
        migrations.RunPython(create_cache_table, drop_cache_table),
        migrations.RunPython(create_triggers, drop_triggers),
    ]

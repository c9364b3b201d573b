"""Add the indexes by which pages of a large registry read no more than those of a small one."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TEXT_OF_NAMESPACES = (
    "CREATE INDEX registry_searchdocument_namespaces ON registry_searchdocument "
    "USING gin (array_to_tsvector(string_to_array(stems, ' '))) "
    "WHERE kind || '' = 'namespace'"
)


def create_text_index(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(TEXT_OF_NAMESPACES, params=None)


def drop_text_index(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX registry_searchdocument_namespaces", params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0024_request_checks"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="event", name="event_on_namespace"),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(
                condition=models.Q(("namespace__isnull", False)),
                fields=["verb", "number"],
                name="event_on_namespace",
            ),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(
                condition=models.Q(("registration_request__isnull", True)),
                fields=["number"],
                name="event_on_no_request",
            ),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["actor", "verb"], name="event_by_actor"),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["at"], name="event_by_time"),
        ),
        migrations.AddIndex(
            model_name="registration",
            index=models.Index(
                condition=models.Q(("grammar", ""), _negated=True),
                fields=["namespace", "number", "grammar_kind"],
                name="registration_with_grammar",
            ),
        ),
        migrations.AddIndex(
            model_name="registrationrequest",
            index=models.Index(
                condition=models.Q(("namespace__isnull", False)),
                fields=["state"],
                name="request_of_namespace",
            ),
        ),
        migrations.RunPython(create_text_index, drop_text_index),
    ]

"""Make the search index: its tables, and the full-text index of each database."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = (
    "CREATE VIRTUAL TABLE registry_searchdocument_text USING fts5("
    "stems, content='registry_searchdocument', content_rowid='id', "
    "tokenize='unicode61 remove_diacritics 0')",
    "CREATE TRIGGER registry_searchdocument_added AFTER INSERT ON registry_searchdocument BEGIN "
    "INSERT INTO registry_searchdocument_text(rowid, stems) VALUES (new.id, new.stems); END",
    "CREATE TRIGGER registry_searchdocument_gone AFTER DELETE ON registry_searchdocument BEGIN "
    "INSERT INTO registry_searchdocument_text(registry_searchdocument_text, rowid, stems) "
    "VALUES ('delete', old.id, old.stems); END",
    "CREATE TRIGGER registry_searchdocument_changed AFTER UPDATE ON registry_searchdocument BEGIN "
    "INSERT INTO registry_searchdocument_text(registry_searchdocument_text, rowid, stems) "
    "VALUES ('delete', old.id, old.stems); "
    "INSERT INTO registry_searchdocument_text(rowid, stems) VALUES (new.id, new.stems); END",
)
SQLITE_BACK = ("DROP TABLE registry_searchdocument_text",)
POSTGRESQL = (
    "CREATE INDEX registry_searchdocument_text ON registry_searchdocument "
    "USING gin (array_to_tsvector(string_to_array(stems, ' ')))",
)
POSTGRESQL_BACK = ("DROP INDEX registry_searchdocument_text",)


def create_text_index(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        schema_editor.execute(statement, params=None)


def drop_text_index(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE_BACK if is_sqlite else POSTGRESQL_BACK:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("registry", "0004_declared_equivalence")]

    operations = [
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                (
                    "word",
                    models.CharField(
                        max_length=60, primary_key=True, serialize=False, verbose_name="word"
                    ),
                ),
                ("stem", models.CharField(db_index=True, max_length=60, verbose_name="stem")),
                ("documents", models.PositiveIntegerField(verbose_name="documents")),
            ],
            options={
                "verbose_name": "search word",
                "verbose_name_plural": "search words",
                "ordering": ["word"],
            },
        ),
        migrations.CreateModel(
            name="SearchDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("namespace", "Namespaces"),
                            ("request", "Requests"),
                            ("organization", "Organizations"),
                            ("guide", "Guide"),
                            ("vocabulary", "Related registries"),
                        ],
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="What tells it from others of its kind.",
                        max_length=200,
                        verbose_name="key",
                    ),
                ),
                ("url", models.CharField(max_length=300, verbose_name="address")),
                ("title", models.CharField(max_length=300, verbose_name="title")),
                ("summary", models.TextField(blank=True, verbose_name="summary")),
                ("fields", models.JSONField(default=dict, verbose_name="stems of each field")),
                ("words", models.JSONField(default=list, verbose_name="words as written")),
                ("stems", models.TextField(blank=True, verbose_name="every stem once")),
            ],
            options={
                "verbose_name": "search document",
                "verbose_name_plural": "search documents",
                "ordering": ["kind", "key"],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "key"), name="search_document_once")
                ],
            },
        ),
        migrations.RunPython(create_text_index, drop_text_index),
    ]

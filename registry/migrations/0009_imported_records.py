"""Add documents of record, the records read from them, and readings of IANA's list."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from registry.migrations._triggers import create_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0008_office"),
    ]

    operations = [
        migrations.CreateModel(
            name="IANASnapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sha256",
                    models.CharField(
                        max_length=64, unique=True, verbose_name="SHA-256 of the octets"
                    ),
                ),
                ("address", models.CharField(max_length=500, verbose_name="where it was read")),
                ("content", models.BinaryField(verbose_name="octets")),
                (
                    "updated_on",
                    models.CharField(blank=True, max_length=10, verbose_name="its own date"),
                ),
                (
                    "changes",
                    models.PositiveIntegerField(
                        default=0, verbose_name="how many entries differed when it was read"
                    ),
                ),
                ("read_at", models.DateTimeField(verbose_name="read")),
            ],
            options={
                "verbose_name": "reading of IANA's list",
                "verbose_name_plural": "readings of IANA's list",
                "ordering": ["-read_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="SourceDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="RFC 8458, urn-formal/nbn or an address.",
                        max_length=300,
                        verbose_name="document",
                    ),
                ),
                ("address", models.CharField(max_length=500, verbose_name="where it is published")),
                (
                    "read_from",
                    models.CharField(
                        help_text="The address that answered in the end, or the name of a file.",
                        max_length=500,
                        verbose_name="where it was read",
                    ),
                ),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256 of its octets")),
                ("text", models.TextField(verbose_name="text")),
                ("read_at", models.DateTimeField(verbose_name="read")),
            ],
            options={
                "verbose_name": "source document",
                "verbose_name_plural": "source documents",
                "ordering": ["name", "read_at"],
                "constraints": [
                    models.UniqueConstraint(fields=("name", "sha256"), name="source_document_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "nid",
                    models.TextField(blank=True, default="", verbose_name="Namespace Identifier"),
                ),
                ("version", models.TextField(blank=True, default="", verbose_name="Version")),
                ("date", models.TextField(blank=True, default="", verbose_name="Date")),
                ("registrant", models.TextField(blank=True, default="", verbose_name="Registrant")),
                ("purpose", models.TextField(blank=True, default="", verbose_name="Purpose")),
                ("syntax", models.TextField(blank=True, default="", verbose_name="Syntax")),
                ("assignment", models.TextField(blank=True, default="", verbose_name="Assignment")),
                (
                    "security_privacy",
                    models.TextField(blank=True, default="", verbose_name="Security and Privacy"),
                ),
                (
                    "interoperability",
                    models.TextField(blank=True, default="", verbose_name="Interoperability"),
                ),
                ("resolution", models.TextField(blank=True, default="", verbose_name="Resolution")),
                (
                    "documentation",
                    models.TextField(blank=True, default="", verbose_name="Documentation"),
                ),
                (
                    "additional_information",
                    models.TextField(blank=True, default="", verbose_name="Additional Information"),
                ),
                (
                    "revision_information",
                    models.TextField(blank=True, default="", verbose_name="Revision Information"),
                ),
                (
                    "grammar_kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not given"),
                            ("abnf", "ABNF"),
                            ("regex", "Regular expression"),
                            ("opaque", "Opaque: names have no structure to check"),
                            ("algorithmic", "Made by an algorithm"),
                        ],
                        max_length=12,
                        verbose_name="structure given as",
                    ),
                ),
                ("grammar", models.TextField(blank=True, verbose_name="formal grammar")),
                ("examples", models.JSONField(blank=True, default=list, verbose_name="examples")),
                (
                    "equivalence",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text=(
                            "Statements, one an entry; nothing is declared where there is none."
                        ),
                        verbose_name="when two names are the same",
                    ),
                ),
                (
                    "counter_examples",
                    models.JSONField(blank=True, default=list, verbose_name="counter-examples"),
                ),
                ("prior_use", models.TextField(blank=True, verbose_name="prior unregistered use")),
                (
                    "number",
                    models.PositiveIntegerField(
                        help_text="Of the record among those of its namespace; not a version.",
                        verbose_name="number",
                    ),
                ),
                ("read_at", models.DateTimeField(verbose_name="read")),
                ("reader", models.CharField(max_length=40, verbose_name="version of the reader")),
                ("first_line", models.PositiveIntegerField(verbose_name="first line")),
                ("last_line", models.PositiveIntegerField(verbose_name="last line")),
                ("first_page", models.PositiveIntegerField(verbose_name="first page")),
                ("last_page", models.PositiveIntegerField(verbose_name="last page")),
                ("text", models.TextField(verbose_name="text as found")),
                (
                    "sha256",
                    models.CharField(max_length=64, verbose_name="SHA-256 of the text as found"),
                ),
                (
                    "generation",
                    models.CharField(
                        blank=True, max_length=8, verbose_name="generation of the template"
                    ),
                ),
                (
                    "is_update",
                    models.BooleanField(
                        default=False,
                        help_text="The document has no whole template: the rest stands in another one.",
                        verbose_name="replaces single fields",
                    ),
                ),
                (
                    "field_sources",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="By field: the labels, the lines, and what people should know of it.",
                        verbose_name="where the fields stand",
                    ),
                ),
                (
                    "left_over",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Passages within the template that belong to no field.",
                        verbose_name="what was not understood",
                    ),
                ),
                (
                    "remarks",
                    models.JSONField(
                        blank=True, default=list, verbose_name="remarks of the reader"
                    ),
                ),
                (
                    "doubts",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="What a person should look at.",
                        verbose_name="doubts",
                    ),
                ),
                (
                    "grammar_start",
                    models.CharField(
                        blank=True, max_length=200, verbose_name="rule that describes a name"
                    ),
                ),
                (
                    "corrected_fields",
                    models.JSONField(
                        blank=True, default=list, verbose_name="fields corrected by a person"
                    ),
                ),
                (
                    "correction_reason",
                    models.TextField(blank=True, verbose_name="why it was corrected"),
                ),
                (
                    "corrected_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrected_records",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="corrected by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_records",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="records",
                        to="registry.sourcedocument",
                        verbose_name="document",
                    ),
                ),
            ],
            options={
                "verbose_name": "imported record",
                "verbose_name_plural": "imported records",
                "ordering": ["namespace", "-number"],
            },
        ),
        migrations.CreateModel(
            name="DocumentSource",
            fields=[
                (
                    "name",
                    models.CharField(
                        max_length=300, primary_key=True, serialize=False, verbose_name="document"
                    ),
                ),
                ("etag", models.CharField(blank=True, max_length=200, verbose_name="entity tag")),
                (
                    "last_modified",
                    models.CharField(blank=True, max_length=60, verbose_name="last modified"),
                ),
                ("asked_from", models.CharField(max_length=500, verbose_name="asked from")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "problem",
                    models.CharField(
                        blank=True, max_length=300, verbose_name="why it could not be read"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.sourcedocument",
                        verbose_name="as read last",
                    ),
                ),
            ],
            options={
                "verbose_name": "source of a document",
                "verbose_name_plural": "sources of documents",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="RecordContact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254, verbose_name="mail address")),
                ("source", models.CharField(max_length=300, verbose_name="how it was confirmed")),
                ("confirmed_at", models.DateTimeField(verbose_name="confirmed")),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="confirmed_contacts",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="confirmed by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="record_contacts",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.importedrecord",
                        verbose_name="record that gives it",
                    ),
                ),
            ],
            options={
                "verbose_name": "confirmed contact",
                "verbose_name_plural": "confirmed contacts",
                "ordering": ["namespace", "address"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("namespace", "address"), name="record_contact_once"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="importedrecord",
            constraint=models.UniqueConstraint(
                fields=("namespace", "number"), name="imported_record_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedrecord",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="imported_record_number_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedrecord",
            constraint=models.CheckConstraint(
                condition=models.Q(("last_line__gte", models.F("first_line"))),
                name="imported_record_lines_in_order",
            ),
        ),
        migrations.RunPython(create_triggers, migrations.RunPython.noop),
    ]

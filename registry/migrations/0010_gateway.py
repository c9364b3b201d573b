"""Rows of locators under a digest, without a number of their own; secrets that change over.

No key of a table can be changed in place, and none of these rows was ever served: the table is
made anew.
"""

import django.db.models.deletion
from django.db import migrations, models

STATES = [
    ("waiting", "Waits to be loaded"),
    ("loading", "Being loaded"),
    ("current", "In use"),
    ("replaced", "Replaced by a newer one"),
    ("refused", "Refused"),
    ("stopped", "Stopped before its end"),
    ("dropped", "Taken away"),
]


class Migration(migrations.Migration):
    dependencies = [("registry", "0009_resolution")]

    operations = [
        migrations.DeleteModel("Locator"),
        migrations.CreateModel(
            name="Locator",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table",
                        "key",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("key", models.BinaryField(max_length=16)),
                ("name", models.CharField(max_length=2000, verbose_name="name")),
                ("locator", models.CharField(max_length=2000, verbose_name="locator")),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="locators",
                        to="registry.locatortable",
                    ),
                ),
            ],
            options={"verbose_name": "locator", "verbose_name_plural": "locators"},
        ),
        migrations.AlterField(
            model_name="locatortable",
            name="state",
            field=models.CharField(choices=STATES, max_length=8, verbose_name="state"),
        ),
        migrations.AddField(
            model_name="hook",
            name="previous_secret",
            field=models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text=(
                    "Signs as well until `previous_until`, so that a receiver can change over."
                ),
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="hook",
            name="previous_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="hookdelivery",
            name="event",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="registry.event",
            ),
        ),
        migrations.AddIndex(
            model_name="hookdelivery",
            index=models.Index(
                condition=models.Q(("delivered_at__isnull", True), ("given_up_at__isnull", True)),
                fields=["written_at"],
                name="hook_delivery_waiting",
            ),
        ),
    ]

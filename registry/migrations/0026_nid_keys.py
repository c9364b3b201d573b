"""Add the keys by which NIDs were found that resemble one; they are gone since."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0025_indexes_of_pages"),
    ]

    operations = [
        migrations.CreateModel(
            name="NidKey",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "key",
                        "nid",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("key", models.BigIntegerField()),
                ("nid", models.CharField(max_length=200, verbose_name="NID")),
            ],
            options={
                "verbose_name": "key of a NID",
                "verbose_name_plural": "keys of NIDs",
            },
        ),
    ]

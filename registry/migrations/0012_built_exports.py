"""Add the files that the worker has built."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0011_whose_namespace"),
    ]

    operations = [
        migrations.CreateModel(
            name="BuiltExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(db_index=True, max_length=100, verbose_name="file")),
                ("path", models.CharField(max_length=200, verbose_name="name in the store")),
                ("size", models.PositiveBigIntegerField(verbose_name="octets")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256 of its octets")),
                (
                    "packed_size",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="None for a short file.",
                        null=True,
                        verbose_name="octets in gzip",
                    ),
                ),
                ("changed_at", models.DateTimeField(blank=True, null=True, verbose_name="changed")),
                (
                    "state",
                    models.CharField(
                        help_text="Of what it tells of the registry.",
                        max_length=100,
                        verbose_name="state",
                    ),
                ),
                ("release", models.CharField(max_length=64, verbose_name="release that built it")),
                (
                    "line",
                    models.PositiveIntegerField(
                        help_text="The last line of the journal when it was begun.",
                        verbose_name="line",
                    ),
                ),
                ("built_at", models.DateTimeField(verbose_name="built")),
                ("seconds", models.FloatField(verbose_name="seconds it took")),
            ],
            options={
                "verbose_name": "built file",
                "verbose_name_plural": "built files",
                "ordering": ["name", "-id"],
            },
        ),
    ]

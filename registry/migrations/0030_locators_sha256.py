"""Keep the digest of the locators of a table, by which they are verified."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0029_reset_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="locatortable",
            name="locators_sha256",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=64,
                verbose_name="SHA-256 of the locators",
            ),
        ),
    ]

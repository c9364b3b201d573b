"""Keep the notes by which the log's key signs public dumps."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0031_drop_nid_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="builtexport",
            name="note",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                help_text="By the key of the log, about a dump; empty until it is signed.",
                verbose_name="signed note",
            ),
        ),
    ]

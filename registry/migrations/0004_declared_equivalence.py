"""Add what a registrant declares as data: the start rule, and when two names are the same."""

from django.db import migrations, models

from registry.migrations._triggers import create_triggers, drop_triggers

EQUIVALENCE = models.JSONField(
    blank=True,
    default=list,
    help_text="Statements, one an entry; nothing is declared where there is none.",
    verbose_name="when two names are the same",
)
GRAMMAR_START = models.CharField(
    blank=True, default="", max_length=200, verbose_name="rule that describes a name"
)


class Migration(migrations.Migration):
    dependencies = [("registry", "0003_sightings_without_author")]

    operations = [
        # A table that gets a column is made anew on SQLite, which loses its triggers.
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField("registration", "equivalence", EQUIVALENCE),
        migrations.AddField("registration", "grammar_start", GRAMMAR_START),
        migrations.AddField("round", "equivalence", EQUIVALENCE),
        migrations.AddField("round", "grammar_start", GRAMMAR_START),
        migrations.RunPython(create_triggers, drop_triggers),
        migrations.AddField(
            "locatortable",
            "compared_by",
            models.CharField(
                blank=True,
                default="",
                help_text="Empty where nothing is added to RFC 8141, section 3.1.",
                max_length=64,
                verbose_name="digest of what names were compared by",
            ),
        ),
    ]

"""Lines of the journal say what rows said; the database refuses to delete what is frozen."""

from django.db import migrations, models

from registry.migrations._frozen import freeze, thaw


class Migration(migrations.Migration):
    dependencies = [("registry", "0013_rate_limits")]

    operations = [
        migrations.RunPython(thaw, freeze),
        migrations.AddField(
            model_name="event",
            name="rows",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="By table and key, what the row said before the act and after it.",
                verbose_name="digests of rows",
            ),
        ),
        migrations.RunPython(freeze, thaw),
    ]

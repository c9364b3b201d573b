"""Let a sighting have come with the shipped data instead of from a person."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("registry", "0002_roles_and_triggers")]

    operations = [
        migrations.AlterField(
            model_name="sighting",
            name="noted_by",
            field=models.ForeignKey(
                blank=True,
                help_text="Nobody where it came with the data that the registry ships.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sightings",
                to=settings.AUTH_USER_MODEL,
                verbose_name="noted by",
            ),
        ),
    ]

"""Have the database refuse updates of what is frozen: events, versions, rounds once sent."""

from django.db import migrations

from registry.migrations._frozen import freeze, thaw


class Migration(migrations.Migration):
    dependencies = [("registry", "0002_roles")]

    operations = [migrations.RunPython(freeze, thaw)]

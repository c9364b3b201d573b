"""Drop the keys of NIDs: a NID is compared with the others in memory."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0030_locators_sha256"),
    ]

    operations = [
        migrations.DeleteModel(name="NidKey"),
    ]

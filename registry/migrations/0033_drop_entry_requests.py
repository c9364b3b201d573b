from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0032_notes_of_dumps"),
    ]

    operations = [
        migrations.DeleteModel(name="EntryComment"),
        migrations.DeleteModel(name="EntryRequest"),
    ]

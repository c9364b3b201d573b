"""Add the keys by which NIDs are found that resemble one, and write those of the NIDs there are."""

from itertools import islice

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from registry.lookalikes import list_keys

HOLDERS = ("Namespace", "RegistrationRequest", "Sighting")
NIDS_PER_BATCH = 200


def write_keys(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    nids = set()
    for name in HOLDERS:
        held = apps.get_model("registry", name)._base_manager.exclude(nid="")
        nids.update(held.values_list("nid", flat=True).iterator())
    model, remaining = apps.get_model("registry", "NidKey"), iter(sorted(nids))
    while batch := list(islice(remaining, NIDS_PER_BATCH)):
        rows = sorted((key, nid) for nid in batch for key in list_keys(nid))
        model._base_manager.bulk_create([model(key=key, nid=nid) for key, nid in rows])


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
        migrations.RunPython(write_keys, migrations.RunPython.noop),
    ]

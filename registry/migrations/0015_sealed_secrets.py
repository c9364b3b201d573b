"""Encrypt the secrets of webhooks."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import registry.models.notification
import registry.models.sealed_field


def seal_secrets(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Encrypt what was kept in plain: the field reads the one and writes the other."""
    for hook in apps.get_model("registry", "Webhook").objects.all():
        hook.save(update_fields=["secret", "previous_secret"])


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0014_second_factors"),
    ]

    operations = [
        migrations.AlterField(
            model_name="webhook",
            name="previous_secret",
            field=registry.models.sealed_field.SealedField(
                blank=True,
                editable=False,
                help_text="Signs as well until `previous_until`, so that a receiver can change over.",
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="secret",
            field=registry.models.sealed_field.SealedField(
                default=registry.models.notification.make_webhook_secret, editable=False
            ),
        ),
        migrations.RunPython(seal_secrets, migrations.RunPython.noop, elidable=True),
    ]

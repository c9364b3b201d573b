"""Messages say whether it is known who wrote them: those from this site, up to now."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def mark_those_from_the_site(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Mark what people wrote while they were signed in."""
    apps.get_model("registry", "Message").objects.filter(channel="site").update(
        is_sender_verified=True
    )


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0014_digests_of_rows"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="is_sender_verified",
            field=models.BooleanField(
                default=False,
                help_text=(
                    "Whether the author was signed in; a letter only claims whom it is from."
                ),
                verbose_name="sender verified",
            ),
        ),
        migrations.RunPython(mark_those_from_the_site, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=~models.Q(channel="list", is_sender_verified=True),
                name="message_by_mail_is_unverified",
            ),
        ),
    ]

"""Add resets of second factors, and scopes and last use of tokens; none that is there may publish."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import registry.models.account


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0013_account_log"),
    ]

    operations = [
        migrations.AddField(
            model_name="token",
            name="last_used_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="last used"),
        ),
        migrations.AddField(
            model_name="token",
            name="scopes",
            field=models.JSONField(
                default=registry.models.account.make_default_scopes, verbose_name="scopes"
            ),
        ),
        migrations.CreateModel(
            name="FactorReset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(editable=False, max_length=64, unique=True)),
                ("announced_at", models.DateTimeField(auto_now_add=True, verbose_name="announced")),
                ("due_at", models.DateTimeField(verbose_name="due")),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="factor_reset",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "reset of a second factor",
                "verbose_name_plural": "resets of second factors",
            },
        ),
    ]

"""Add the log of accounts, and the epoch by which sessions end."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0012_built_exports"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="session_epoch",
            field=models.PositiveIntegerField(
                default=0,
                editable=False,
                help_text="Part of what every session is checked by: raising it ends them all.",
            ),
        ),
        migrations.CreateModel(
            name="AccountEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("signed_in", "Signed in"),
                            ("sign_in_failed", "A sign-in failed"),
                            ("locked", "Too many attempts: asked to wait, or for a code"),
                            ("reauthenticated", "Confirmed who it is"),
                            ("session_expired", "A session ended by its time limit"),
                            ("sessions_ended", "Sessions ended"),
                            ("password_changed", "Password changed"),
                            ("address_added", "Mail address added"),
                            ("address_changed", "Main mail address changed"),
                            ("address_removed", "Mail address removed"),
                            ("factor_added", "Second factor added"),
                            ("factor_removed", "Second factor removed"),
                            ("factor_failed", "A second factor was wrong"),
                            ("codes_made", "Recovery codes made"),
                            ("reset_announced", "Reset of the second factor announced"),
                            ("reset_stopped", "Reset of the second factor stopped"),
                            ("reset_done", "Second factor reset"),
                            ("token_made", "Token made"),
                            ("token_revoked", "Token revoked"),
                            ("tokens_ended", "Tokens ended"),
                            ("role_given", "Role given"),
                            ("role_taken", "Role taken"),
                            ("switched_off", "Account switched off"),
                            ("switched_on", "Account switched on"),
                            ("connected", "Account elsewhere connected"),
                            ("disconnected", "Account elsewhere disconnected"),
                        ],
                        max_length=20,
                        verbose_name="what",
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=200, verbose_name="detail")),
                (
                    "network",
                    models.CharField(
                        blank=True,
                        help_text="The first part of the address alone: /24 of IPv4, /48 of IPv6.",
                        max_length=43,
                        verbose_name="network",
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        db_index=True, default=django.utils.timezone.now, verbose_name="when"
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        help_text="Empty where it was the person, a stranger, a command or the clock.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="done by",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        help_text="Empty where somebody tried an address that has no account.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account_events",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "line of the log of accounts",
                "verbose_name_plural": "log of accounts",
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["user", "-at"], name="account_event_by_user")],
            },
        ),
    ]

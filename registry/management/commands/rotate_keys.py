"""Re-encrypt with the first of the data keys what was encrypted with another."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from registry.models import Webhook
from registry.secret_box import reencrypt_secret


class Command(BaseCommand):
    """`manage.py rotate_keys`: afterwards the old keys can be removed from `REGISTRY_DATA_KEYS`."""

    help = "Encrypt secrets anew by the first key of REGISTRY_DATA_KEYS."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        hooks = Webhook.objects.select_for_update(no_key=True).all()
        for hook in hooks:
            if not hook.secret:
                raise CommandError(
                    f"The secret of webhook {hook.pk} cannot be read. Add the key that it was "
                    "written with to REGISTRY_DATA_KEYS, or have its owner make a fresh secret."
                )
            # Reading decrypts with whichever key fits, and saving encrypts with the first.
            hook.save(update_fields=["secret", "previous_secret"])
        factors = [
            factor
            for factor in Authenticator.objects.select_for_update(no_key=True).all()
            if any(factor.data.get(name) for name in ("secret", "seed"))
        ]
        for factor in factors:
            for name in ("secret", "seed"):
                if kept := factor.data.get(name):
                    factor.data[name] = reencrypt_secret(kept)
            factor.save(update_fields=["data"])
        self.stdout.write(f"Encrypted anew: {len(hooks)} webhooks, {len(factors)} factors.")

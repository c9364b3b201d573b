"""Remove a lost second factor."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.actions.account_security import announce_factor_reset, stop_factor_reset
from registry.errors import RegistryError
from registry.models import User


class Command(BaseCommand):
    """`manage.py reset_factor ADDRESS`: announced by letter, done by the scheduler a day later."""

    help = "Announce by letter that an account loses its second factor, which tick then does."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="An email address of the account.")
        parser.add_argument("--stop", action="store_true", help="Stop what was announced.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.filter(email__iexact=options["address"]).first()
        if person is None:
            raise CommandError(f"No account has the address {options['address']}.")
        if options["stop"]:
            if not stop_factor_reset(person):
                raise CommandError("No reset is announced.")
            self.stdout.write(f"Stopped. {person.email} keeps the second factor.")
            return
        try:
            reset = announce_factor_reset(person)
        except RegistryError as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(
            f"Announced to {person.email}. Unless it is stopped, the second factor is taken away "
            f"at {reset.due_at:%Y-%m-%d %H:%M} UTC ({settings.REGISTRY_FACTOR_RESET_HOURS} hours)."
        )

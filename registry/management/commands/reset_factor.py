"""Remove a lost second factor."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.actions.officer_changes import find_effective_time, reset_factor, stop_change
from registry.enums import OfficerChangeKind
from registry.errors import RegistryError
from registry.models import OfficerChange, User
from registry.models.dates import load_calendar


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
            waiting = OfficerChange.objects.waiting().filter(
                person=person, kind=OfficerChangeKind.RESET_FACTOR
            )
            if not (change := waiting.first()):
                raise CommandError("No reset is announced.")
            stop_change(change, actor=None, reason="The operator stopped it.")
            self.stdout.write(f"Stopped. {person.email} keeps the second factor.")
            return
        try:
            change = reset_factor(person)
        except RegistryError as reason:
            raise CommandError(str(reason)) from None
        due = find_effective_time(change, load_calendar())
        self.stdout.write(
            f"Announced to {person.email} and all officers. Unless it is stopped, the second "
            f"factor is taken away at {due:%Y-%m-%d %H:%M} UTC."
        )

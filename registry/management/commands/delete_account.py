"""Delete an account that never acted."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.actions.own_data import delete_unused_account
from registry.management.base import RegistryCommand
from registry.models import User


class Command(RegistryCommand):
    """`manage.py delete_account ADDRESS`: with all its data, if it never did anything."""

    help = (
        "Delete the account with this mail address, if nothing was done by it. An account that "
        "acted stays; manage.py forget withdraws its name. This cannot be undone."
    )
    refusal_words = "Nothing was deleted.\n"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="ADDRESS", help="the mail address of the account")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        person = User.objects.filter(email__iexact=address).first()
        if person is None:
            raise CommandError(f"No account has the address {address}.")
        delete_unused_account(person)
        self.stdout.write(f"Deleted the account {address}.")

"""Withdraw the name of a person."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.actions.withdrawn_names import withdraw_name
from registry.management.base import RegistryCommand
from registry.models import User


class Command(RegistryCommand):
    """`manage.py forget ADDRESS`: removes the name from pages, dumps and letters."""

    help = (
        "Withdraw the name of the account with this email address from the journal, messages "
        "and letters, and close the account. What was done stays, and so does every proof of "
        "the log. This cannot be undone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="ADDRESS")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        person = User.objects.filter(email__iexact=address).first()
        if person is None:
            raise CommandError(f"No account has the address {address}.")
        done = withdraw_name(person)
        self.stdout.write(
            f"Withdrawn from {done.lines} lines, {done.messages} messages, {done.letters} letters. "
            "Proofs of the log hold as before. Dumps that were given out earlier still have it."
        )

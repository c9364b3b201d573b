"""Withdraw the name of a person."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from registry.actions.withdrawn_names import withdraw_name, withdraw_sender
from registry.management.base import RegistryCommand
from registry.models import User


class Command(RegistryCommand):
    """`manage.py forget ADDRESS`: removes the name from pages, dumps and letters."""

    help = (
        "Withdraw the name of the account with this email address from the journal, messages "
        "and letters, and close the account. Without an account, withdraw the name of whoever "
        "mailed to discussions from this address. What was done stays, and so does every proof of "
        "the log. This cannot be undone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="ADDRESS")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        person = User.objects.filter(email__iexact=address).first()
        done = withdraw_name(person) if person else withdraw_sender(address)
        self.stdout.write(
            f"Withdrawn from {done.lines} lines, {done.messages} messages, {done.letters} letters. "
            "Proofs of the log hold as before. Dumps that were given out earlier still have it."
        )
        if done.texts:
            self.stdout.write("These texts still have the name or the address:")
        for text in done.texts:
            self.stdout.write(f"  {text}")

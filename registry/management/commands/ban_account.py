"""Ban or unban somebody."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from registry.actions.bans import lift_ban
from registry.actions.officer_changes import close_account
from registry.management.base import RegistryCommand
from registry.management.commands.grant_role import find_person
from registry.models import OfficerChange


class Command(RegistryCommand):
    """`manage.py ban_account ADDRESS --reason WHY`: for the operator."""

    help = (
        "Switch an account off: its sessions and tokens end, and nobody signs in, writes or asks "
        "by it. The person is told why by letter; the journal has a line of it, without the reason."
    )
    refusal_words = "Nothing was changed.\n"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", metavar="ADDRESS", help="the email address of an account")
        parser.add_argument("--reason", required=True, help="why, as the person is told")
        parser.add_argument("--lift", action="store_true", help="let the person in again")

    def handle(self, *args: Any, address: str, reason: str, lift: bool, **options: Any) -> None:
        person = find_person(address)
        event = (lift_ban if lift else close_account)(person, reason=reason, actor=None)
        if isinstance(event, OfficerChange):
            self.stdout.write(f"Announced to all officers, one of whom can stop it: {event}.")
            return
        done = "may sign in again" if lift else "is kept out"
        self.stdout.write(f"{person.email} {done}. Line {event.number} of the journal.")

"""Give somebody a role."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry.actions.officer_changes import find_effective_time, grant_role
from registry.enums import Role
from registry.management.base import RegistryCommand
from registry.models import OfficerChange, User
from registry.models.dates import load_calendar


class Command(RegistryCommand):
    """`manage.py grant_role ADDRESS ROLE`: as in the admin, without signing in."""

    help = (
        "Give the account with this email address a role, as the administration does: at once "
        "while nobody holds it, otherwise a day after it was announced to all officers. The "
        "journal has a line of it. Roles are taken away in the administration."
    )

    refusal_words = "Nothing was changed.\n"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", metavar="ADDRESS", help="the email address of an account")
        parser.add_argument(
            "role",
            metavar="ROLE",
            nargs="+",
            help=f"one of: {', '.join(Role.values)}",
        )

    def handle(self, *args: Any, address: str, role: list[str], **options: Any) -> None:
        given, person = read_role(" ".join(role)), find_person(address)
        done = grant_role(person, given)
        if isinstance(done, OfficerChange):
            due = find_effective_time(done, load_calendar())
            self.stdout.write(
                f"Announced to all officers. Unless one stops it, {person.email} is {given.value} "
                f"at {due:%Y-%m-%d %H:%M} UTC."
            )
            return
        self.stdout.write(
            f"{person.email} is {given.value} now. Line {done.number} of the journal."
        )


def read_role(text: str) -> Role:
    """Return the role of that name, ignoring case; `-` and `_` stand for spaces."""
    name = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if name not in Role:
        roles = ", ".join(Role.values)
        raise CommandError(f"There is no role “{text}”. The roles are: {roles}.")
    return Role(name)


def find_person(address: str) -> User:
    """Return the account that signs in with `address`."""
    person = User.objects.filter(email__iexact=address.strip()).first()
    if person is None:
        raise CommandError(
            f"There is no account with the address {address}. People create theirs on the site, "
            "under Sign in; you create the first with manage.py createsuperuser."
        )
    return person

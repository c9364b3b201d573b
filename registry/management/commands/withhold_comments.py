"""Hide everything that one person wrote in discussions from readers, or show it again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from registry.actions.bans import find_comments, restore_comments, withhold_comments
from registry.actions.incoming_mail import find_letters_from
from registry.errors import RegistryError
from registry.management.base import RegistryCommand
from registry.management.commands.grant_role import find_person
from registry.models import Message, User


class Command(RegistryCommand):
    """`manage.py withhold_comments ADDRESS --as MODERATOR --reason WHY`: against spam."""

    help = (
        "Hide all comments of one account, or all letters to the list from an address without an "
        "account, from readers, who see that they were hidden, by whom and why. Each has a line in "
        "the journal, as where one is hidden on its page. They are hidden by fifties: if it fails, "
        "run it again to hide the others."
    )
    refusal_words = "Nothing was changed.\n"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", metavar="ADDRESS", help="the author’s email address")
        parser.add_argument(
            "--as",
            required=True,
            dest="moderator",
            metavar="ADDRESS",
            help="the email address of the lead expert or the registrar in whose name it is done",
        )
        parser.add_argument("--reason", required=True, help="why, as readers are told")
        parser.add_argument(
            "--restore", action="store_true", help="show those again that were hidden for REASON"
        )

    def handle(
        self,
        *args: Any,
        address: str,
        moderator: str,
        reason: str,
        restore: bool,
        **options: Any,
    ) -> None:
        act = restore_comments if restore else withhold_comments
        done, what = 0, "shown again" if restore else "hidden"
        try:
            comments = find_comments_from(address)
            for count in act(comments, moderator=find_person(moderator), reason=reason):
                done += count
        except RegistryError as refusal:
            if not done:
                raise
            raise CommandError(f"{refusal} Comments {what} before: {done}.") from None
        self.stdout.write(f"Comments {what}: {done}.")


def find_comments_from(address: str) -> QuerySet[Message]:
    """Return what was mailed from an address without an account, and what its account wrote."""
    person = User.objects.filter(email__iexact=address.strip()).first()
    if person is None:
        return find_letters_from(address)
    return find_comments(person) | Message.objects.public().sent_from([address])

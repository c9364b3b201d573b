"""Verify the journal."""

from __future__ import annotations

from argparse import ArgumentTypeError
from itertools import chain
from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry import journal
from registry.exchange.backup.writer import open_snapshot
from registry.journal import row_verification
from registry.management.base import PagelessCommand
from registry.models import Event


class Command(PagelessCommand):
    """`manage.py verify_journal`: ends with an error if an event or a row was changed."""

    help = (
        "See that no line of the journal was changed, added or taken out, and that versions, "
        "rounds, namespaces, registrants, states of requests, resolution services, locators, "
        "the two vocabularies, held NIDs, roles, superusers and who speaks for whom are what its "
        "lines say."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--withheld",
            action="store_true",
            help="of a registry from a public dump: take lines by their entries alone, and count "
            "them",
        )
        parser.add_argument(
            "--head",
            type=parse_head,
            metavar="NUMBER:DIGEST",
            help="as an earlier run printed it, kept where nobody of this machine can write: only "
            "so a journal that was cut at its end or written anew as a whole is known",
        )

    def handle(
        self, *args: Any, withheld: bool, head: journal.JournalHead | None, **options: Any
    ) -> None:
        with open_snapshot():
            broken = 0
            lines = journal.verify(withheld=withheld, kept=head)
            for sentence in chain(lines, row_verification.verify_rows(withheld=withheld)):
                self.stdout.write(sentence)
                broken += 1
            self.stdout.write(f"Lines in the journal: {Event.objects.count()}.")
            if withheld:
                unread = Event.objects.filter(verb=journal.WITHHELD_VERB).count()
                self.stdout.write(f"Known by their entries alone: {unread}.")
            if now := journal.find_head():
                self.stdout.write(f"Head: {now}")
        if broken:
            places = "1 place" if broken == 1 else f"{broken} places"
            raise CommandError(f"The journal is broken in {places}.")


def parse_head(text: str) -> journal.JournalHead:
    """Return the head given on the command line."""
    try:
        return journal.JournalHead.parse(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None

"""Asking whether the accounts with powers that come with a dump are to be loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.core.management.base import BaseCommand, CommandParser

from registry.management.base import ask_for_yes


def add_no_input(parser: CommandParser) -> None:
    """Add the option with which nobody is asked."""
    parser.add_argument(
        "--no-input",
        action="store_false",
        dest="interactive",
        help="print the superusers and officers that come with the dump, and load them unasked; "
        "refuses what is not signed by --key, unless --unsigned is given",
    )


def ask_about_officers(
    command: BaseCommand, *, interactive: bool
) -> Callable[[Sequence[str]], bool]:
    """Return a function that prints accounts, and asks whether to load them."""

    def ask(officers: Sequence[str]) -> bool:
        command.stdout.write("These accounts come with powers:")
        for officer in officers:
            command.stdout.write(f"  {officer}")
        return not interactive or ask_for_yes("Type yes to load them: ")

    return ask

"""Set the registry up from a deposit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry.exchange.backup.deposit import read_deposit, restore_deposit, verify_dump
from registry.management.base import PagelessCommand, RegistryCommand
from registry.management.officers import add_no_input, ask_about_officers
from registry.management.signatures import (
    accept_signature,
    add_signature_options,
    verify_signature,
)
from registry.transparency.notes import VerifierKey


class Command(RegistryCommand, PagelessCommand):
    """`manage.py restore DEPOSIT`: all of it, or nothing."""

    help = (
        "Load what deposit wrote, in a release with the same tables, into a new database, all of "
        "it or nothing. If there are no tables, they are created. Every file is held against its "
        "checksum first. What is encrypted is read by gpg. Asks before it loads what is not signed "
        "by --key, and before it loads superusers and officers."
    )
    refusal_words = "Nothing was restored. "

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("deposit", metavar="DEPOSIT", type=Path)
        parser.add_argument(
            "--check",
            action="store_true",
            help="hold it against its checksums and its signature, read the dump to its end, and "
            "load nothing",
        )
        add_signature_options(parser)
        add_no_input(parser)

    def handle(
        self,
        *args: Any,
        deposit: Path,
        check: bool,
        keys: list[VerifierKey],
        unsigned: bool,
        interactive: bool,
        **options: Any,
    ) -> None:
        accept = ask_about_officers(self, interactive=interactive)
        try:
            found = read_deposit(deposit)
            if check and not unsigned:
                self.stdout.write(verify_signature(found.sums, keys) or "The signature is valid.")
            elif not unsigned:
                accept_signature(self, found.sums, keys, interactive=interactive)
            counted = verify_dump(found) if check else restore_deposit(found, accept)
        except OSError as error:
            raise CommandError(f"{deposit} cannot be read: {error.strerror}.") from None
        said = f"Deposited on {found.manifest['at']}, with line {found.manifest['line']} as last."
        self.stdout.write(said)
        if check and found.is_encrypted:
            self.stdout.write("Only the checksums were checked: the dump is encrypted.")
        for label, rows in counted.items():
            if rows:
                self.stdout.write(f"{label}: {rows}.")

"""Make a deposit: everything in one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry.exchange.backup.deposit import write_deposit
from registry.management.base import PagelessCommand, RegistryCommand


class Command(RegistryCommand, PagelessCommand):
    """`manage.py deposit FOLDER`: `restore` sets up the registry again from it."""

    help = (
        "Write a complete dump, the uploads that wait and the last head of the log into a new "
        "folder below FOLDER, with a manifest and checksums, read it again, and print its name. "
        "Others go on meanwhile. The checksums are signed with the key of the log, if "
        "REGISTRY_LOG_KEY_FILE or REGISTRY_LOG_KEY is set; otherwise it says how to sign them."
    )
    refusal_words = "Nothing was deposited. "

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", type=Path)
        parser.add_argument(
            "--encrypt-to",
            default="",
            metavar="KEY",
            help="have gpg encrypt it to this key, which is in the keyring; without, whoever has "
            "the deposit can pass for anybody",
        )

    def handle(self, *args: Any, folder: Path, encrypt_to: str, **options: Any) -> None:
        try:
            deposit = write_deposit(folder, recipient=encrypt_to)
        except OSError as error:
            raise CommandError(f"{folder} cannot be written to: {error.strerror}.") from None
        self.stdout.write(str(deposit.folder))
        if deposit.signing_refusal:
            self.stderr.write(f"The deposit is not signed. {deposit.signing_refusal}")
        if deposit.signing_refusal and (head := deposit.manifest["head"]):
            self.stderr.write(
                "To sign it, where the log's key can be read: python -m registry.transparency sign "
                f"KEY-FILE {deposit.sums.absolute()} --head {head}"
            )

"""Restore a dump into an empty database."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, cast

from django.core.management.base import CommandError, CommandParser

from registry.exchange import backup
from registry.management.base import PagelessCommand, RegistryCommand
from registry.management.officers import add_no_input, ask_about_officers
from registry.management.signatures import accept_signature, add_signature_options
from registry.models.export import DUMP_NAME
from registry.transparency.notes import VerifierKey

STDIN: Final = "-"


class Command(RegistryCommand, PagelessCommand):
    """`manage.py load_dump FILE`: all of it, or nothing."""

    help = (
        "Load what dump wrote, in a release with the same tables, into a database without data, "
        "all of it or nothing. If there are no tables, they are created. FILE may be - for what is "
        "piped in, which has no signature. Asks before it loads what is not signed by --key (in "
        "FILE.note), and before it loads superusers and officers."
    )

    refusal_words = "Nothing was loaded. "

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        add_signature_options(parser)
        add_no_input(parser)

    def handle(
        self,
        *args: Any,
        file: str,
        keys: list[VerifierKey],
        unsigned: bool,
        interactive: bool,
        **options: Any,
    ) -> None:
        accept = ask_about_officers(self, interactive=interactive)
        if file == STDIN and not unsigned:
            raise CommandError("What is piped in has no signature. Name a file, or say --unsigned.")
        try:
            with open_backup_for_reading(file) as stream:
                extents = list(backup.BackupExtent)
                if not unsigned:
                    accept_signature(self, Path(file), keys, interactive=interactive)
                    if Path(file).name == DUMP_NAME:
                        # The log signs what is built under this name, and nothing private is.
                        extents = [backup.BackupExtent.PUBLIC]
                loaded = backup.restore_backup(stream, accept, extents=extents)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        for label, rows in loaded.items():
            if rows:
                self.stdout.write(f"{label}: {rows}.")


@contextmanager
def open_backup_for_reading(file: str) -> Iterator[IO[bytes]]:
    """Open a dump, compressed or not."""
    if file == STDIN:
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as stream:
        if file.endswith(".gz"):
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=stream, mode="rb"))
        else:
            yield stream

"""Write the whole registry to one file."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any, Final, cast

from django.core.management.base import CommandError, CommandParser

from registry.exchange import backup
from registry.management.base import PagelessCommand

STDOUT: Final = "-"
PUBLIC_FILE_MODE: Final = 0o644
PRIVATE_FILE_MODE: Final = 0o600
"""A complete dump contains password hashes."""


class Command(PagelessCommand):
    """`manage.py dump [FILE]`: `load_dump` restores it."""

    help = (
        "Write what everybody may read of the registry as JSON lines, which load_dump restores; "
        "with --complete all there is: accounts, drafts, letters, tables of locators."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            default=STDOUT,
            metavar="FILE",
            help="packed where its name ends with .gz; without one, standard output",
        )
        parser.add_argument(
            "--complete",
            action="store_true",
            help="for backup and for moving; whoever has the file can pass for anybody",
        )

    def handle(self, *args: Any, file: str, complete: bool, **options: Any) -> None:
        extent = backup.BackupExtent.COMPLETE if complete else backup.BackupExtent.PUBLIC
        try:
            with open_backup_for_writing(
                file,
                PRIVATE_FILE_MODE if complete else PUBLIC_FILE_MODE,
            ) as stream:
                for line in backup.write_backup(extent):
                    stream.write(line)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        if file != STDOUT:
            self.stdout.write(f"Written: {file}.")


@contextmanager
def open_backup_for_writing(file: str, mode: int) -> Iterator[IO[bytes]]:
    """Open the file for writing; it gets its name once it is complete and on disk."""
    if file == STDOUT:
        yield sys.stdout.buffer
        return
    path = Path(file)
    number, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as stream:
            os.fchmod(number, mode)
            with compress_stream(stream, path) as written:
                yield written
            stream.flush()
            os.fsync(number)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def compress_stream(stream: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """Compress what is written to `stream` if the name of the file says so."""
    if path.suffix != ".gz":
        yield stream
        return
    with gzip.GzipFile("", "wb", 6, stream, mtime=0) as written:
        yield cast("IO[bytes]", written)

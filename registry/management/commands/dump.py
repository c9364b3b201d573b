"""Write the whole registry into one file."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry import dump


class Command(BaseCommand):
    """`manage.py dump [FILE]`: what `load_dump` restores."""

    help = "Write the whole registry as JSON lines, which load_dump restores."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            metavar="FILE",
            help="packed where its name ends with .gz; without one, to standard output",
        )

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        try:
            with opened(file) as stream:
                for line in dump.lines():
                    stream.write(line)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        if file:
            self.stdout.write(f"Written: {file}.")


@contextmanager
def opened(file: Path | None) -> Iterator[IO[bytes]]:
    """Open the file to be written; it takes its name once it is whole and on the disk.

    Only its owner may read it: digests of passwords are in it.
    """
    if file is None:
        yield sys.stdout.buffer
        return
    part = file.with_name(f"{file.name}.part")
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(number, "wb") as stream:
        if file.suffix == ".gz":
            with gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
                yield packed
        else:
            yield stream
        stream.flush()
        os.fsync(number)
    part.replace(file)

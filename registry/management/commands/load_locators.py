"""Load a locator table for a namespace."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.core.management.base import CommandError, CommandParser

from registry import permissions
from registry.enums import TableState
from registry.exchange import locator_tables
from registry.management.base import PagelessCommand, RegistryCommand
from registry.models import LocatorTable, Namespace

STDIN: Final = "-"


class Command(RegistryCommand, PagelessCommand):
    """`manage.py load_locators NID FILE`: the whole table, or nothing."""

    help = (
        "Load a table of names and locators, CSV or JSON lines: all of it, or nothing and a report "
        "of the lines that cannot be taken. FILE may be - for what is piped in."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nid", metavar="NID")
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--replace", action="store_true", help="take the place of the table in use"
        )

    def handle(self, *args: Any, nid: str, file: str, replace: bool, **options: Any) -> None:
        namespace = Namespace.objects.filter(nid=nid.lower()).first()
        if namespace is None:
            raise CommandError(f"No namespace “{nid}” is registered.")
        over = locator_tables.find_current_table(namespace)
        if over and not replace:
            raise CommandError(f"A table of {over.rows:,} locators is in use. Add --replace.")
        with open_locator_file(file) as (stream, name, octets):
            begun = locator_tables.begin_table(
                namespace, actor=permissions.CLOCK, file_name=name, octets=octets, over=over
            )
            table = locator_tables.load_table(begun, stream, self.progress)
        self.report(table)

    def progress(self, table: LocatorTable) -> None:
        """Show the progress, only on a terminal."""
        if self.stderr.isatty():
            done = f"{table.bytes_read / table.bytes_given:.0%} read" if table.bytes_given else ""
            rows = f"{table.rows:,} of {table.rows_read:,} rows written"
            self.stderr.write(f"\r{done}, {rows}", ending="")

    def report(self, table: LocatorTable) -> None:
        """Report the result; end with an error if nothing was loaded."""
        if self.stderr.isatty():
            self.stderr.write("")
        if table.state == TableState.REFUSED:
            for row in table.report:
                self.stdout.write(f"Line {row['line']}: {row['what']} {row['how']}")
            raise CommandError(f"Nothing was loaded: {table.refused:,} lines were refused.")
        self.stdout.write(f"Locators: {table.rows}.")


@contextmanager
def open_locator_file(file: str) -> Iterator[tuple[BinaryIO, str, int | None]]:
    """Open the file or standard input; return its name, and its length if known."""
    if file == STDIN:
        yield sys.stdin.buffer, "standard input", None
        return
    path = Path(file)
    try:
        stream = path.open("rb")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    with stream:
        yield stream, path.name, path.stat().st_size

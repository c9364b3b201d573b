"""Loading a table: read and measured, sorted, written unseen, and put in use; or none of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.choices import TableState
from registry.gateway.acts import Stopped, put_in_use
from registry.gateway.clearing import clear
from registry.gateway.lines import Reader, Row, Unfit
from registry.gateway.report import Report
from registry.gateway.rows import write
from registry.gateway.sorting import Sorter
from registry.loading.octets import numbered
from registry.models import LocatorTable

BATCH: Final = 5_000
Told = Callable[[LocatorTable], None]


class Stream(Protocol):
    """What lines are read from."""

    def readline(self, size: int, /) -> bytes:
        """Return a line, or so many octets of it."""


def load(table: LocatorTable, stream: Stream, told: Told = lambda table: None) -> LocatorTable:
    """Load `table` from `stream` and return it in use, or refused with a report.

    `told` hears of the progress. Whatever goes wrong, nothing of the table is ever seen; raises
    `Stopped` where somebody stopped it.
    """
    try:
        with Sorter() as sorter:
            _Load(table, stream, sorter, told).run()
    except Stopped:
        raise
    except BaseException:
        _end(table, TableState.STOPPED)
        raise
    finally:
        table.refresh_from_db()
    return table


def _end(table: LocatorTable, state: TableState, **facts: object) -> None:
    """Note that the loading is over without success, and have what was written removed."""
    under_way = LocatorTable.objects.filter(pk=table.pk, state=TableState.LOADING)
    with transaction.atomic():
        if under_way.update(state=state, ended_at=timezone.now(), **facts):
            clear.enqueue(table.pk)


class _Load:
    """One loading, from the first line to the last row."""

    def __init__(self, table: LocatorTable, stream: Stream, sorter: Sorter, told: Told) -> None:
        self.table = table
        self.stream = stream
        self.sorter = sorter
        self.told = told
        self.report = Report()
        self.sha256 = hashlib.sha256()

    def run(self) -> None:
        """Read everything, then write everything."""
        self.read()
        self.write()
        if self.report.count:
            report = self.report.as_rows()
            _end(self.table, TableState.REFUSED, refused=self.report.count, report=report, rows=0)
        else:
            put_in_use(self.table, self.sha256.hexdigest())

    def read(self) -> None:
        """Measure every line, and sort the good ones."""
        reader = Reader(self.table.namespace)
        for count, (number, text) in enumerate(numbered(self.line), start=1):
            try:
                row = reader.read(text)
            except Unfit as unfit:
                self.report.refuse(number, unfit)
            else:
                if row:
                    self.sorter.add(number, row)
            if count % BATCH == 0:
                self.advance()
            if self.sorter.count > settings.REGISTRY_LOCATOR_ROWS:
                self.report.refuse(0, too_many())
                break
        self.advance()
        if not self.sorter.count and not self.report.count:
            self.report.refuse(0, Unfit(_("The file has no rows."), _("Load one that has.")))

    def line(self, most: int) -> bytes:
        """Read a line or a part of one, and count it."""
        octets = self.stream.readline(most)
        self.sha256.update(octets)
        self.table.bytes_read += len(octets)
        return octets

    def write(self) -> None:
        """Write the rows by their keys; once a line is refused, only look for doubles."""
        rows = self.without_doubles()
        while batch := list(islice(rows, BATCH)):
            with transaction.atomic():
                if not self.report.count:
                    write(self.table, batch)
                    self.table.rows += len(batch)
                self.advance()

    def without_doubles(self) -> Iterator[Row]:
        """Yield the rows, refusing each that has the name of an earlier line."""
        last, first_line = b"", 0
        for number, row in self.sorter:
            if row.key == last:
                what = _("The name is the same as that of line %(line)d.") % {"line": first_line}
                self.report.refuse(number, Unfit(what, _("Keep one of the two.")))
            else:
                last, first_line = row.key, number
                yield row

    def advance(self) -> None:
        """Note how far it is; raise `Stopped` where somebody stopped it."""
        table = self.table
        table.rows_read, table.refused = self.sorter.count, self.report.count
        loading = LocatorTable.objects.filter(pk=table.pk, state=TableState.LOADING)
        if not loading.update(
            bytes_read=table.bytes_read,
            rows_read=table.rows_read,
            rows=table.rows,
            refused=table.refused,
            moved_at=timezone.now(),
        ):
            raise Stopped
        self.told(table)


def too_many() -> Unfit:
    """Return the refusal of a file that is too long."""
    most = f"{settings.REGISTRY_LOCATOR_ROWS:,}"
    return Unfit(
        _("The file has more than %(most)s rows.") % {"most": most},
        _("Load fewer, or name a resolution service of your own."),
    )

"""Tables uploaded, and loaded by a worker: measured, sorted, written unseen, and put in use."""

from __future__ import annotations

import datetime
import hashlib
import heapq
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO, Final, Protocol, Self

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskContext, TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry import permissions
from registry.enums import TableState
from registry.exchange.locator_tables.lifecycle import (
    STATES_WITH_ROWS,
    LoadingStopped,
    begin_table,
    clear_table,
    delete_some_rows,
    put_table_in_use,
)
from registry.exchange.locator_tables.lines import (
    LineRefused,
    LocatorReader,
    LocatorRow,
    RefusalReport,
)
from registry.exchange.text_lines import number_stream_lines
from registry.models import Locator, LocatorTable, Namespace
from registry.permissions import Person
from registry.resolution.sources import build_locator_key, find_compared_name
from registry.selectors.name_rules import NamespaceEquivalence, find_equivalence_of_namespace
from registry.urn import parse
from registry.workflow.step import ActionRefused

LOCATOR_DATABASE_COLUMNS: Final = ("table_id", "key", "name", "locator")


def insert_locators(table: LocatorTable, rows: Sequence[LocatorRow]) -> None:
    """Write `rows` of `table`, in the transaction at hand."""
    with connection.cursor() as cursor:
        names = ", ".join(map(connection.ops.quote_name, LOCATOR_DATABASE_COLUMNS))
        into = f"{connection.ops.quote_name(Locator._meta.db_table)} ({names})"
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row((table.pk, *row))
        else:
            cursor.executemany(
                f"INSERT INTO {into} VALUES (%s, %s, %s, %s)", [(table.pk, *row) for row in rows]
            )


# Rows that come in the order of the index are written one page after the other. In any other order
# each batch touches most pages of it: loading a million rows then wrote twelve times as much.

ROWS_PER_RUN: Final = 100_000
RUN_BUFFER_BYTES: Final = 1 << 16


class RowSorter:
    """Takes rows with the numbers of their lines, and gives them back by key, then line.

    What does not fit in memory lies in files without a name: they go when the process ends,
    however it ends.
    """

    def __init__(self) -> None:
        self.count = 0
        self._held: list[bytes] = []
        self._runs: list[IO[bytes]] = []
        self._files = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._files.close()

    def add(self, number: int, row: LocatorRow) -> None:
        """Take one row."""
        # Neither a name nor a locator holds a blank or a line end: both are URIs, or parts.
        line = f"{row.key.hex()} {number:011d} {row.name} {row.locator}\n"
        self._held.append(line.encode("ascii"))
        self.count += 1
        if len(self._held) == ROWS_PER_RUN:
            self._put_aside()

    def __iter__(self) -> Iterator[tuple[int, LocatorRow]]:
        self._held.sort()
        for run in self._runs:
            run.seek(0)
        for line in heapq.merge(self._held, *self._runs):
            key, number, name, locator = line.decode("ascii").split()
            yield int(number), LocatorRow(bytes.fromhex(key), name, locator)

    def _put_aside(self) -> None:
        self._held.sort()
        run = TemporaryFile(prefix="registry-", buffering=RUN_BUFFER_BYTES)  # noqa: SIM115, see __exit__
        self._files.push(run)
        run.writelines(self._held)
        self._runs.append(run)
        self._held = []


ROWS_PER_LOCATOR_INSERT: Final = 5_000
ProgressCallback = Callable[[LocatorTable], None]


class LineStream(Protocol):
    """What lines are read from."""

    def readline(self, size: int, /) -> bytes:
        """Return a line, or so many octets of it."""


def load_table(
    table: LocatorTable, stream: LineStream, told: ProgressCallback = lambda table: None
) -> LocatorTable:
    """Load `table` from `stream` and return it in use, or refused with a report.

    `told` hears of the progress. Whatever goes wrong, nothing of the table is ever seen; raises
    `LoadingStopped` where somebody stopped it.
    """
    try:
        with RowSorter() as sorter:
            _TableLoad(table, stream, sorter, told).run()
    except LoadingStopped:
        raise
    except BaseException:
        _end_loading(table, TableState.STOPPED)
        raise
    finally:
        table.refresh_from_db()
    return table


def _end_loading(table: LocatorTable, state: TableState, **facts: object) -> None:
    """Note that the loading is over without success, and have what was written removed."""
    under_way = LocatorTable.objects.filter(pk=table.pk, state=TableState.LOADING)
    with transaction.atomic():
        if under_way.update(state=state, ended_at=timezone.now(), **facts):
            clear_table.enqueue(table.pk)


class _TableLoad:
    """One loading, from the first line to the last row."""

    def __init__(
        self, table: LocatorTable, stream: LineStream, sorter: RowSorter, told: ProgressCallback
    ) -> None:
        self.table = table
        self.stream = stream
        self.sorter = sorter
        self.told = told
        self.report = RefusalReport()
        self.merged = RefusalReport()
        self.sha256 = hashlib.sha256()

    def run(self) -> None:
        """Read everything, then write everything."""
        self.read()
        self.write()
        if self.report.count:
            report = self.report.as_rows()
            _end_loading(
                self.table, TableState.REFUSED, refused=self.report.count, report=report, rows=0
            )
        else:
            put_table_in_use(self.table, self.sha256.hexdigest())

    def read(self) -> None:
        """Measure every line, and sort the good ones."""
        reader = LocatorReader(self.table.namespace)
        note_comparison(self.table, reader.equivalence)
        for count, (number, text) in enumerate(number_stream_lines(self.line), start=1):
            try:
                row = reader.read(text)
            except LineRefused as unfit:
                self.report.refuse(number, unfit)
            else:
                if row:
                    self.sorter.add(number, row)
            if count % ROWS_PER_LOCATOR_INSERT == 0:
                self.advance()
            if self.sorter.count > settings.REGISTRY_LOCATOR_ROWS:
                self.report.refuse(0, make_row_count_refusal())
                break
        self.advance()
        if not self.sorter.count and not self.report.count:
            self.report.refuse(0, LineRefused(_("The file has no rows."), _("Load one that has.")))

    def line(self, most: int) -> bytes:
        """Read a line or a part of one, and count it."""
        octets = self.stream.readline(most)
        self.sha256.update(octets)
        self.table.bytes_read += len(octets)
        return octets

    def write(self) -> None:
        """Write the rows by their keys; once a line is refused, only look for doubles."""
        rows = self.without_doubles()
        while batch := list(islice(rows, ROWS_PER_LOCATOR_INSERT)):
            with transaction.atomic():
                if not self.report.count:
                    insert_locators(self.table, batch)
                    self.table.rows += len(batch)
                self.advance()

    def without_doubles(self) -> Iterator[LocatorRow]:
        """Yield the rows, refusing each that has the name of an earlier line."""
        last, first_line = b"", 0
        for number, row in self.sorter:
            if row.key == last:
                what = _("The name is the same as that of line %(line)d.") % {"line": first_line}
                self.report.refuse(number, LineRefused(what, _("Keep one of the two.")))
            else:
                last, first_line = row.key, number
                yield row

    def advance(self) -> None:
        """Note how far it is; raise `LoadingStopped` where somebody stopped it."""
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
            raise LoadingStopped
        self.told(table)


def note_comparison(table: LocatorTable, equivalence: NamespaceEquivalence | None) -> None:
    """Note by what the names of a table are compared, so that it is told when that changes."""
    table.compared_by = equivalence.digest if equivalence else ""
    LocatorTable.objects.filter(pk=table.pk).update(compared_by=table.compared_by)


class _TableRekeying(_TableLoad):
    """A table made anew from one in use, because names are compared otherwise now."""

    def __init__(self, table: LocatorTable, before: LocatorTable, sorter: RowSorter) -> None:
        super().__init__(table, io.BytesIO(), sorter, lambda table: None)
        self.before = before

    def run(self) -> None:
        """Read the rows, write them by their new keys, and put them in use."""
        self.read()
        self.write()
        put_table_in_use(self.table, self.before.sha256)
        if self.merged.count:
            LocatorTable.objects.filter(pk=self.table.pk).update(
                refused=self.merged.count, report=self.merged.as_rows()
            )

    def read(self) -> None:
        """Sort the rows of the table before by the keys that they have now."""
        namespace = self.table.namespace
        equivalence = find_equivalence_of_namespace(namespace)
        note_comparison(self.table, equivalence)
        rows = self.before.locators.order_by("key").values_list("name", "locator")
        for number, (name, locator) in enumerate(rows.iterator(chunk_size=5_000), start=1):
            compared = find_compared_name(parse(f"urn:{namespace.nid}:{name}"), equivalence)
            self.sorter.add(number, LocatorRow(build_locator_key(compared), name, locator))
            if number % ROWS_PER_LOCATOR_INSERT == 0:
                self.advance()

    def without_doubles(self) -> Iterator[LocatorRow]:
        """Yield the rows; of names that are one by now the first stays, the others are noted."""
        last = LocatorRow(b"", "", "")
        for number, row in self.sorter:
            if row.key != last.key:
                last = row
                yield row
            elif row.locator != last.locator:
                what = _("%(name)s is now the same name as %(first)s, which leads elsewhere.")
                how = _("Load a table that has one of the two.")
                words = what % {"name": row.name, "first": last.name}
                self.merged.refuse(number, LineRefused(words, how))


@task(priority=-10)
def rekey_table(table_id: int) -> str:
    """Make a table in use anew where its names are compared otherwise now; return what became."""
    before = LocatorTable.objects.select_related("namespace").filter(pk=table_id).first()
    if before is None or not is_table_outdated(before):
        return "left alone"
    try:
        table = begin_table(
            before.namespace, actor=permissions.CLOCK, file_name=before.file_name, over=before
        )
    except ActionRefused as refusal:
        # Another is being loaded, or a killed worker left it so. The clock asks again.
        return str(refusal)
    try:
        with RowSorter() as sorter:
            _TableRekeying(table, before, sorter).run()
    except BaseException:
        _end_loading(table, TableState.STOPPED)
        raise
    return str(TableState.CURRENT)


def is_table_outdated(table: LocatorTable) -> bool:
    """Whether a table is in use and its names are compared otherwise than when it was made."""
    equivalence = find_equivalence_of_namespace(table.namespace)
    digest = equivalence.digest if equivalence else ""
    return table.state == TableState.CURRENT and table.compared_by != digest


def enqueue_outdated_tables() -> int:
    """Make a task for each table whose namespace has declared otherwise when names are the same."""
    known = find_tables_with_task(rekey_table.module_path)
    tables = LocatorTable.objects.filter(state=TableState.CURRENT).exclude(pk__in=known)
    outdated = [each for each in tables.select_related("namespace") if is_table_outdated(each)]
    for table in outdated:
        rekey_table.enqueue(table.pk)
    return len(outdated)


def make_row_count_refusal() -> LineRefused:
    """Return the refusal of a file that is too long."""
    most = f"{settings.REGISTRY_LOCATOR_ROWS:,}"
    return LineRefused(
        _("The file has more than %(most)s rows.") % {"most": most},
        _("Load fewer, or name a resolution service of your own."),
    )


STALLED_AFTER: Final = datetime.timedelta(minutes=15)
"""A loading that has not moved for so long was killed: it notes its progress every few seconds."""
FORGOTTEN_AFTER: Final = datetime.timedelta(days=1)
PARTIAL_FILE_SUFFIX: Final = ".part"


class UploadTooLarge(ActionRefused):
    """The file has more octets than we take."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def store_upload(chunks: Iterable[bytes]) -> Path:
    """Write what is sent to a file and return it; raise `UploadTooLarge` and keep nothing."""
    folder: Path = settings.REGISTRY_UPLOADS
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=folder, suffix=PARTIAL_FILE_SUFFIX, delete=False) as file:
        path, most = Path(file.name), settings.REGISTRY_LOCATOR_BYTES
        try:
            for chunk in chunks:
                file.write(chunk)
                if file.tell() > most:
                    words = _("The file has more than %(most)s octets.")
                    raise UploadTooLarge(words % {"most": f"{most:,}"})
        except BaseException:
            path.unlink()
            raise
    return path


def receive_upload(
    namespace: Namespace, path: Path, *, actor: Person, file_name: str, over: LocatorTable | None
) -> LocatorTable:
    """Have the table in the kept file loaded by a worker; where it is refused, keep nothing."""
    try:
        with transaction.atomic():
            table = begin_table(
                namespace,
                actor=actor,
                file_name=file_name,
                state=TableState.WAITING,
                octets=path.stat().st_size,
                over=over,
            )
            load_waiting_table.enqueue(table.pk)
            path.rename(get_upload_path(table))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return table


def get_upload_path(table: LocatorTable) -> Path:
    """Return where the file of a waiting table is."""
    return Path(settings.REGISTRY_UPLOADS) / f"locators-{table.pk}"


@task(priority=-10, takes_context=True)
def load_waiting_table(context: TaskContext, table_id: int) -> str:
    """Load a table that waits; return what became of it. Run twice, it is loaded once.

    Taken over from a worker that was killed, it begins anew.
    """
    if context.attempt > 1:
        begin_loading_anew(table_id)
    waiting = LocatorTable.objects.filter(pk=table_id, state=TableState.WAITING)
    if not waiting.update(state=TableState.LOADING, moved_at=timezone.now()):
        return "left alone"
    table = LocatorTable.objects.select_related("namespace", "loaded_by").get(pk=table_id)
    try:
        with get_upload_path(table).open("rb") as stream:
            load_table(table, stream)
    except LoadingStopped:
        return "stopped"
    finally:
        get_upload_path(table).unlink(missing_ok=True)
    return table.state


def begin_loading_anew(table_id: int) -> None:
    """Have a table wait again whose worker was killed, without what that one wrote."""
    loading = LocatorTable.objects.filter(pk=table_id, state=TableState.LOADING)
    if not loading.exists():
        return
    while delete_some_rows(table_id):
        pass
    loading.update(state=TableState.WAITING, bytes_read=0, rows_read=0, rows=0, refused=0)


def sweep_uploads(now: datetime.datetime | None = None) -> int:
    """Clean up after what was killed; return how many things that were."""
    moment = now or timezone.now()
    return (
        stop_stalled_tables(moment)
        + enqueue_forgotten_tables()
        + enqueue_leftover_rows()
        + enqueue_outdated_tables()
        + remove_stray_uploads(moment)
    )


def stop_stalled_tables(now: datetime.datetime) -> int:
    """Give up loadings whose process is gone, unless a worker is to take them over."""
    known = find_tables_with_task(load_waiting_table.module_path, *UNFINISHED_STATUSES)
    loading = LocatorTable.objects.filter(state=TableState.LOADING).exclude(pk__in=known)
    return loading.filter(moved_at__lt=now - STALLED_AFTER).update(
        state=TableState.STOPPED, ended_at=now
    )


def enqueue_forgotten_tables() -> int:
    """Make a task for each table that waits and has none; give up those whose file is gone."""
    known = find_tables_with_task(load_waiting_table.module_path)
    tables = LocatorTable.objects.filter(state=TableState.WAITING).exclude(pk__in=known)
    forgotten = list(tables)
    for table in forgotten:
        if get_upload_path(table).exists():
            load_waiting_table.enqueue(table.pk)
        else:
            LocatorTable.objects.filter(pk=table.pk, state=TableState.WAITING).update(
                state=TableState.STOPPED, ended_at=timezone.now()
            )
    return len(forgotten)


def enqueue_leftover_rows() -> int:
    """Make a task for each table whose rows are still there though nobody wants them."""
    rows = Locator.objects.filter(table=OuterRef("pk"))
    left = LocatorTable.objects.exclude(state__in=STATES_WITH_ROWS).filter(Exists(rows))
    known = find_tables_with_task(clear_table.module_path)
    forgotten = list(left.exclude(pk__in=known).values_list("pk", flat=True))
    for pk in forgotten:
        clear_table.enqueue(pk)
    return len(forgotten)


UNFINISHED_STATUSES: Final = (TaskResultStatus.READY, TaskResultStatus.RUNNING)


def find_tables_with_task(module_path: str, *statuses: TaskResultStatus) -> frozenset[int]:
    """Return the tables for which such a task is ready, or in one of these `statuses`."""
    tasks = DBTaskResult.objects.filter(
        task_path=module_path, status__in=statuses or [TaskResultStatus.READY]
    )
    return frozenset(given["args"][0] for given in tasks.values_list("args_kwargs", flat=True))


def remove_stray_uploads(now: datetime.datetime) -> int:
    """Remove files that were not sent to their end, or whose table does not wait any more."""
    folder = Path(settings.REGISTRY_UPLOADS)
    waiting = LocatorTable.objects.filter(state__in=(TableState.WAITING, TableState.LOADING))
    wanted = {get_upload_path(table) for table in waiting}
    before = (now - FORGOTTEN_AFTER).timestamp()
    strays = [
        path for path in folder.glob("*") if path not in wanted and path.stat().st_mtime < before
    ]
    for path in strays:
        path.unlink(missing_ok=True)
    return len(strays)

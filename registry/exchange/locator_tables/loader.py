"""Tables uploaded, and loaded by a worker: checked, sorted, written invisibly, and put in use."""

from __future__ import annotations

import datetime
import hashlib
import heapq
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from http import HTTPStatus
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
from registry.batches import batched
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
from registry.journal.row_digests import encode_locator
from registry.models import Locator, LocatorTable, Namespace
from registry.permissions import Person
from registry.resolution.sources import build_locator_key, find_compared_name
from registry.selectors.name_rules import NamespaceEquivalence, find_equivalence_of_namespace
from registry.urn import parse
from registry.workflow.step import ActionRefused

LOCATOR_DATABASE_COLUMNS: Final = ("table_id", "key", "name", "locator")


def insert_locators(table: LocatorTable, rows: Sequence[LocatorRow]) -> None:
    """Write `rows` of `table`, in the current transaction."""
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


# Rows in index order are written one page after the other. In any other order each batch touches
# most pages of the index: loading a million rows then wrote twelve times as much.

ROWS_PER_RUN: Final = 100_000
RUN_BUFFER_BYTES: Final = 1 << 16


class RowSorter:
    """Takes rows with their line numbers, and returns them sorted by key, then line.

    Unsorted, a million rows would make SQLite write ten times as much. What does not fit in memory
    is in unnamed files, which disappear when the process ends, however it ends.
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
        # Neither a name nor a locator contains spaces or line ends: both are URIs, or parts.
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
    def readline(self, size: int, /) -> bytes:
        """Return a line, or its first `size` octets."""


def load_table(
    table: LocatorTable, stream: LineStream, told: ProgressCallback = lambda table: None
) -> LocatorTable:
    """Load `table` from `stream` and return it, in use, or refused with a report.

    `told` is called with the progress. Whatever goes wrong, nothing of the table is ever visible;
    raises `LoadingStopped` if somebody stopped it.
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
    """Record that the loading failed, and have what was written deleted."""
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
        self.locators_sha256 = hashlib.sha256()

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
            self.put_in_use(self.sha256.hexdigest())

    def put_in_use(self, sha256: str) -> None:
        """Put the table in use, as loaded from a file of that digest."""
        put_table_in_use(self.table, sha256, self.locators_sha256.hexdigest())

    def read(self) -> None:
        """Check every line, and sort the valid ones."""
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
        """Read a line or part of one, and count it."""
        octets = self.stream.readline(most)
        self.sha256.update(octets)
        self.table.bytes_read += len(octets)
        return octets

    def write(self) -> None:
        """Write the rows by key; once a line is refused, only look for duplicates."""
        for batch in batched(self.without_doubles(), ROWS_PER_LOCATOR_INSERT):
            with transaction.atomic():
                if not self.report.count:
                    insert_locators(self.table, batch)
                    for row in batch:
                        self.locators_sha256.update(encode_locator(*row))
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
        """Record the progress; raise `LoadingStopped` if somebody stopped it."""
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
    """Record which equivalence a table's names use, so that a change of it is noticed."""
    table.compared_by = equivalence.digest if equivalence else ""
    LocatorTable.objects.filter(pk=table.pk).update(compared_by=table.compared_by)


class _TableRekeying(_TableLoad):
    """A table rebuilt from the one in use, because its names are now compared differently."""

    def __init__(self, table: LocatorTable, before: LocatorTable, sorter: RowSorter) -> None:
        super().__init__(table, io.BytesIO(), sorter, lambda table: None)
        self.before = before

    def run(self) -> None:
        """Read the rows, write them by their new keys, and put them in use."""
        self.read()
        self.write()
        self.put_in_use(self.before.sha256)
        if self.merged.count:
            LocatorTable.objects.filter(pk=self.table.pk).update(
                refused=self.merged.count, report=self.merged.as_rows()
            )

    def read(self) -> None:
        """Sort the rows of the previous table by their current keys."""
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
        """Yield the rows; of names that are now the same the first stays, others are recorded."""
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
    """Rebuild a table in use if its names are now compared differently; return the result."""
    before = LocatorTable.objects.select_related("namespace").filter(pk=table_id).first()
    if before is None or not is_table_outdated(before):
        return "left alone"
    try:
        table = begin_table(
            before.namespace, actor=permissions.CLOCK, file_name=before.file_name, over=before
        )
    except ActionRefused as refusal:
        # Another is being loaded, or was left by a killed worker. The scheduler tries again.
        return str(refusal)
    try:
        with RowSorter() as sorter:
            _TableRekeying(table, before, sorter).run()
    except BaseException:
        _end_loading(table, TableState.STOPPED)
        raise
    return str(TableState.CURRENT)


def is_table_outdated(table: LocatorTable) -> bool:
    """Whether the table in use was built with another name equivalence than now."""
    equivalence = find_equivalence_of_namespace(table.namespace)
    digest = equivalence.digest if equivalence else ""
    return table.state == TableState.CURRENT and table.compared_by != digest


def enqueue_outdated_tables() -> int:
    """Make a task for each table whose namespace has changed which names are equivalent."""
    known = find_tables_with_task(rekey_table.module_path)
    tables = LocatorTable.objects.filter(state=TableState.CURRENT).exclude(pk__in=known)
    outdated = [each for each in tables.select_related("namespace") if is_table_outdated(each)]
    for table in outdated:
        rekey_table.enqueue(table.pk)
    return len(outdated)


def make_row_count_refusal() -> LineRefused:
    """Return the refusal of a file with too many rows."""
    most = f"{settings.REGISTRY_LOCATOR_ROWS:,}"
    return LineRefused(
        _("The file has more than %(most)s rows.") % {"most": most},
        _("Load fewer, or name a resolution service of your own."),
    )


STALLED_AFTER: Final = datetime.timedelta(minutes=15)
"""A loading without progress for this long was killed: it records progress every few seconds."""
FORGOTTEN_AFTER: Final = datetime.timedelta(days=1)
PARTIAL_FILE_SUFFIX: Final = ".part"


class UploadTooLarge(ActionRefused):
    """The file is larger than we accept."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def store_upload(chunks: Iterable[bytes]) -> Path:
    """Store an upload in a file and return it; raise `UploadTooLarge` and store nothing."""
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
    """Have a worker load the table in the stored file; if it is refused, delete the file."""
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
    """Return the path of a waiting table's file."""
    return Path(settings.REGISTRY_UPLOADS) / f"locators-{table.pk}"


@task(priority=-10, takes_context=True)
def load_waiting_table(context: TaskContext, table_id: int) -> str:
    """Load a waiting table; return the result. Run twice, it is loaded once.

    Taken over from a killed worker, it starts again from the beginning.
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
    """Make a killed worker's table wait again, without what that worker wrote."""
    loading = LocatorTable.objects.filter(pk=table_id, state=TableState.LOADING)
    if not loading.exists():
        return
    while delete_some_rows(table_id):
        pass
    loading.update(state=TableState.WAITING, bytes_read=0, rows_read=0, rows=0, refused=0)


def sweep_uploads(now: datetime.datetime | None = None) -> int:
    """Clean up after killed processes; return how many things."""
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
    """Make a task for each waiting table without one; give up those whose file is gone."""
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
    """Make a task for each unused table whose rows still exist."""
    rows = Locator.objects.filter(table=OuterRef("pk"))
    left = LocatorTable.objects.exclude(state__in=STATES_WITH_ROWS).filter(Exists(rows))
    known = find_tables_with_task(clear_table.module_path)
    forgotten = list(left.exclude(pk__in=known).values_list("pk", flat=True))
    for pk in forgotten:
        clear_table.enqueue(pk)
    return len(forgotten)


UNFINISHED_STATUSES: Final = (TaskResultStatus.READY, TaskResultStatus.RUNNING)


def find_tables_with_task(module_path: str, *statuses: TaskResultStatus) -> frozenset[int]:
    """Return the tables with such a task that is ready, or in one of these `statuses`."""
    tasks = DBTaskResult.objects.filter(
        task_path=module_path, status__in=statuses or [TaskResultStatus.READY]
    )
    return frozenset(given["args"][0] for given in tasks.values_list("args_kwargs", flat=True))


def remove_stray_uploads(now: datetime.datetime) -> int:
    """Delete files that are incomplete, or whose table is no longer waiting."""
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

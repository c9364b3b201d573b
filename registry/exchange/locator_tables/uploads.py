"""Uploaded tables: kept in a file until a worker loads them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry.enums import TableState
from registry.exchange.locator_tables.lifecycle import (
    STATES_WITH_ROWS,
    LoadingStopped,
    begin_table,
    clear_table,
)
from registry.exchange.locator_tables.loader import load_table
from registry.models import Locator, LocatorTable, Namespace
from registry.permissions import Person
from registry.workflow.step import ActionRefused

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


@task(priority=-10)
def load_waiting_table(table_id: int) -> str:
    """Load a table that waits; return what became of it. Run twice, it is loaded once."""
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


def sweep_uploads(now: datetime.datetime | None = None) -> int:
    """Clean up after what was killed; return how many things that were."""
    moment = now or timezone.now()
    return (
        stop_stalled_tables(moment)
        + enqueue_forgotten_tables()
        + enqueue_leftover_rows()
        + remove_stray_uploads(moment)
    )


def stop_stalled_tables(now: datetime.datetime) -> int:
    """Give up loadings whose process is gone."""
    loading = LocatorTable.objects.filter(state=TableState.LOADING)
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


def find_tables_with_task(module_path: str) -> frozenset[int]:
    """Return the tables for which such a task is ready."""
    tasks = DBTaskResult.objects.filter(task_path=module_path, status=TaskResultStatus.READY)
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

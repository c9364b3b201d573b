"""Which files must be rebuilt, and the task with which the worker does it.

The scheduler checks, and so does every read: the reader gets the last build, and the worker is
called if that is out of date.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Callable, Mapping
from typing import Final

from django.db import DatabaseError, transaction
from django.utils import timezone
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry.background import EXPORTS, Lease
from registry.exchange.exports.builder import (
    ExportFile,
    build_export,
    has_stored,
    identify_release,
    remove_build,
    remove_orphans,
)
from registry.exchange.exports.dated_dumps import has_hidden_since
from registry.exchange.exports.files import EXPORT_FILES, find_current_builds
from registry.models import BuiltExport
from registry.models.export import DUMP_NAME

logger = logging.getLogger(__name__)
MAX_EXPORT_AGE: Final = datetime.timedelta(days=1)
"""Whatever it contains, a file is rewritten after this time, in case a change was missed."""
REST_FACTOR: Final = 10
"""A file rests ten times as long as its last build took: the worker has letters to send."""
LEASE_PAUSE: Final = 0.5
"""Seconds between two looks whether another process has finished building."""
BUILD_PATIENCE: Final = datetime.timedelta(minutes=30)
"""A build that was started and not finished in this time is given up."""


def is_outdated(file: ExportFile, built: BuiltExport, now: datetime.datetime) -> bool:
    """Whether the registry has changed since the file was built."""
    return is_behind(built, file.identify(), now)


def is_behind(built: BuiltExport, state: str, now: datetime.datetime) -> bool:
    """Whether the file is of another state, or too old to rely on."""
    return built.state != state or now - built.built_at > MAX_EXPORT_AGE


def says_too_much(built: BuiltExport) -> bool:
    """Whether the file may contain something hidden from readers since; then nobody gets it."""
    return built.name == DUMP_NAME and has_hidden_since(built)


def is_resting(built: BuiltExport, now: datetime.datetime) -> bool:
    """Whether the file was just built, relative to how long that took."""
    rest = datetime.timedelta(seconds=built.seconds * REST_FACTOR)
    return now - built.built_at < rest and not says_too_much(built)


def refresh_exports(*, at_once: bool = False) -> list[str]:
    """Rebuild outdated files, and return their names; with `at_once` even those just built.

    One process builds at a time. If another one does, this builds nothing, or with `at_once` what
    is left once that one has finished.
    """
    lease = Lease(EXPORTS)
    while not lease.take():
        if not at_once:
            return []
        time.sleep(LEASE_PAUSE)
    try:
        return build_outdated_files(lease.renew, at_once=at_once)
    finally:
        lease.give_back()


def build_outdated_files(renew_lease: Callable[[], None], *, at_once: bool) -> list[str]:
    """Rebuild outdated files, and return their names.

    Those that describe files come last in the catalogue, so that they describe the new ones.
    """
    now, refreshed = timezone.now(), []
    for name, file in EXPORT_FILES.items():
        renew_lease()
        built, state = find_current_builds().get(name), file.identify()
        if built and is_current(built, state, now):
            continue
        if built and has_stored(built) and is_resting(built, now) and not at_once:
            continue
        build_export(file, state)
        refreshed.append(name)
    for gone in BuiltExport.objects.exclude(name__in=EXPORT_FILES):
        remove_build(gone)
    remove_orphans()
    return refreshed


def is_current(built: BuiltExport, state: str, now: datetime.datetime) -> bool:
    """Whether the file needs nothing."""
    is_same = built.release == identify_release() and has_stored(built)
    return is_same and not is_behind(built, state, now)


@task(priority=-15)
def refresh_in_worker() -> str:
    """Rebuild outdated files; return how many."""
    return f"{len(refresh_exports())} built"


def request_refresh(now: datetime.datetime | None = None) -> bool:
    """Have the worker rebuild files, unless it already has to; return whether it was asked.

    If that cannot be stored the reader gets a response all the same, and the next one tries again.
    """
    moment = now or timezone.now()
    try:
        with transaction.atomic():
            if is_refresh_pending(moment):
                return False
            refresh_in_worker.enqueue()
    except DatabaseError as error:
        logger.warning("The worker could not be asked for files: %s", " ".join(str(error).split()))
        return False
    return True


def is_refresh_pending(now: datetime.datetime) -> bool:
    """Whether the worker already has to rebuild files, or is doing so."""
    waiting = DBTaskResult.objects.filter(
        task_path=refresh_in_worker.module_path,
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=now - BUILD_PATIENCE,
    )
    return waiting.exists()


def request_due_refresh(now: datetime.datetime) -> bool:
    """Call the worker if a file is outdated or missing; for the scheduler."""
    current = find_current_builds()
    is_due = (
        EXPORT_FILES.keys() != current.keys()
        or any(built.release != identify_release() for built in current.values())
        or bool(find_outdated(current, now))
    )
    return is_due and request_refresh(now)


def find_outdated(current: Mapping[str, BuiltExport], now: datetime.datetime) -> set[str]:
    """Return the names of files that no longer match the registry."""
    states = {
        identify: identify() for identify in {file.identify for file in EXPORT_FILES.values()}
    }
    return {
        name
        for name, built in current.items()
        if name in EXPORT_FILES and is_behind(built, states[EXPORT_FILES[name].identify], now)
    }

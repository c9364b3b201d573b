"""Which files are to be built again, and the task by which the worker does it.

The clock looks, and so does the person who reads a file: the reader is given what was built last,
and has the worker called where that is no longer all there is to say.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Mapping, Sequence
from typing import Final, cast

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry.exchange.exports.builder import (
    ExportFile,
    build_export,
    has_stored,
    identify_release,
    remove_build,
    remove_orphans,
)
from registry.exchange.exports.dated_dumps import DATED_NAMES, has_hidden_since
from registry.exchange.exports.entries import NamespaceEntry, list_entries
from registry.exchange.exports.files import EXPORT_FILES, find_current_builds
from registry.models import BuiltExport

logger = logging.getLogger(__name__)
MAX_EXPORT_AGE: Final = datetime.timedelta(days=1)
"""Whatever it tells, a file is rewritten after so long: nothing that was missed stays so."""
REST_FACTOR: Final = 10
"""A file rests ten times as long as its last build took: the worker has letters to send."""
BUILD_PATIENCE: Final = datetime.timedelta(minutes=30)
"""A build that was begun and not ended in this time is given up."""


def is_outdated(file: ExportFile, built: BuiltExport, now: datetime.datetime) -> bool:
    """Whether the registry says something else now than the file does."""
    return is_behind(built, file.identify(), now)


def is_behind(built: BuiltExport, state: str, now: datetime.datetime) -> bool:
    """Whether the file is not of this state, or too old to be believed to be."""
    return built.state != state or now - built.built_at > MAX_EXPORT_AGE


def says_too_much(built: BuiltExport) -> bool:
    """Whether the file may tell what was hidden from readers since; then nobody is given it."""
    return built.name in DATED_NAMES and has_hidden_since(built)


def is_resting(built: BuiltExport, now: datetime.datetime) -> bool:
    """Whether the file was built a moment ago, measured by what that took."""
    rest = datetime.timedelta(seconds=built.seconds * REST_FACTOR)
    return now - built.built_at < rest and not says_too_much(built)


def refresh_exports(*, at_once: bool = False) -> list[str]:
    """Build what is outdated, and return the names; `at_once`, also what was built a moment ago.

    Those that describe files come last in the catalogue, so that they describe the new ones.
    """
    now, refreshed = timezone.now(), []
    # Read once for all files, and only where one tells of namespaces.
    found = cast("Sequence[NamespaceEntry]", SimpleLazyObject(list_entries))
    for name, file in EXPORT_FILES.items():
        built, state = find_current_builds().get(name), file.identify()
        if built and is_current(built, state, now):
            continue
        if built and has_stored(built) and is_resting(built, now) and not at_once:
            continue
        build_export(file, state, found)
        refreshed.append(name)
    for gone in BuiltExport.objects.exclude(name__in=EXPORT_FILES):
        remove_build(gone)
    remove_orphans()
    return refreshed


def is_current(built: BuiltExport, state: str, now: datetime.datetime) -> bool:
    """Whether there is nothing to do for the file."""
    is_same = built.release == identify_release() and has_stored(built)
    return is_same and not is_behind(built, state, now)


@task(priority=-15)
def refresh_in_worker() -> str:
    """Build what is outdated; return how many files that were."""
    return f"{len(refresh_exports())} built"


def request_refresh(now: datetime.datetime | None = None) -> bool:
    """Have the worker see to the files, unless it is to do so already; return whether it is asked.

    Where that cannot be written the reader is answered all the same, and the next one asks again.
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
    """Whether the worker is to see to the files already, or is at it."""
    waiting = DBTaskResult.objects.filter(
        task_path=refresh_in_worker.module_path,
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=now - BUILD_PATIENCE,
    )
    return waiting.exists()


def request_due_refresh(now: datetime.datetime) -> bool:
    """Have the worker called where a file is outdated, or there is none; for the clock."""
    current = find_current_builds()
    is_due = (
        EXPORT_FILES.keys() != current.keys()
        or any(built.release != identify_release() for built in current.values())
        or bool(find_outdated(current, now))
    )
    return is_due and request_refresh(now)


def find_outdated(current: Mapping[str, BuiltExport], now: datetime.datetime) -> set[str]:
    """Return the names of files of which the registry says something else now."""
    states = {
        identify: identify() for identify in {file.identify for file in EXPORT_FILES.values()}
    }
    return {
        name
        for name, built in current.items()
        if name in EXPORT_FILES and is_behind(built, states[EXPORT_FILES[name].identify], now)
    }

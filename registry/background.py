"""Background work that people wait for, done by the worker: one task at a time for each person.

The worker contacts other people's servers, which may be slow: no request waits for them, and nobody
can fill the queue. Workers send heartbeats, so that others take over the tasks of a killed one; the
scheduler leaves a sign of its last run.
"""

from __future__ import annotations

import datetime
import logging
import math
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final

from django.core.cache import cache
from django.db import Error, connections, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks.signals import task_enqueued
from django_tasks_db.models import DBTaskResult, get_date_max

from registry.errors import RegistryError
from registry.models import User

logger = logging.getLogger(__name__)
PERSONAL_TASK_PRIORITY: Final = -5
"""Letters go first."""
PENDING_TASK_TIMEOUT: Final = datetime.timedelta(minutes=10)
"""A killed worker's task waits no longer than that."""


class TaskPending(RegistryError):
    """Something that the person asked for is still being done. The message can be shown."""


def enqueue_for_person(person: User, task: Task[Any, Any], subject: int) -> None:
    """Have the worker do `task` on the row with that key for `person`.

    The task is called with the key, and `person_id`. Raises `TaskPending` if they are already
    waiting for something.
    """
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if find_pending_tasks().filter(args_kwargs__kwargs__person_id=person.pk).exists():
            raise TaskPending(
                _("The registry is still busy with what you asked for last. Wait a moment.")
            )
        task.enqueue(subject, person_id=person.pk)


def enqueue_for_each(task: Task[Any, Any], subjects: Iterable[int]) -> None:
    """Have the worker do `task` on the rows with these keys; one statement writes all tasks.

    The library can only write one at a time.
    """
    written = DBTaskResult.objects.bulk_create(
        DBTaskResult(
            args_kwargs={"args": [subject], "kwargs": {}},
            priority=task.priority,
            task_path=task.module_path,
            queue_name=task.queue_name,
            run_after=task.run_after or get_date_max(),
            backend_name=task.backend,
        )
        for subject in subjects
    )
    for each in written:
        task_enqueued.send(type(task.get_backend()), task_result=each.task_result)


def find_pending_subjects(task: Task[Any, Any]) -> set[int]:
    """Return the keys of the rows for which somebody waits for the task."""
    waiting = (
        find_pending_tasks()
        .filter(task_path=task.module_path)
        .values_list("args_kwargs", flat=True)
    )
    return {given["args"][0] for given in waiting}


def find_pending_tasks() -> QuerySet[DBTaskResult[Any, Any]]:
    """Return what people are waiting for."""
    return DBTaskResult.objects.filter(
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=timezone.now() - PENDING_TASK_TIMEOUT,
        args_kwargs__kwargs__has_key="person_id",
    )


# A killed worker leaves its task marked as running. So each worker writes a heartbeat into the
# shared cache, a new one every half minute, and watches those of others. Clocks are never compared:
# each watcher remembers every worker's heartbeat, and by its own clock since when it has not
# changed.

WORKER_PATIENCE: Final = 120.0
"""Seconds without a new heartbeat after which a worker counts as killed."""
SIGNS_PER_PATIENCE: Final = 4
WATCH_END: Final = 5.0
"""Seconds that a worker waits at its end for the current check."""
MAX_WORKERS_PER_TASK: Final = 3
"""A task interrupted by this many kills may be what kills its workers."""
SIGN_LIFETIME: Final = datetime.timedelta(days=1)
LAST_SIGN_KEY: Final = "worker-seen"


class WorkerLost(RegistryError):
    """The worker with this task is gone, and so were those before it."""


class WorkerWatch:
    """Sends the heartbeats of one worker, and takes back the tasks of silent ones."""

    def __init__(self, worker_id: str, patience: float = WORKER_PATIENCE) -> None:
        self.worker_id = worker_id
        self.patience = patience
        self.known_signs: dict[str, tuple[Any, float]] = {}
        """The heartbeat of each worker, and since when it has not changed."""

    def look_after_workers(self, moment: float) -> int:
        """Send a heartbeat and check others'; return how many tasks were taken back.

        `moment` is from a monotonic clock. If the database is unavailable the error is raised, and
        all others get their time again: they could not write heartbeats either.
        """
        try:
            give_sign(self.worker_id)
            return sum(retake_tasks(each) for each in self.find_silent_workers(moment))
        except Error:
            self.known_signs.clear()
            raise

    def find_silent_workers(self, moment: float) -> list[str]:
        """Return the workers that have a task and have been silent for too long."""
        found = DBTaskResult.objects.running().values_list("worker_ids", flat=True)
        holders = {workers[-1] for workers in found if workers} - {self.worker_id}
        signs = {each: cache.get(build_sign_key(each)) for each in holders}
        self.known_signs = {
            each: known
            if (known := self.known_signs.get(each)) and known[0] == sign
            else (sign, moment)
            for each, sign in signs.items()
        }
        return [
            each
            for each, (_sign, since) in self.known_signs.items()
            if moment - since >= self.patience
        ]

    def keep_watch(self, is_over: Event) -> None:
        """Look after the workers repeatedly until stopped; runs in a thread of its own."""
        try:
            while not is_over.is_set():
                try:
                    self.look_after_workers(time.monotonic())
                except Error:
                    # The worker itself reports that the database is away, and waits for it.
                    connections.close_all()
                except Exception:
                    # Without heartbeats the worker would lose its task.
                    logger.exception("The workers could not be looked after.")
                is_over.wait(self.patience / SIGNS_PER_PATIENCE)
        finally:
            connections.close_all()


@contextmanager
def watch_workers(worker_id: str, patience: float = WORKER_PATIENCE) -> Iterator[None]:
    """Send heartbeats for this worker while it works, and look after others."""
    is_over = Event()
    watch = WorkerWatch(worker_id, patience)
    thread = Thread(target=watch.keep_watch, args=[is_over], name="worker-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(WATCH_END)


def give_sign(worker_id: str) -> None:
    """Record that this worker is alive; each heartbeat differs from the one before."""
    now = timezone.now().isoformat()
    cache.set(build_sign_key(worker_id), now, SIGN_LIFETIME.total_seconds())
    cache.set(LAST_SIGN_KEY, now, None)


def build_sign_key(worker_id: str) -> str:
    """Return the cache key of a worker's heartbeat."""
    return f"worker-sign:{worker_id}"


def find_last_sign() -> datetime.datetime | None:
    """Return the time of the last heartbeat of any worker, or None if unknown."""
    said = cache.get(LAST_SIGN_KEY)
    return datetime.datetime.fromisoformat(said) if said else None


def retake_tasks(worker_id: str) -> int:
    """Return this worker's tasks to the queue; return how many.

    For a worker that is gone, or that starts again after a database outage. A task interrupted
    several times has failed.
    """
    retaken = 0
    with transaction.atomic():
        for held in DBTaskResult.objects.running().select_for_update(no_key=True).order_by("pk"):
            if held.worker_ids[-1:] != [worker_id]:
                continue
            if len(held.worker_ids) >= MAX_WORKERS_PER_TASK:
                held.set_failed(WorkerLost(f"{len(held.worker_ids)} workers were lost at it."))
                continue
            held.status, held.started_at = TaskResultStatus.READY, None
            held.save(update_fields=["status", "started_at"])
            retaken += 1
    if retaken:
        logger.warning("The worker %s is gone. Tasks taken back: %d.", worker_id, retaken)
    return retaken


# Scheduler, pruning and the building of files may be started on several machines, and one of them
# does what is due: the one with the lease, an entry in the shared cache that is only created if
# there is none. If it is killed it keeps the lease for a while, and the next run after that
# continues. Each of these has its own lease.

LAST_TICK_KEY: Final = "tick-seen"
CLOCK: Final = "tick-lease"
PRUNING: Final = "pruning-lease"
EXPORTS: Final = "exports-lease"
LEASE_SECONDS: Final = 300.0
RENEWALS_PER_LEASE: Final = 10


class Lease:
    """The right of one process on one machine to do what is due, while no other does."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.owner = uuid.uuid4().hex
        self.renewed_at = -math.inf

    def take(self) -> bool:
        """Take or keep the lease; return whether it is ours."""
        if not cache.add(self.key, self.owner, LEASE_SECONDS):
            # A missing entry was evicted or has expired, and keeps nobody out.
            return cache.get(self.key) in (self.owner, None)
        self.renewed_at = time.monotonic()
        return True

    def renew(self) -> None:
        """Renew the lease for its full time; for every step of a long run."""
        if time.monotonic() - self.renewed_at >= LEASE_SECONDS / RENEWALS_PER_LEASE:
            cache.set(self.key, self.owner, LEASE_SECONDS)
            self.renewed_at = time.monotonic()

    def give_back(self) -> None:
        """Release the lease for the next run."""
        if cache.get(self.key) == self.owner:
            cache.delete(self.key)


def note_tick() -> None:
    """Record that the scheduler ran, for all machines."""
    cache.set(LAST_TICK_KEY, timezone.now().isoformat(), None)


def find_last_tick() -> datetime.datetime | None:
    """Return when the scheduler last ran on any machine, or None if unknown."""
    said = cache.get(LAST_TICK_KEY)
    return datetime.datetime.fromisoformat(said) if said else None

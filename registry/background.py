"""Work that somebody asks for and waits for, done by the worker: one thing at a time for each.

Servers of others are asked by it, which may take their time: no request waits for them, and
nobody fills the worker. Workers give signs of life, so that others take over what a killed one had
in hand; the clock leaves a sign that it was called.
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
"""Whose worker was killed waits no longer than that."""


class TaskPending(RegistryError):
    """Something that the person asked for is still being done. The text is fit to show."""


def enqueue_for_person(person: User, task: Task[Any, Any], subject: int) -> None:
    """Have the worker do `task` with the row of that key, because `person` wants to know.

    The task is called with the key, and `person_id`. Raises `TaskPending` where they wait for
    something already.
    """
    with transaction.atomic():
        # The row is ours until the transaction ends: the second of two clicks finds the first.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if find_pending_tasks().filter(args_kwargs__kwargs__person_id=person.pk).exists():
            raise TaskPending(
                _("The registry is still busy with what you asked for last. Wait a moment.")
            )
        task.enqueue(subject, person_id=person.pk)


def enqueue_for_each(task: Task[Any, Any], subjects: Iterable[int]) -> None:
    """Have the worker do `task` with the rows of these keys; one statement writes all tasks.

    The library has that for one task alone.
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
    """Return the keys of the rows with which the task is still to be done for somebody."""
    waiting = (
        find_pending_tasks()
        .filter(task_path=task.module_path)
        .values_list("args_kwargs", flat=True)
    )
    return {given["args"][0] for given in waiting}


def find_pending_tasks() -> QuerySet[DBTaskResult[Any, Any]]:
    """Return what is to be done, or being done, for people."""
    return DBTaskResult.objects.filter(
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=timezone.now() - PENDING_TASK_TIMEOUT,
        args_kwargs__kwargs__has_key="person_id",
    )


# A worker that is killed leaves its task as one that is being done. So each worker writes a sign
# into the cache that all of them share, a new one every half minute, and looks at those of
# others. Nobody's clock is compared with anybody else's: whoever looks remembers the sign of each
# worker, and by their own clock since when it has been the same.

WORKER_PATIENCE: Final = 120.0
"""Seconds after which a worker that gives no new sign counts as killed."""
SIGNS_PER_PATIENCE: Final = 4
WATCH_END: Final = 5.0
"""Seconds that a worker waits at its end for the look that is under way."""
MAX_WORKERS_PER_TASK: Final = 3
"""A task that was in hand when so many workers were killed may be what kills them."""
SIGN_LIFETIME: Final = datetime.timedelta(days=1)
LAST_SIGN_KEY: Final = "worker-seen"


class WorkerLost(RegistryError):
    """The worker that had a task in hand is gone, and so were those before it."""


class WorkerWatch:
    """Gives the signs of one worker, and takes back the tasks of those that give none."""

    def __init__(self, worker_id: str, patience: float = WORKER_PATIENCE) -> None:
        self.worker_id = worker_id
        self.patience = patience
        self.known_signs: dict[str, tuple[Any, float]] = {}
        """By worker its sign, and since when it is the same."""

    def look_after_workers(self, moment: float) -> int:
        """Give a sign and look at those of others; return how many tasks were taken back.

        `moment` is of a clock that never goes back. Where the database cannot be asked the error
        is raised, and all others are given their time anew: they could write no sign either.
        """
        try:
            give_sign(self.worker_id)
            return sum(retake_tasks(each) for each in self.find_silent_workers(moment))
        except Error:
            self.known_signs.clear()
            raise

    def find_silent_workers(self, moment: float) -> list[str]:
        """Return the workers that have a task in hand and gave no new sign for too long."""
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
        """Look after the workers again and again until it is over; for a thread of its own."""
        try:
            while not is_over.is_set():
                try:
                    self.look_after_workers(time.monotonic())
                except Error:
                    # The worker itself says that the database is away, and waits for it.
                    connections.close_all()
                except Exception:
                    # Without signs the worker would lose what it has in hand.
                    logger.exception("The workers could not be looked after.")
                is_over.wait(self.patience / SIGNS_PER_PATIENCE)
        finally:
            connections.close_all()


@contextmanager
def watch_workers(worker_id: str, patience: float = WORKER_PATIENCE) -> Iterator[None]:
    """Give signs for this worker while it works, and look after others."""
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
    """Write that this worker lives; each sign differs from the one before."""
    now = timezone.now().isoformat()
    cache.set(build_sign_key(worker_id), now, SIGN_LIFETIME.total_seconds())
    cache.set(LAST_SIGN_KEY, now, None)


def build_sign_key(worker_id: str) -> str:
    """Return where the sign of a worker stands."""
    return f"worker-sign:{worker_id}"


def find_last_sign() -> datetime.datetime | None:
    """Return when any worker gave a sign last, none where nothing tells of it."""
    said = cache.get(LAST_SIGN_KEY)
    return datetime.datetime.fromisoformat(said) if said else None


def retake_tasks(worker_id: str) -> int:
    """Have what this worker had in hand done by whoever comes next; return how many tasks.

    For a worker that is gone, or that begins anew after an outage of the database. A task that was
    in several such hands has failed.
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


# Clock and pruning may be called on several machines, and one of them does what is due: whoever has
# the lease, an entry of the shared cache that is made where there is none. One that is killed keeps
# it for a while, and the next call after that goes on. Each of the two has its own.

LAST_TICK_KEY: Final = "tick-seen"
CLOCK: Final = "tick-lease"
PRUNING: Final = "pruning-lease"
LEASE_SECONDS: Final = 300.0
RENEWALS_PER_LEASE: Final = 10


class Lease:
    """The right of one process on one machine to do what is due, while no other does."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.owner = uuid.uuid4().hex
        self.renewed_at = -math.inf

    def take(self) -> bool:
        """Take the lease, or keep it; return whether it is ours, and not that of another."""
        if not cache.add(self.key, self.owner, LEASE_SECONDS):
            # An entry that is gone by now was forgotten or has lapsed, and keeps nobody out.
            return cache.get(self.key) in (self.owner, None)
        self.renewed_at = time.monotonic()
        return True

    def renew(self) -> None:
        """Keep the lease for its whole time from now on; for every step of a long tick."""
        if time.monotonic() - self.renewed_at >= LEASE_SECONDS / RENEWALS_PER_LEASE:
            cache.set(self.key, self.owner, LEASE_SECONDS)
            self.renewed_at = time.monotonic()

    def give_back(self) -> None:
        """Leave the lease to whoever is called next."""
        if cache.get(self.key) == self.owner:
            cache.delete(self.key)


def note_tick() -> None:
    """Leave the sign that the clock was called, for all machines."""
    cache.set(LAST_TICK_KEY, timezone.now().isoformat(), None)


def find_last_tick() -> datetime.datetime | None:
    """Return when the clock was called last on any machine, none where nothing tells of it."""
    said = cache.get(LAST_TICK_KEY)
    return datetime.datetime.fromisoformat(said) if said else None


def is_cache_unavailable(error: BaseException | None) -> bool:
    """Whether the Redis or Valkey server failed that may be the shared cache.

    Its client is loaded only where there is one, so that its errors are known by their module.
    """
    return any(each.__module__ == "redis.exceptions" for each in type(error).__mro__)

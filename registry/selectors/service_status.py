"""How the registry is running: what its operators should know at a glance."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.db import Error
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from registry import journal
from registry.background import find_last_sign, find_last_tick
from registry.database import is_cache_unavailable, list_pending_migrations
from registry.models import Event, Letter
from registry.selectors.accounts import list_dead_addresses
from registry.selectors.replica_status import (
    ReplicaState,
    is_primary_read_only,
    list_replica_states,
)
from registry.selectors.transparency_log import find_published_head

CLOCK_SILENCE: Final = datetime.timedelta(hours=1)
"""The scheduler runs every quarter of an hour; after this long it counts as stopped."""
WORKER_SILENCE: Final = datetime.timedelta(minutes=15)
"""A worker takes a task within seconds, and sends a heartbeat every half minute: after this long
there is none.
"""
HEAD_LAG: Final = datetime.timedelta(minutes=5)
"""A head is signed each minute; if an event is in none after this long, nobody signs them."""


@dataclass(frozen=True, slots=True)
class StatusLine:
    """One item, its state, and whether somebody has to do something about it.

    `facts` are for programs, next to the text.
    """

    name: str
    text: str
    is_wrong: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)


def read_service_status(now: datetime.datetime | None = None) -> Iterator[StatusLine]:
    """Yield the lines of the status, most basic first; what cannot be read ends them.

    Without a database there are only the lines of the database and of its replicas; without its
    tables, that of the tables as well.
    """
    moment = now or timezone.now()
    try:
        pending = list_pending_migrations()
        is_read_only = is_primary_read_only()
    except Error as error:
        yield StatusLine("database", f"cannot be asked: {join_lines(error)}", is_wrong=True)
        yield from map(describe_replica, list_replica_states(moment))
        return
    if is_read_only:
        text = "answers, and takes no writing: REGISTRY_DATABASE_URL is to name the primary"
        yield StatusLine("database", text, is_wrong=True)
    else:
        yield StatusLine("database", "answers")
    yield from map(describe_replica, list_replica_states(moment))
    if pending:
        text = f"{len(pending)} to be made, first {pending[0]}: run migrate"
        yield StatusLine("migrations", text, is_wrong=True)
        return
    yield StatusLine("migrations", "all made")
    cache = read_cache_status()
    yield cache
    readers: tuple[Callable[[datetime.datetime], StatusLine], ...] = (
        # Heartbeats of both are in the cache.
        *(() if cache.is_wrong else (read_worker_status, read_clock_status)),
        read_letter_status,
        read_address_status,
        read_task_status,
        read_journal_status,
    )
    for read in readers:
        yield read(moment)


def list_status_objects(lines: Iterable[StatusLine]) -> list[dict[str, object]]:
    """Return the lines as JSON objects."""
    return [
        {"name": each.name, "text": each.text, "is_wrong": each.is_wrong, **each.facts}
        for each in lines
    ]


def describe_replica(state: ReplicaState) -> StatusLine:
    """Say how far a replica lags, whether anonymous readers are served from it, and why not."""
    facts = {
        "is_used": state.is_used,
        "seconds_behind": state.seconds_behind,
        "is_standby": state.is_standby,
        "is_receiving": state.is_receiving,
    }
    if state.error:
        text = f"left out, does not answer: {state.error}"
        return StatusLine(state.alias, text, is_wrong=True, facts=facts)
    use = "strangers are read from it" if state.is_used else "left out"
    if state.seconds_behind is None:
        use += ", nobody knows how far behind"
    else:
        use += f", {state.seconds_behind:.1f} s behind"
    if not state.is_standby:
        use += "; it is no replica, it takes writing of its own"
    elif not state.is_receiving:
        use += "; it receives nothing from its primary"
    return StatusLine(state.alias, use, not state.is_as_it_should_be, facts)


@dataclass(frozen=True, slots=True)
class ServiceFigures:
    """The same as figures; times are seconds since 1970, None if nothing was seen."""

    pending_migrations: int
    is_cache_up: bool | None = None
    letters_waiting: int | None = None
    letters_refused: int | None = None
    tasks_ready: int | None = None
    tasks_dead: int | None = None
    oldest_task_seconds: float | None = None
    worker_seen: float | None = None
    clock_seen: float | None = None
    journal_line: int | None = None


def read_service_figures(now: datetime.datetime) -> ServiceFigures:
    """Return the figures; without this version's tables only that fact, and raise without a
    database.
    """
    if pending := len(list_pending_migrations()):
        return ServiceFigures(pending)
    waiting, tasks = Letter.objects.waiting(), DBTaskResult.objects
    ready = tasks.ready().exclude(run_after__gt=now)
    oldest = ready.order_by("enqueued_at").values_list("enqueued_at", flat=True).first()
    finished = tasks.finished().order_by("-finished_at")
    ended = finished.values_list("finished_at", flat=True).first()
    is_cache_up = not read_cache_status().is_wrong
    sign, clock = (find_last_sign(), find_last_tick()) if is_cache_up else (None, None)
    worker = max(filter(None, (ended, sign)), default=None)
    return ServiceFigures(
        pending_migrations=0,
        is_cache_up=is_cache_up,
        letters_waiting=waiting.count(),
        letters_refused=waiting.exclude(last_error="").count(),
        tasks_ready=ready.count(),
        tasks_dead=tasks.failed().count(),
        oldest_task_seconds=(now - oldest).total_seconds() if oldest else 0.0,
        worker_seen=worker.timestamp() if worker else None,
        clock_seen=clock.timestamp() if clock else None,
        journal_line=journal.find_last_number(),
    )


def read_cache_status() -> StatusLine:
    """Say whether the shared cache, in Redis or a table, answers."""
    try:
        find_last_sign()
    except Exception as error:
        if not is_cache_unavailable(error):
            raise
        return StatusLine("cache", f"cannot be asked: {join_lines(error)}", is_wrong=True)
    return StatusLine("cache", "answers")


def read_worker_status(now: datetime.datetime) -> StatusLine:
    """Say from the tasks, and from the workers' heartbeats, whether somebody does them."""
    done = DBTaskResult.objects.finished().order_by("-finished_at")
    last = done.values_list("finished_at", flat=True).first()
    seen = f"last finished a task {format_moment(last)}" if last else "has finished no task yet"
    ready = DBTaskResult.objects.ready().filter(enqueued_at__lt=now - WORKER_SILENCE)
    # A task postponed until a moment ago is as fresh as one created then.
    late = ready.exclude(run_after__range=(now - WORKER_SILENCE, now))
    oldest = late.order_by("enqueued_at").first()
    if sign := find_last_sign():
        seen = f"last seen {format_moment(sign)}, {seen}"
    if oldest is None and sign and now - sign > WORKER_SILENCE:
        return StatusLine("worker", f"{seen}: is db_worker running?", is_wrong=True)
    if oldest is None:
        return StatusLine("worker", f"{seen}; nothing waits for it too long")
    since = format_moment(oldest.enqueued_at)
    return StatusLine("worker", f"{seen}; a task waits since {since}: is db_worker running?", True)


def read_clock_status(now: datetime.datetime) -> StatusLine:
    """Say when the scheduler last ran, on any machine."""
    last = find_last_tick()
    if last is None:
        return StatusLine("clock", "never seen: call tick every quarter of an hour", True)
    if now - last > CLOCK_SILENCE:
        text = f"last seen {format_moment(last)}: is tick still called?"
        return StatusLine("clock", text, is_wrong=True)
    return StatusLine("clock", f"last seen {format_moment(last)}")


def read_letter_status(now: datetime.datetime) -> StatusLine:
    """Count the letters that wait, and those of them that a mail server has already refused."""
    waiting = Letter.objects.waiting()
    count, refused = waiting.count(), waiting.exclude(last_error="")
    if not refused.exists():
        return StatusLine("letters", f"{count} waiting")
    error = refused.order_by("-written_at").values_list("last_error", flat=True)[0]
    text = f"{count} waiting, {refused.count()} of them tried in vain; last error: "
    return StatusLine("letters", text + join_lines(error), is_wrong=True)


def read_address_status(now: datetime.datetime) -> StatusLine:
    """Count the addresses that returned letters; their people are asked at the next sign-in.

    Operators can do no more about it.
    """
    count = len(list_dead_addresses())
    return StatusLine("addresses", f"letters came back from {count}" if count else "none dead")


def read_task_status(now: datetime.datetime) -> StatusLine:
    """Count the tasks that ended with an error and are not retried."""
    failed = DBTaskResult.objects.failed()
    if not (count := failed.count()):
        return StatusLine("tasks", "none dead")
    last = failed.order_by("-finished_at")[0]
    text = f"{count} dead, the last {format_moment(last.finished_at)}: {last.task_path}"
    return StatusLine("tasks", f"{text}, {last.exception_class_path}", is_wrong=True)


def read_journal_status(now: datetime.datetime) -> StatusLine:
    """Return the last event, and the last signed head, in the form `verify_journal --head` takes.

    The root of the log up to the last event would require reading all events each time.
    """
    last = journal.find_last_number()
    if not last:
        return StatusLine("journal", "empty")
    published = find_published_head()
    signed = published.head.size - 1 if published else 0
    text = f"line {last}, "
    if published and signed:
        head = journal.JournalHead(signed, published.head.root.hex())
        text += f"head {head} signed {format_moment(published.published_at)}"
    else:
        text += "no head is signed"
    if not Event.objects.filter(number__gt=signed, at__lt=now - HEAD_LAG).exists():
        return StatusLine("journal", text)
    return StatusLine("journal", f"{text}: is build_log running?", is_wrong=True)


def format_moment(moment: datetime.datetime | None) -> str:
    """Return a time to the second, in UTC."""
    if moment is None:
        return "at an unknown time"
    return moment.astimezone(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def join_lines(text: object) -> str:
    """Return a text in one line."""
    return " ".join(str(text).split())

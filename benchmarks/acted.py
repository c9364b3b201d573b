"""Actions with an entry in the log and without, alternating, by one writer or many at once."""

from __future__ import annotations

import multiprocessing
import secrets
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.db import OperationalError, connection, connections

from benchmarks import crowd as crowds
from benchmarks.crowd import Crowd
from registry import journal, workflow
from registry.database import is_lock_error
from registry.enums import RequestPath, State
from registry.models import Event, RegistrationRequest, User
from tools.sign_in import give_factor

WRITERS: Final = {"SQLite": (1,), "PostgreSQL": (1, 32)}
"""How many at once; SQLite has one writer at a time, and more would only measure waiting."""
WARMING: Final = 2
DEARER: Final = 1.1
CONTEXT: Final = multiprocessing.get_context("fork")
COMPOSE_ENTRY: Final = journal.compose_entry
Spent = tuple[float, float]
"""CPU seconds of two actions, the first without an entry, the second with one."""


@dataclass(frozen=True, slots=True)
class Act:
    """A step, the state in which it is taken, and its input."""

    verb: str
    source: State
    said: Mapping[str, Any]

    def find_person(self, crowd: Crowd) -> User:
        """Return the person who takes the step."""
        return crowd.registrar if self.verb == "register" else crowd.author


ACTS: Final = (
    Act("withdraw", State.IN_REVIEW, {"comment": "The federation is gone."}),
    Act("register", State.APPROVED, {"references": ["A letter of the registrar"]}),
)


def measure(database: str, acts: int) -> bool:
    """Print the time of each action; return whether entries never add more than a tenth."""
    crowd = crowds.make_people()
    give_factor(crowd.registrar)
    good = True
    for act in ACTS:
        person = act.find_person(crowd)
        for writers in WRITERS[database]:
            pairs = max(acts // writers, 1)
            keys = make_requests(crowd, act, writers * 2 * (WARMING + pairs))
            good = measure_act(database, act, person, keys, writers) and good
    return good


def make_requests(crowd: Crowd, act: Act, count: int) -> list[int]:
    """Create requests on which the step can be taken; return their keys."""
    first = len(crowd.requests)
    # One request in ten asks for the name of the one before it.
    crowds.add_requests(crowd, count + count // 4 + 10, 1)
    numbered = enumerate(crowd.requests[first:], first)
    keys = [each.pk for number, each in numbered if number % 10 > 1][:count]
    for start in range(0, count, crowds.BATCH):
        some = RegistrationRequest.objects.filter(pk__in=keys[start : start + crowds.BATCH])
        some.update(state=act.source, path=RequestPath.COMMUNITY, standards_action=False)
    return keys


def measure_act(database: str, act: Act, person: User, keys: Sequence[int], writers: int) -> bool:
    """Print an action's time with and without its entry; return whether it adds at most a tenth."""
    pairs = run_writers(act, person, keys, writers)
    before, after = (statistics.median(each) for each in zip(*pairs, strict=True))
    share = statistics.median(each[1] / each[0] for each in pairs)
    told = f"{before * 1e3:.1f} | {after * 1e3:.1f} | {100 * (share - 1):+.1f} %"
    print(f"| {database} | {act.verb} | {writers} | {len(pairs)} | {told} |", flush=True)
    return share <= DEARER


def run_writers(act: Act, person: User, keys: Sequence[int], writers: int) -> list[Spent]:
    """Run `writers` processes at once, each on its share; return the time of each pair."""
    connections.close_all()
    barrier, results = CONTEXT.Barrier(writers), CONTEXT.SimpleQueue()
    processes = [
        CONTEXT.Process(
            target=take_share, args=(act, person.pk, keys[place::writers], barrier, results)
        )
        for place in range(writers)
    ]
    for process in processes:
        process.start()
    found = [results.get() for _process in processes]
    for process in processes:
        process.join()
    if broken := [each for each in found if isinstance(each, str)]:
        raise RuntimeError(broken[0])
    return [pair for each in found for pair in each]


def take_share(act: Act, person: int, keys: Sequence[int], barrier: Any, results: Any) -> None:
    """Take a step on each request; report the time of each pair, or what went wrong."""
    try:
        actor = User.objects.get(pk=person)
        # Do the one-time work of a process first.
        list(take_pairs(act, keys[: 2 * WARMING], actor))
        barrier.wait()
        results.put(list(take_pairs(act, keys[2 * WARMING :], actor)))
    except Exception as error:  # whatever it is, the waiting parent must hear of it
        barrier.abort()
        results.put(f"{act.verb}: {error!r}")
    connections.close_all()


def take_pairs(act: Act, keys: Sequence[int], actor: User) -> Iterator[Spent]:
    """Take a step on each request, alternately with and without an entry; yield both times."""
    for number in range(0, len(keys), 2):
        spent = {}
        # The order alternates: the second finds more in the CPU's cache.
        for place, is_logged in enumerate((False, True) if number % 4 else (True, False)):
            journal.compose_entry = COMPOSE_ENTRY if is_logged else compose_no_entry
            began = read_processor_time()
            while not take_step(act, keys[number + place], actor):
                pass
            spent[is_logged] = read_processor_time() - began
        yield spent[False], spent[True]


def read_processor_time() -> float:
    """Return the CPU time of this process, and of its PostgreSQL backend."""
    if connection.vendor != "postgresql":
        return time.process_time()
    server = connection.connection.info.backend_pid
    # Nanoseconds on a processor (Linux, Documentation/scheduler/sched-stats.rst).
    worked = Path(f"/proc/{server}/schedstat").read_text("ascii").split()[0]
    return time.process_time() + int(worked) / 1e9


def take_step(act: Act, key: int, actor: User) -> bool:
    """Take a step; return whether it was taken, or others held the database for too long."""
    try:
        waiting = RegistrationRequest.objects.get(pk=key)
        workflow.perform(waiting, act.verb, actor=actor, **act.said)
    except OperationalError as error:
        if not is_lock_error(error):
            raise
        return False
    return True


def compose_no_entry(event: Event, facts: Mapping[str, Any], *, is_open: bool) -> None:
    """Leave an event without a log entry; its digest must be unique."""
    event.entry, event.digest = "{}", secrets.token_hex(32)

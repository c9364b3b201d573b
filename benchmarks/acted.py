"""Acts with an entry of the log and without, by one writer or by many processes at once."""

from __future__ import annotations

import multiprocessing
import secrets
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import OperationalError, connections

from benchmarks import crowd as crowds
from benchmarks.crowd import Crowd
from registry import journal, workflow
from registry.database import is_lock_error
from registry.enums import State
from registry.models import Event, RegistrationRequest, User
from tools.sign_in import give_factor

WRITERS: Final = (1, 32)
ROUNDS: Final = 5
DEARER: Final = 1.1
CONTEXT: Final = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Act:
    """A step, from which state it is taken, and what is said with it."""

    verb: str
    source: State
    said: Mapping[str, Any]

    def find_person(self, crowd: Crowd) -> User:
        """Return who takes the step."""
        return crowd.registrar if self.verb == "register" else crowd.author


ACTS: Final = (
    Act("withdraw", State.IN_REVIEW, {"comment": "The federation is gone."}),
    Act("register", State.APPROVED, {"references": ["A letter of the registrar"]}),
)


@dataclass(frozen=True, slots=True)
class Spent:
    """What an act took: seconds on the clock, and seconds of all processors."""

    wall: float
    processor: float


def measure(database: str, acts: int) -> bool:
    """Print what each act takes; return whether none is more than a tenth dearer with its entry."""
    crowd = crowds.make_people()
    give_factor(crowd.registrar)
    # One request in eight waits for the registrar, and some of them ask for one name.
    needed = acts * ROUNDS * 2 * len(WRITERS)
    crowds.add_requests(crowd, 8 * (needed + needed // 3), 1)
    good = True
    for act in ACTS:
        keys = list_requests(crowd, act)
        for writers in WRITERS:
            good = measure_act(database, act, act.find_person(crowd), keys, writers, acts) and good
    return good


def list_requests(crowd: Crowd, act: Act) -> Iterator[int]:
    """Yield the keys of requests on which the step can be taken, each once."""
    for number, each in enumerate(crowd.requests):
        if each.state == act.source and number % 10 > 1:
            yield each.pk


def measure_act(
    database: str, act: Act, person: User, keys: Iterator[int], writers: int, acts: int
) -> bool:
    """Print what an act takes with its entry and without; return whether it is a tenth at most."""
    without: list[Spent] = []
    with_entry: list[Spent] = []
    for _round in range(ROUNDS):
        for spent, is_logged in ((without, False), (with_entry, True)):
            some = [next(keys) for _act in range(acts)]
            spent.append(run_writers(act, person, some, writers, is_logged=is_logged))
    wall = compare([each.wall for each in without], [each.wall for each in with_entry])
    processor = compare(
        [each.processor for each in without], [each.processor for each in with_entry]
    )
    print(f"| {database} | {act.verb} | {writers} | {wall[1]} | {processor[1]} |", flush=True)
    return processor[0] <= DEARER


def compare(without: Sequence[float], with_entry: Sequence[float]) -> tuple[float, str]:
    """Return the median share of the rounds, and how a table says it."""
    share = statistics.median(b / a for a, b in zip(without, with_entry, strict=True))
    before, after = (statistics.median(each) * 1e3 for each in (without, with_entry))
    return share, f"{before:.1f} | {after:.1f} | {100 * (share - 1):+.0f} %"


def run_writers(
    act: Act, person: User, keys: Sequence[int], writers: int, *, is_logged: bool
) -> Spent:
    """Have so many processes act at once; return what an act took."""
    connections.close_all()
    barrier, results = CONTEXT.Barrier(writers + 1), CONTEXT.SimpleQueue()
    processes = [
        CONTEXT.Process(
            target=take_steps,
            args=(act, person.pk, keys[place::writers], barrier, results, is_logged),
        )
        for place in range(writers)
    ]
    for process in processes:
        process.start()
    barrier.wait()
    began = time.perf_counter()
    found = [results.get() for _process in processes]
    taken = time.perf_counter() - began
    for process in processes:
        process.join()
    if broken := [each for each in found if isinstance(each, str)]:
        raise RuntimeError(broken[0])
    return Spent(taken / len(keys), sum(found) / len(keys))


def take_steps(
    act: Act, person: int, keys: Sequence[int], barrier: Any, results: Any, is_logged: bool
) -> None:
    """Take a step on each request; tell how long the processor worked, or what went wrong."""
    if not is_logged:
        journal.write_entry = write_no_entry
    actor = User.objects.get(pk=person)
    barrier.wait()
    began = time.process_time()
    try:
        for key in keys:
            while not take_step(act, key, actor):
                pass
        results.put(time.process_time() - began)
    except Exception as error:  # whatever it is, whoever waits for all is told
        results.put(f"{act.verb}: {error!r}")
    connections.close_all()


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


def write_no_entry(event: Event, facts: Mapping[str, Any]) -> None:
    """Write a line that is no entry of a log; its digest has to be one of its own."""
    event.entry, event.digest = "{}", secrets.token_hex(32)

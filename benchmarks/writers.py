"""Writers at once on PostgreSQL: how long each act holds the counter of events, and waits for it.

Every act takes a number from one counter row and holds it until its transaction ends. The floor
takes such a number and does nothing else: its waiting is the price of numbers without gaps.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, connections, transaction

from benchmarks import seed as seeds
from benchmarks.tables import Table, judge
from registry import workflow
from registry.actions import discussion
from registry.enums import State
from registry.models import Counter, RegistrationRequest, User
from tools.sign_in import give_factor

WRITERS: Final = 8
ACTS: Final = 6
"""Acts of each kind and writer."""
ALONE: Final = 8
"""Acts of each kind by one writer alone."""
REQUESTS_PER_ACT: Final = 20
"""One request in this many is approved, has the expert, and a NID of its own."""
FLOOR_COUNTER: Final = "floor"
MAX_SHARE: Final = 0.5
MAX_STATEMENTS: Final = 24
Act = Callable[[RegistrationRequest, User], None]


@dataclass(frozen=True, slots=True)
class ActTimes:
    """Seconds of one act: in total, waiting for the row, holding it; statements meanwhile."""

    whole: float
    waited: float
    held: float
    statements: int


class CounterWatch:
    """Records when the counter's row was requested and locked, and counts what followed."""

    def __init__(self) -> None:
        self.requested_at = self.locked_at = 0.0
        self.statements = 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, *context: Any) -> Any:
        """Execute a statement; the first update of the counter of events is the one."""
        is_counter = sql.startswith('UPDATE "registry_counter"') and params
        is_first = (
            is_counter and not self.locked_at and {Counter.EVENT, FLOOR_COUNTER} & set(params)
        )
        if is_first:
            self.requested_at = time.perf_counter()
        result = execute(sql, params, *context)
        if is_first:
            self.locked_at = time.perf_counter()
        elif self.locked_at:
            self.statements += 1
        return result


def take_number(registration_request: RegistrationRequest, person: User) -> None:
    """Take a number as every act does, and nothing else."""
    with transaction.atomic():
        Counter.objects.take(FLOOR_COUNTER)


def post_comment(registration_request: RegistrationRequest, person: User) -> None:
    discussion.add_comment(
        registration_request, author=person, text="We keep such names too.", key=uuid.uuid4()
    )


def request_changes(registration_request: RegistrationRequest, person: User) -> None:
    perform(registration_request, "request_changes", person, comment="Say who finds the list.")


def withdraw(registration_request: RegistrationRequest, person: User) -> None:
    perform(registration_request, "withdraw", person, comment="We use another.")


def register(registration_request: RegistrationRequest, person: User) -> None:
    perform(registration_request, "register", person, references=["RFC 8141"])


def perform(
    registration_request: RegistrationRequest, verb: str, person: User, **event: Any
) -> None:
    """Take a step on a request as it is now."""
    current = RegistrationRequest.objects.get(pk=registration_request.pk)
    workflow.perform(current, verb, actor=person, **event)


def measure(is_smallest: bool) -> Iterator[Table]:
    """Do each act alone, and with all writers at once."""
    writers, alone, acts = (2, 1, 1) if is_smallest else (WRITERS, ALONE, ACTS)
    each_way = alone + writers * acts
    seed = seeds.load_registry()
    give_factor(seed.registrar)
    seeds.fill(seed, namespaces=0, requests=REQUESTS_PER_ACT * each_way + 100)
    Counter.objects.raise_to(FLOOR_COUNTER, 1)
    in_review = seeds.list_requests(seed, State.IN_REVIEW)
    approved = seeds.list_requests(seed, State.APPROVED)
    rows = [
        measure_act(name, act, person, requests[:each_way], alone, writers)
        for name, act, person, requests in (
            ("the floor", take_number, seed.expert, in_review),
            ("a comment", post_comment, seed.registrar, in_review),
            ("a decision", request_changes, seed.expert, in_review),
            ("withdrawing", withdraw, seed.author, in_review[each_way:]),
            ("registering", register, seed.registrar, approved),
        )
    ]
    together = f"{writers} at once"
    columns = (
        "ms on the wall",
        "alone",
        "of that holding the row",
        "statements meanwhile",
        "target",
        f"{together}: waits, median",
        "waits, longest",
        "longest act",
        "acts in a second",
    )
    yield Table(f"One writer alone, and {writers} at once with {acts} acts each", columns, rows)


def measure_act(
    name: str,
    act: Act,
    person: User,
    requests: Sequence[RegistrationRequest],
    alone: int,
    writers: int,
) -> Sequence[str]:
    """Do one act on each of the requests, the first few alone; return its row."""
    single = [time_act(act, each, person) for each in requests[:alone]]
    begun = time.perf_counter()
    many = act_at_once(act, [requests[alone + n :: writers] for n in range(writers)], person)
    rate = len(many) / (time.perf_counter() - begun)
    whole = statistics.median(each.whole for each in single) * 1e3
    held = statistics.median(each.held for each in single) * 1e3
    statements = max(each.statements for each in single)
    is_met = act is take_number or (held <= whole * MAX_SHARE and statements <= MAX_STATEMENTS)
    waits = [each.waited * 1e3 for each in many]
    return (
        name,
        f"{whole:.1f}",
        f"{held:.1f}",
        f"{statements}",
        judge(f"{MAX_SHARE:.0%}, {MAX_STATEMENTS}", is_met),
        f"{statistics.median(waits):.0f}",
        f"{max(waits):.0f}",
        f"{max(each.whole for each in many) * 1e3:.0f}",
        f"{rate:.0f}",
    )


def time_act(act: Act, registration_request: RegistrationRequest, person: User) -> ActTimes:
    watch, begun = CounterWatch(), time.perf_counter()
    with connection.execute_wrapper(watch):
        act(registration_request, person)
    ended = time.perf_counter()
    return ActTimes(
        ended - begun,
        watch.locked_at - watch.requested_at,
        ended - watch.locked_at,
        watch.statements,
    )


def act_at_once(
    act: Act, shares: Sequence[Sequence[RegistrationRequest]], person: User
) -> list[ActTimes]:
    """Do the act on each request, with one process per share."""
    connections.close_all()
    context = multiprocessing.get_context("fork")
    with context.Pool(len(shares), initializer=connections.close_all) as pool:
        results = pool.starmap(act_on_each, [(act, share, person) for share in shares], chunksize=1)
    return [times for share in results for times in share]


def act_on_each(act: Act, requests: Sequence[RegistrationRequest], person: User) -> list[ActTimes]:
    return [time_act(act, each, person) for each in requests]

"""Writers that act at the same time, and how long each held the counter and waited for it."""

from __future__ import annotations

import multiprocessing
import statistics
import time
import uuid
from collections import Counter as Counted
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, connections, transaction

from benchmarks.crowd import Crowd, add_requests, make_people
from registry import workflow
from registry.actions import discussion
from registry.enums import State
from registry.models import Counter, Message, Namespace, RegistrationRequest, User

FLOOR_COUNTER: Final = "floor"
MAX_SHARE: Final = 0.5
ALONE: Final = 8
"""How many actions of each kind one writer does alone."""
REQUESTS_FOR_ONE: Final = 20
"""One request in this many is approved, with an expert and a NID of its own."""
MAX_STATEMENTS: Final = 24
Act = Callable[[RegistrationRequest, User], None]


@dataclass(frozen=True, slots=True)
class ActTimes:
    """Seconds of one action: in total, waiting for the row, holding it; statements meanwhile."""

    whole: float
    waited: float
    held: float
    statements: int


class CounterWatch:
    """Records when the counter's row was requested and locked, and what followed."""

    def __init__(self) -> None:
        self.asked_at = self.had_at = 0.0
        self.statements = 0
        self.words: list[str] = []

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, *about: Any) -> Any:
        """Execute a statement; the first update of the counter of events is the one."""
        is_counter = sql.startswith('UPDATE "registry_counter"') and params
        is_first = is_counter and not self.had_at and set(params) & {"event", FLOOR_COUNTER}
        if is_first:
            self.asked_at = time.perf_counter()
        result = execute(sql, params, *about)
        if is_first:
            self.had_at = time.perf_counter()
        elif self.had_at:
            self.statements += 1
            self.words.append(sql)
        return result


def take_number(registration_request: RegistrationRequest, person: User) -> None:
    """Take a number as every action does, and nothing else."""
    with transaction.atomic():
        Counter.objects.take(FLOOR_COUNTER)


def post_comment(registration_request: RegistrationRequest, person: User) -> None:
    """Comment on a request."""
    discussion.add_comment(
        registration_request, author=person, text="We keep such names too.", key=uuid.uuid4()
    )


def ask_for_changes(registration_request: RegistrationRequest, person: User) -> None:
    """Send the text of a request back."""
    held = RegistrationRequest.objects.get(pk=registration_request.pk)
    workflow.perform(held, "request_changes", actor=person, comment="Say who finds the list.")


def withdraw(registration_request: RegistrationRequest, person: User) -> None:
    """Withdraw a request."""
    held = RegistrationRequest.objects.get(pk=registration_request.pk)
    workflow.perform(held, "withdraw", actor=person, comment="We use another.")


def register(registration_request: RegistrationRequest, person: User) -> None:
    """Publish an approved request."""
    held = RegistrationRequest.objects.get(pk=registration_request.pk)
    workflow.perform(held, "register", actor=person, references=["RFC 8141"])


def time_act(
    act: Act, registration_request: RegistrationRequest, person: User
) -> tuple[ActTimes, list[str]]:
    """Do one action; return its time, and the statements while it held the row."""
    watch, begun = CounterWatch(), time.perf_counter()
    with connection.execute_wrapper(watch):
        act(registration_request, person)
    ended = time.perf_counter()
    times = ActTimes(
        ended - begun, watch.had_at - watch.asked_at, ended - watch.had_at, watch.statements
    )
    return times, watch.words


def act_at_once(
    act: Act, shares: Sequence[Sequence[RegistrationRequest]], person: User
) -> list[ActTimes]:
    """Do the action on each request, with one process per share; return all times."""
    connections.close_all()
    context = multiprocessing.get_context("fork")
    with context.Pool(len(shares), initializer=connections.close_all) as pool:
        found = pool.starmap(act_on_each, [(act, share, person) for share in shares], chunksize=1)
    return [times for each in found for times in each]


def act_on_each(act: Act, requests: Sequence[RegistrationRequest], person: User) -> list[ActTimes]:
    """Do the action on each request, one after another."""
    return [time_act(act, each, person)[0] for each in requests]


def list_requests_to_act_on(crowd: Crowd, state: State) -> list[RegistrationRequest]:
    """Return requests in a state with one expert, each for a unique NID."""
    asked = Counted(each.nid for each in crowd.requests)
    asked.update(Namespace.objects.values_list("nid", flat=True))
    mine = set(crowd.expert.assignments.values_list("registration_request", flat=True))
    return [
        each
        for each in crowd.requests
        if each.state == state and each.pk in mine and asked[each.nid] == 1
    ]


def run(writers: int, acts: int) -> bool:
    """Print the table; return whether a single writer meets the targets."""
    crowd, each_way = make_people(), ALONE + writers * acts
    add_requests(crowd, REQUESTS_FOR_ONE * each_way + 100, 1)
    Message.objects.filter(author=crowd.other).delete()
    in_review = list_requests_to_act_on(crowd, State.IN_REVIEW)
    approved = list_requests_to_act_on(crowd, State.APPROVED)
    Counter.objects.raise_to(FLOOR_COUNTER, 1)
    print("| ms | one alone: whole | holds the row | statements | ", end="")
    print(f"{writers} at once: waits, median | longest | whole, longest | acts in a second |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    rows = (
        ("the floor", take_number, crowd.expert, in_review[:each_way]),
        ("a comment", post_comment, crowd.registrar, in_review[:each_way]),
        ("a decision", ask_for_changes, crowd.expert, in_review[:each_way]),
        ("withdrawing", withdraw, crowd.author, in_review[each_way : 2 * each_way]),
        ("registering", register, crowd.registrar, approved[:each_way]),
    )
    met = [
        print_row(name, act, person, asked[:ALONE], divide_requests(asked[ALONE:], writers))
        for name, act, person, asked in rows
    ]
    return all(met)


def divide_requests(
    requests: Sequence[RegistrationRequest], writers: int
) -> list[Sequence[RegistrationRequest]]:
    """Return the share of each writer."""
    return [requests[first::writers] for first in range(writers)]


def print_row(
    name: str,
    act: Act,
    person: User,
    alone: Sequence[RegistrationRequest],
    shares: Sequence[Sequence[RegistrationRequest]],
) -> bool:
    """Measure one action; return whether it meets the targets."""
    single = [time_act(act, each, person)[0] for each in alone]
    begun = time.perf_counter()
    many = act_at_once(act, shares, person)
    rate = len(many) / (time.perf_counter() - begun)
    whole, held = (
        statistics.median(each.whole for each in single),
        statistics.median(each.held for each in single),
    )
    statements = max(each.statements for each in single)
    waits = sorted(each.waited for each in many)
    figures: Iterator[float] = iter(
        (statistics.median(waits), waits[-1], max(each.whole for each in many))
    )
    told = " | ".join(f"{each * 1000:,.0f}" for each in figures)
    print(
        f"| {name} | {whole * 1000:.1f} | {held * 1000:.1f} | {statements} | {told} | {rate:.0f} |",
        flush=True,
    )
    return act is not post_comment or (statements <= MAX_STATEMENTS and held <= whole * MAX_SHARE)

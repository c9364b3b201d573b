"""Writers that act at the same time, and how long each held the counter and waited for it."""

from __future__ import annotations

import multiprocessing
import statistics
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, connections, transaction

from benchmarks.crowd import Crowd, add_requests, make_people
from registry import workflow
from registry.actions import discussion
from registry.enums import State
from registry.models import Counter, Message, RegistrationRequest, User

FLOOR_COUNTER: Final = "floor"
MAX_SHARE: Final = 0.5
MAX_STATEMENTS: Final = 24
Act = Callable[[RegistrationRequest, User], None]


@dataclass(frozen=True, slots=True)
class ActTimes:
    """Seconds of one act: whole, before it had the row, and with it; statements with the row."""

    whole: float
    waited: float
    held: float
    statements: int


class CounterWatch:
    """Notes when the row of the counter was asked for and had, and what came after."""

    def __init__(self) -> None:
        self.asked_at = self.had_at = 0.0
        self.statements = 0
        self.words: list[str] = []

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, *about: Any) -> Any:
        """Carry out a statement; the first update of the counter of lines is the one."""
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
    """Take a number as every act does, and nothing else."""
    with transaction.atomic():
        Counter.objects.take(FLOOR_COUNTER)


def post_comment(registration_request: RegistrationRequest, person: User) -> None:
    """Say something about a request."""
    discussion.add_comment(
        registration_request, author=person, text="We keep such names too.", key=uuid.uuid4()
    )


def ask_for_changes(registration_request: RegistrationRequest, person: User) -> None:
    """Send the text of a request back."""
    held = RegistrationRequest.objects.get(pk=registration_request.pk)
    workflow.perform(held, "request_changes", actor=person, comment="Say who finds the list.")


def time_act(
    act: Act, registration_request: RegistrationRequest, person: User
) -> tuple[ActTimes, list[str]]:
    """Do one act; return how long it took, and the statements while it held the row."""
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
    """Have a process for each share do the act on each of its requests; return all times."""
    connections.close_all()
    context = multiprocessing.get_context("fork")
    with context.Pool(len(shares), initializer=connections.close_all) as pool:
        found = pool.starmap(act_on_each, [(act, share, person) for share in shares], chunksize=1)
    return [times for each in found for times in each]


def act_on_each(act: Act, requests: Sequence[RegistrationRequest], person: User) -> list[ActTimes]:
    """Do the act on each request, one after another."""
    return [time_act(act, each, person)[0] for each in requests]


def list_requests_to_act_on(crowd: Crowd, count: int) -> list[RegistrationRequest]:
    """Return so many requests that are in review by one expert."""
    in_review = [each for each in crowd.requests if each.state == State.IN_REVIEW and each.pk % 2]
    return in_review[:count]


def run(writers: int, acts: int) -> bool:
    """Print the table; return whether an act alone keeps to the targets."""
    crowd = make_people()
    add_requests(crowd, 4 * writers * (acts + 1) + 100, 1)
    Message.objects.filter(author=crowd.other).delete()
    requests = list_requests_to_act_on(crowd, writers * (acts + 1))
    alone, together = requests[:writers], requests[writers:]
    shares = [together[first::writers] for first in range(writers)]
    Counter.objects.raise_to(FLOOR_COUNTER, 1)
    print("| ms | one alone: whole | holds the row | statements | ", end="")
    print(f"{writers} at once: waits, median | longest | whole, longest | acts in a second |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    rows = (
        ("the floor", take_number, crowd.expert),
        ("a comment", post_comment, crowd.registrar),
        ("a decision", ask_for_changes, crowd.expert),
    )
    met = [print_row(*row, alone, shares) for row in rows]
    return all(met)


def print_row(
    name: str,
    act: Act,
    person: User,
    alone: Sequence[RegistrationRequest],
    shares: Sequence[Sequence[RegistrationRequest]],
) -> bool:
    """Measure one act; return whether it keeps to the targets."""
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

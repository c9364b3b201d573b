"""Whenever and however often the scheduler runs, each thing is done once, and none is lost."""

from __future__ import annotations

import datetime
import itertools
import os
import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections, transaction

from registry import journal, scheduler, workflow
from registry.enums import RequestPath
from registry.models import (
    Event,
    Letter,
    Organization,
    RegistrationRequest,
    Reminder,
    User,
)
from registry.selectors import list_rival_requests
from tests.factories import (
    formal_text,
    let_ask_often,
    start,
)
from tests.scheduler.conftest import Travel
from tests.template.samples import INFORMAL

DAYS = 365 if "REGISTRY_TEST_SOAK_STEP" in os.environ else 120
"""How long the scheduler is observed: a year with `make soak`."""

Done = set[tuple[str, str, str, datetime.date]]


@pytest.fixture
def waiting(
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    organization: Organization,
) -> list[RegistrationRequest]:
    """Requests that wait for everyone possible: authors, experts, lead and so on."""

    let_ask_often(registrant)
    nids = (f"seed-{number}x" for number in itertools.count(1))

    def begun(*verbs: str, path: RequestPath = RequestPath.COMMUNITY) -> RegistrationRequest:
        text = INFORMAL if path == RequestPath.INFORMAL else formal_text(next(nids))
        made = start(registrant, organization, text, path)
        made.standards_action = "report" in verbs
        made.save()
        for verb in verbs:
            actor = registrant if verb == "submit" else expert
            rivals = ", ".join(each.reference for each in list_rival_requests(made))
            comment = f"Sound, unlike {rivals}." if workflow.VERBS[verb].explains else ""
            workflow.perform(made, verb, actor=actor, comment=comment)
        return made

    return [
        begun(),
        begun("submit", path=RequestPath.INFORMAL),
        begun("submit", "assign"),
        begun("submit", "assign", "decline"),
        begun("submit", "assign", "approve"),
        begun("submit", "assign", "report"),
        begun("submit", path=RequestPath.FAST_TRACK),
    ]


def done() -> Done:
    """Return what the scheduler has done: to which request, what, and for the wait since which day.

    The time of day is that of the rota if the wait began with it.
    """
    given = Reminder.objects.values_list("registration_request__reference", "kind", "since")
    steps = Event.objects.filter(actor=None, verb__in=["assign", "expire"])
    taken = steps.values_list("registration_request__reference", "verb", "at")
    return {
        *(("given", reference, kind, since.date()) for reference, kind, since in given),
        *(("step", reference, verb, at.date()) for reference, verb, at in taken),
    }


def list_reminder_events() -> list[tuple[str, str, str]]:
    """Return the journal's events about the scheduler's actions."""
    events = Event.objects.exclude(data__kind=None).order_by("number")
    return sorted(
        events.values_list("registration_request__reference", "data__kind", "data__since")
    )


def after_ticks_at(moments: Iterable[float], travel: Travel) -> Done:
    """Return what has been done after runs on these days, and roll it back."""
    with transaction.atomic():
        for moment in moments:
            travel(moment)
            tally = scheduler.tick()
            assert tally.failures == []
        found = done()
        assert (
            len(list_reminder_events())
            == len(set(list_reminder_events()))
            == Reminder.objects.count()
        )
        transaction.set_rollback(True)
    return found


@pytest.mark.whole
@pytest.mark.django_db
def test_ticks_at_any_moment_do_what_one_tick_a_day_does(
    waiting: list[RegistrationRequest], travel: Travel
) -> None:
    chance = random.Random(8141)
    evenings = [day + 0.55 for day in range(DAYS)]
    any_moment = sorted(
        day - 0.4 + chance.random() for day in range(DAYS) for _n in range(chance.randint(0, 1))
    )

    daily = after_ticks_at(evenings, travel)
    dense = after_ticks_at(sorted([*any_moment, *evenings]), travel)

    assert len(daily) > 20
    assert dense == daily


@pytest.mark.whole
@pytest.mark.django_db
def test_tick_again_does_nothing(waiting: list[RegistrationRequest], travel: Travel) -> None:
    travel(40)
    first = scheduler.tick()

    again = [scheduler.tick() for _n in range(3)]

    assert (first.done.total(), first.done["weekly"]) == (12, 3)
    assert [each.done.total() for each in again] == [0, 0, 0]


@pytest.mark.whole
@pytest.mark.django_db
@pytest.mark.parametrize(("fatal", "together"), [(1, 20), (2, 1), (6, 2), (6, 20), (7, 1)])
def test_next_tick_does_what_one_that_was_cut_short_left(
    waiting: list[RegistrationRequest],
    travel: Travel,
    monkeypatch: pytest.MonkeyPatch,
    fatal: int,
    together: int,
) -> None:
    expected = after_ticks_at([40], travel)
    compose_line, count = journal.compose_line, 0

    def cut_short(*args: Any, **said: Any) -> Event:
        nonlocal count
        count += said["verb"] in {"remind"}
        if count == fatal:
            raise SystemExit
        return compose_line(*args, **said)

    monkeypatch.setattr("registry.scheduler.REMINDER_BATCH_SIZE", together)
    monkeypatch.setattr("registry.journal.compose_line", cut_short)
    with pytest.raises(SystemExit):
        scheduler.tick()
    monkeypatch.undo()
    left = Reminder.objects.count(), len(list_reminder_events())

    scheduler.tick()

    # People reminded in one transaction are reminded together, or not at all.
    assert left[0] == left[1] < fatal
    assert left[0] >= fatal - 1 - 2 * together
    assert done() == expected
    assert len(list_reminder_events()) == Reminder.objects.count()


@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_several_ticks_at_once_do_each_thing_once(
    waiting: list[RegistrationRequest], travel: Travel
) -> None:
    travel(40)
    barrier = Barrier(4)

    def one() -> scheduler.TickReport:
        try:
            barrier.wait()
            return scheduler.tick()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        tallies = [each.result() for each in [pool.submit(one) for _n in range(4)]]

    assert [each.failures for each in tallies] == [[], [], [], []]
    weekly = sum(each.done["weekly"] for each in tallies)
    assert sum(each.done.total() for each in tallies) - weekly == len(done()) == 9
    assert weekly == 3
    assert (
        len(list_reminder_events()) == len(set(list_reminder_events())) == Reminder.objects.count()
    )
    assert Letter.objects.count() == len(set(Letter.objects.values_list("key", flat=True)))
    assert list(journal.verify()) == []

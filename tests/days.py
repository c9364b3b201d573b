"""Days that pass in tests: on each of them the scheduler runs."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

import time_machine
from django.utils import timezone

from registry.models import SchedulerDay


def record_days(since: datetime.datetime, until: datetime.datetime) -> None:
    """Record that the scheduler ran on every day between two moments."""
    first = timezone.localdate(since)
    number = (timezone.localdate(until) - first).days
    SchedulerDay.objects.bulk_create(
        [SchedulerDay(day=first + datetime.timedelta(day)) for day in range(number + 1)],
        ignore_conflicts=True,
    )


def let_days_pass(traveller: time_machine.Traveller, days: float) -> None:
    """Move the clock on by a number of days, on each of which the scheduler runs."""
    since = timezone.now()
    traveller.shift(datetime.timedelta(days))
    record_days(since, timezone.now())


@contextmanager
def days_later(days: float, *, tick: bool = False) -> Iterator[None]:
    """In the block it is a number of days later; the scheduler ran on each."""
    until = timezone.now() + datetime.timedelta(days)
    record_days(timezone.now(), until)
    with time_machine.travel(until, tick=tick):
        yield

"""Periods in days: only those count on which the scheduler ran."""

from __future__ import annotations

import datetime
from datetime import UTC

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from registry.models import Dates, RegistrationRequest, SchedulerDay
from registry.models.dates import add_days, count_days, load_calendar, load_dates
from tests.days import record_days

pytestmark = pytest.mark.django_db
FIRST = datetime.datetime(2026, 3, 1, 10, tzinfo=UTC)


def day(number: float) -> datetime.datetime:
    """Return ten o'clock on a day of March, and after it."""
    return FIRST + datetime.timedelta(number - 1)


def run_scheduler(*days: int) -> None:
    for number in days:
        SchedulerDay.objects.record(day(number).date())


def test_days_all_count_while_the_scheduler_runs() -> None:
    record_days(day(1), day(20))

    with time_machine.travel(day(20), tick=False):
        assert add_days(day(5), 7) == day(12)
        assert count_days(day(5), day(20)) == 15


def test_days_count_where_the_scheduler_never_ran() -> None:
    with time_machine.travel(day(20), tick=False):
        assert count_days(day(5), day(20)) == 15


def test_outage_lengthens_each_period_that_it_meets_and_no_other() -> None:
    run_scheduler(1, 2, 3, 4, 5, 16, 17)

    with time_machine.travel(day(17), tick=False):
        assert add_days(day(2), 2) == day(4)
        assert add_days(day(2), 7) == day(19)
        assert add_days(day(8), 1) == day(17)
        assert add_days(day(16), 7) == day(23)
        assert count_days(day(2), day(17)) == 5
        assert load_calendar().subtract_days(day(17), 5) == day(2)


def test_outage_that_goes_on_counts_no_day_either() -> None:
    run_scheduler(1, 2, 3)

    with time_machine.travel(day(40), tick=False):
        assert count_days(day(1), day(40)) == 3
        assert add_days(day(1), 7) > day(40)


def test_clock_that_jumps_ahead_and_back_costs_nothing() -> None:
    run_scheduler(1, 2, 3, 403)
    with time_machine.travel(day(403), tick=False):
        assert count_days(day(1), day(403)) == 3

    run_scheduler(4, 5)

    with time_machine.travel(day(5), tick=False):
        assert count_days(day(1), day(5)) == 4
        assert add_days(day(1), 7) == day(8)


def test_dates_are_those_of_the_guide_until_they_are_changed() -> None:
    assert load_dates().idle_days == 180

    Dates(idle_days=90).save()
    Dates(idle_days=100).save()

    assert Dates.objects.count() == 1
    assert load_dates().idle_days == 100


def test_comments_are_invited_until_a_decision_is_promised(
    in_review: RegistrationRequest, inviting_comments: None
) -> None:
    Dates(decision_days=33).save()
    last, promised_by = in_review.last_round, in_review.promised_by

    assert last is not None
    assert last.comments_until == promised_by == timezone.localdate() + datetime.timedelta(33)


def test_reminders_out_of_order_are_refused() -> None:
    with pytest.raises(ValidationError, match="after the one before"):
        Dates(first_reminder_days=14, second_reminder_days=7).full_clean()

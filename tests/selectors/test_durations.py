"""Turnaround figures: how long requests stayed in each state and with each party."""

from __future__ import annotations

import datetime
import random
import statistics
import uuid
from array import array
from collections.abc import Iterator
from datetime import UTC
from itertools import chain

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry import workflow
from registry.actions import discussion
from registry.enums import State, Turn
from registry.models import Event, RegistrationRequest, User
from registry.selectors.durations import (
    BY_STATE,
    BY_TURN,
    STAYS_CACHE_KEY,
    WHOLE_COURSE,
    DurationRow,
    EndedStays,
    OngoingStays,
    SortedArrays,
    StayTable,
    build_stay_table,
    compute_durations,
    find_last_line,
    find_median,
    find_percentile,
    load_stay_summary,
    load_stay_table,
)

MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


def later(clock: time_machine.Traveller, days: float) -> None:
    clock.shift(datetime.timedelta(days))


def row(group: str, key: str, year: int | None = None) -> DurationRow:
    return next(each for each in compute_durations(year) if each.track == (group, key))


def took(*days: float) -> EndedStays:
    """Return the figures of few enough stays to count by hand."""
    return EndedStays(len(days), statistics.median(days) if days else None, max(days, default=None))


def waits(*days: float) -> OngoingStays:
    return OngoingStays(
        len(days), statistics.median(days) if days else None, max(days, default=None)
    )


@pytest.mark.parametrize("number", [1, 2, 3, 19, 20, 21, 100, 101, 1000])
def test_half_took_no_longer_than_the_median_and_95_of_100_than_the_percentile(
    number: int,
) -> None:
    chance = random.Random(number)
    days = sorted(chance.expovariate(0.1) for _n in range(number))

    high = find_percentile(days, 95)

    assert high is not None
    assert find_median(days) == pytest.approx(statistics.median(days))
    assert sum(day <= high for day in days) * 100 >= 95 * number
    assert sum(day < high for day in days) * 100 < 95 * number


@pytest.mark.parametrize("number", range(20))
def test_sorted_arrays_are_read_like_one(number: int) -> None:
    chance = random.Random(number)
    years = [
        array("d", sorted(chance.choice([1.0, 2.0, chance.random() * 3]) for _day in range(length)))
        for length in chance.choices(range(8), k=chance.randrange(5))
    ]

    assert list(SortedArrays(years)) == sorted(chain.from_iterable(years))


def test_percentile_of_twenty_is_the_nineteenth() -> None:
    assert find_percentile([float(day) for day in range(1, 21)], 95) == 19.0


@pytest.mark.django_db
def test_course_is_divided_by_state_and_by_turn(
    draft: RegistrationRequest,
    registrant: User,
    expert: User,
    registrar: User,
    clock: time_machine.Traveller,
) -> None:
    later(clock, 50)
    workflow.perform(draft, "submit", actor=registrant)
    later(clock, 2)
    workflow.perform(draft, "assign", actor=expert)
    later(clock, 10)
    workflow.perform(draft, "approve", actor=expert, comment="Sound.")
    later(clock, 3)
    workflow.perform(draft, "register", actor=registrar)
    later(clock, 100)

    assert row(BY_STATE, State.IN_REVIEW).closed == took(12)
    assert row(BY_TURN, Turn.LEAD).closed == took(2)
    assert row(BY_TURN, Turn.EXPERTS).closed == took(10)
    assert row(BY_TURN, Turn.REGISTRAR).closed == row(BY_STATE, State.APPROVED).closed == took(3)
    assert row(WHOLE_COURSE, "").closed == took(15)
    assert row(BY_TURN, Turn.REGISTRANT).closed == took()
    assert {each.open for each in compute_durations()} == {waits()}


@pytest.mark.django_db
def test_waiting_requests_are_counted_apart(
    in_review: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    later(clock, 4)
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    later(clock, 6)

    assert row(BY_STATE, State.IN_REVIEW).closed == took(4)
    assert row(BY_STATE, State.CHANGES_REQUESTED).open == waits(6)
    assert row(BY_TURN, Turn.REGISTRANT).open == waits(6)
    assert row(WHOLE_COURSE, "").open == waits(10)


@pytest.mark.django_db
def test_turn_is_the_leads_once_all_experts_left(
    in_review: RegistrationRequest, expert: User, lead: User, clock: time_machine.Traveller
) -> None:
    later(clock, 3)
    workflow.perform(in_review, "assign", actor=lead)
    later(clock, 1)
    workflow.perform(in_review, "recuse", actor=expert, comment="I know the author.")
    later(clock, 1)
    workflow.perform(in_review, "recuse", actor=lead, comment="So do I.")
    later(clock, 2)

    assert row(BY_TURN, Turn.EXPERTS).closed == took(5)
    assert row(BY_TURN, Turn.LEAD).open == waits(2)


@pytest.mark.django_db
def test_handing_over_ends_no_turn(
    in_review: RegistrationRequest, expert: User, lead: User, clock: time_machine.Traveller
) -> None:
    later(clock, 3)
    workflow.perform(in_review, "assign", actor=lead, comment="-", leaver=expert, expert=lead)
    later(clock, 2)
    workflow.perform(in_review, "decline", actor=lead, comment="Nobody needs it.")

    assert row(BY_TURN, Turn.EXPERTS).closed == took(5)


@pytest.mark.django_db
def test_draft_that_was_never_sent_is_not_counted(
    draft: RegistrationRequest, registrant: User, clock: time_machine.Traveller
) -> None:
    later(clock, 3)
    workflow.perform(draft, "withdraw", actor=registrant)

    assert {(each.closed, each.open) for each in compute_durations()} == {(took(), waits())}


@pytest.mark.django_db
def test_stays_count_in_the_year_in_which_they_ended(
    in_review: RegistrationRequest, expert: User, registrant: User, clock: time_machine.Traveller
) -> None:
    later(clock, 300)
    workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")

    assert load_stay_summary().years == [2027, 2026]
    assert row(BY_TURN, Turn.LEAD, 2026).closed == took(0)
    assert row(BY_STATE, State.IN_REVIEW, 2026).closed == took()
    assert row(BY_STATE, State.IN_REVIEW, 2027).closed == took(300)


@pytest.mark.django_db
def test_journal_is_counted_once_until_it_grows(
    in_review: RegistrationRequest, expert: User
) -> None:
    compute_durations()
    with CaptureQueriesContext(connection) as kept:
        compute_durations()
    workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")

    declined = row(BY_STATE, State.DECLINED)

    assert len(kept) == 1
    assert declined.open.number == 1


@pytest.mark.whole
@pytest.mark.django_db
def test_counting_step_by_step_equals_counting_at_once(
    informal_draft: RegistrationRequest,
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    registrar: User,
    clock: time_machine.Traveller,
) -> None:
    steps = [
        (in_review, "request_changes", expert),
        (informal_draft, "submit", registrant),
        (informal_draft, "assign", expert),
        (informal_draft, "approve", expert),
        (informal_draft, "register", registrar),
    ]
    tables = [load_stay_table(find_last_line())]

    for registration_request, verb, person in steps:
        later(clock, 3)
        workflow.perform(registration_request, verb, actor=person, comment="Read.")
        tables.append(load_stay_table(find_last_line()))
        anew = build_stay_table(Event.objects.count())
        assert list_counted(tables[-1]) == list_counted(anew)

    assert len({str(sorted(list_counted(each).items())) for each in tables}) == len(tables)


@pytest.mark.django_db
def test_act_has_the_lines_of_its_own_request_read_and_no_others(
    in_review: RegistrationRequest, informal_draft: RegistrationRequest, registrant: User
) -> None:
    compute_durations()
    workflow.perform(informal_draft, "submit", actor=registrant)

    with CaptureQueriesContext(connection) as asked:
        compute_durations()

    lines = [each["sql"] for each in asked if "LIMIT" not in each["sql"]]
    assert len(lines) == 4
    assert [
        sql for sql in lines if f'"registration_request_id" IN ({informal_draft.pk})' not in sql
    ] == []


@pytest.mark.django_db
def test_stays_are_neither_read_nor_summarized_anew_after_a_comment(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    compute_durations()
    caches["figures"].delete(STAYS_CACHE_KEY)
    discussion.add_comment(in_review, author=outsider, text="Good.", key=uuid.uuid4())

    with CaptureQueriesContext(connection) as asked:
        commented = load_stay_summary()

    was_read = caches["figures"].get(STAYS_CACHE_KEY) is not None
    workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")
    assert (len(asked), was_read) == (3, False)
    assert commented.open[BY_STATE, State.IN_REVIEW].number == 1
    assert load_stay_summary().open[BY_STATE, State.DECLINED].number == 1


@pytest.mark.django_db
def test_another_journal_is_counted_anew(in_review: RegistrationRequest, expert: User) -> None:
    found = load_stay_table(find_last_line())
    caches["figures"].set(STAYS_CACHE_KEY, (1, "of another", StayTable()), timeout=None)

    anew = load_stay_table(find_last_line())

    assert list_counted(anew) == list_counted(found) != list_counted(StayTable())


def list_counted(table: StayTable) -> dict[str, str]:
    """Return everything in a table, in all its groupings."""
    closed = {
        f"{track} {year}": str(sorted(days))
        for track, by_year in table.closed.items()
        for year, days in by_year.items()
        if days
    }
    waiting = {f"{track} open": str(sorted(since)) for track, since in table.open.items() if since}
    return closed | waiting

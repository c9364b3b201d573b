"""The one ladder of reminders: when to the minute, to whom, and what expires."""

from __future__ import annotations

import datetime
from datetime import UTC
from typing import Final

import pytest

from registry.enums import State, Turn, whose_turn
from registry.journal.event_messages import describe_event
from registry.models import Assignment, Dates, Event, RegistrationRequest
from registry.models.dates import Calendar
from registry.selectors.actors import Actors, Panel
from registry.selectors.case import open_case
from registry.selectors.deadlines import (
    find_expiry,
    find_ladder,
    is_late,
    is_rota_due,
    list_coming_deadlines,
    list_due_deadlines,
)
from registry.selectors.request_clock import (
    LastActs,
    RequestClock,
    build_request_clock,
    find_change_of_hands,
    find_later,
)

MONDAY: Final = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)
CALENDAR: Final = Calendar(Dates(), ())
ENDS: Final = ("registered", "withdrawn", "refused", "expired")


def day(number: float) -> datetime.datetime:
    """Return the time some days after Monday, the first of June, at ten."""
    return MONDAY + datetime.timedelta(number)


def request_in(state: State) -> RegistrationRequest:
    """Return a request that got into this state on Monday."""
    return RegistrationRequest(state=state, state_since=MONDAY)


def clock(
    state: State,
    *,
    is_taken: bool = False,
    quiet: float = 2,
    reminded: tuple[float, ...] = (),
    paused_for: Turn | None = None,
    calendar: Calendar = CALENDAR,
) -> RequestClock:
    """Return the state of a request whose waits all began on different days."""
    experts = (Assignment(),) if is_taken else ()
    return RequestClock(
        case=open_case(request_in(state)),
        calendar=calendar,
        actors=Actors(paused_for or whose_turn(state, is_taken=is_taken)),
        assignments=experts,
        experts=experts,
        since=day(0),
        manned_since=day(1),
        quiet_since=day(quiet),
        idle_since=day(3),
        reminded_at=tuple(day(each) for each in reminded if each > 3),
        last_reminded_at=day(max(reminded)) if reminded else None,
        paused_for=paused_for,
    )


def due(standing: RequestClock, number: float) -> list[str]:
    """Return what is due on a day: the kinds."""
    return [each.kind for each in list_due_deadlines(standing, day(number))]


def test_ladder_climbs_from_those_whose_turn_it_is_to_all_offices_and_repeats() -> None:
    ladder = find_ladder(clock(State.REPORTED))

    assert ladder is not None
    assert [(each.kind, each.verb, " ".join(each.to), each.at) for each in ladder.rungs] == [
        ("reminder-1", "remind", "registrant", day(7)),
        ("reminder-2", "remind", "registrant lead", day(14)),
        ("reminder-3", "remind", "registrant lead registrar standards_body", day(30)),
    ]
    again = ladder.find_passed(day(91))
    assert again is not None
    assert (again.kind, again.at) == ("reminder-3-again-2", day(90))
    assert again.to == ladder.rungs[-1].to


@pytest.mark.parametrize("state", sorted(set(State) - set(ENDS)))
def test_each_state_that_waits_has_a_ladder_with_the_author_on_it(state: State) -> None:
    for paused_for in (None, Turn.HOLDER):
        ladder = find_ladder(clock(state, paused_for=paused_for))
        assert ladder is not None
        assert all("registrant" in each.to for each in ladder.rungs)


@pytest.mark.parametrize("state", sorted(ENDS))
def test_request_that_has_ended_waits_for_nobody(state: str) -> None:
    standing = clock(State(state))

    assert (find_ladder(standing), find_expiry(standing)) == (None, None)


@pytest.mark.parametrize(
    ("standing", "since"),
    [
        (clock(State.IN_REVIEW), 1),
        (clock(State.IN_REVIEW, is_taken=True), 2),
        (clock(State.IN_REVIEW, is_taken=True, paused_for=Turn.HOLDER), 0),
        (clock(State.APPROVED), 0),
        (clock(State.APPEALED), 0),
        (clock(State.ADVISORY), 3),
        (clock(State.CHANGES_REQUESTED), 3),
    ],
)
def test_each_wait_began_when_somebody_acted_last(standing: RequestClock, since: int) -> None:
    ladder = find_ladder(standing)

    assert ladder is not None
    assert {each.since for each in ladder.rungs} == {day(since)}


def test_experts_who_talk_do_not_put_off_the_reminders_past_the_promised_day() -> None:
    ladder = find_ladder(clock(State.IN_REVIEW, is_taken=True, quiet=60))

    assert ladder is not None
    assert ladder.rungs[0].since == datetime.datetime(2026, 6, 30, tzinfo=UTC)


def test_reminder_is_due_from_its_moment_until_it_was_sent() -> None:
    assert due(clock(State.APPROVED), 6.99) == []
    assert due(clock(State.APPROVED), 7) == ["reminder-1"]
    assert due(clock(State.APPROVED, reminded=(7,)), 13.9) == []
    assert due(clock(State.APPROVED, reminded=(7,)), 14) == ["reminder-2"]
    assert due(clock(State.APPROVED), 100) == ["reminder-3-again-2"]


def test_two_reminders_of_one_thing_are_three_days_apart() -> None:
    standing = clock(State.APPROVED, reminded=(6,))

    assert due(standing, 7) == due(standing, 8.9) == []
    assert due(standing, 9) == ["reminder-1"]
    ladder = find_ladder(standing)
    assert ladder is not None
    assert ladder.find_next_time(day(7)) == day(9)


@pytest.mark.parametrize("state", [State.DRAFT, State.CHANGES_REQUESTED, State.DECLINED])
def test_idle_request_expires_without_a_reminder_on_the_same_day(state: State) -> None:
    assert due(clock(state), 182.9) == ["reminder-3-again-4"]
    assert due(clock(state), 183) == ["expire"]
    coming = [each.kind for each in list_coming_deadlines(clock(state), day(5))]
    assert coming == ["reminder-1", "expire"]


def test_body_expires_after_three_letters_and_thirty_days_more() -> None:
    assert due(clock(State.ADVISORY, reminded=(10, 17)), 400) == ["reminder-3-again-12"]
    assert due(clock(State.ADVISORY, reminded=(10, 17, 33)), 183) == ["expire"]
    assert due(clock(State.ADVISORY, reminded=(10, 17, 170)), 199) == ["reminder-3-again-5"]
    assert due(clock(State.ADVISORY, reminded=(10, 17, 170)), 200) == ["expire"]


def test_lost_days_put_off_every_reminder_and_the_expiry() -> None:
    lost = ((day(5).date(), day(44).date()),)
    standing = clock(State.CHANGES_REQUESTED, calendar=Calendar(Dates(), lost))

    assert due(standing, 49.9) == []
    assert due(standing, 50) == ["reminder-1"]
    assert due(standing, 222.9) != ["expire"]
    assert due(standing, 223) == ["expire"]


def test_request_is_late_once_the_lead_is_told() -> None:
    standing = clock(State.APPROVED, reminded=(14,))

    assert [is_late(standing, day(number)) for number in (13, 14, 16, 50)] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("is_taken", "number", "expected"), [(False, 7.9, False), (False, 8, True), (True, 50, False)]
)
def test_rota_is_due_with_the_first_reminder_where_nobody_is_there(
    is_taken: bool, number: float, expected: bool
) -> None:
    standing = clock(State.IN_REVIEW, is_taken=is_taken)

    assert is_rota_due(standing, day(number)) is expected


def test_journal_has_words_for_every_rung_and_its_repetitions() -> None:
    ladder = find_ladder(clock(State.APPROVED))
    assert ladder is not None
    for deadline in (*ladder.rungs, ladder.repeat_last(3)):
        event = Event(verb=deadline.verb, data={"kind": deadline.kind, "days": 7})
        assert describe_event(event) == "sent a reminder: the request has waited for 7 days"


# Who came and who left


def stay(came: float, left: float | None = None) -> Assignment:
    """Return an assignment of one expert."""
    return Assignment(assigned_at=day(came), recused_at=None if left is None else day(left))


def build_clock(
    state: State,
    came: list[Assignment],
    acted_at: datetime.datetime | None = None,
    touched_at: datetime.datetime | None = None,
) -> RequestClock:
    """Return the state of a request whose experts who have not left can all judge."""
    judges = [each for each in came if each.recused_at is None]
    return build_request_clock(
        open_case(request_in(state)),
        CALENDAR,
        Actors(whose_turn(state, is_taken=bool(judges))),
        Panel(came, judges),
        LastActs(saved_at=touched_at, reviewed_at=acted_at),
        reminded_at=(),
    )


@pytest.mark.parametrize(
    ("stays", "changed"),
    [
        ([], None),
        ([stay(1)], 1),
        ([stay(1, left=4)], 4),
        ([stay(1), stay(2)], 1),
        ([stay(1, left=4), stay(2)], 1),
        ([stay(1, left=4), stay(5)], 5),
        ([stay(1, left=4), stay(4)], 1),
        ([stay(1), stay(3, left=3)], 1),
        ([stay(3, left=3)], None),
        ([stay(1, left=2), stay(3, left=6), stay(4, left=7)], 7),
    ],
)
def test_hands_change_when_the_first_comes_and_when_the_last_leaves(
    stays: list[Assignment], changed: float | None
) -> None:
    moments = [(each.assigned_at, each.recused_at) for each in stays]

    assert find_change_of_hands(moments) == (None if changed is None else day(changed))


def test_later_of_two_moments_counts() -> None:
    assert [find_later(day(1), other) for other in (None, day(0), day(2))] == [
        day(1),
        day(1),
        day(2),
    ]


@pytest.mark.parametrize(
    ("state", "since"), [(State.IN_REVIEW, 2), (State.ADVISORY, 0), (State.REPORTED, 0)]
)
def test_review_waits_since_its_experts_came_and_all_else_since_its_state(
    state: State, since: int
) -> None:
    standing = build_clock(state, [stay(2)], day(5), day(6))

    assert standing.since == day(since)
    assert (standing.manned_since, standing.quiet_since, standing.idle_since) == (
        day(2),
        day(5),
        day(6),
    )


def test_acts_before_the_state_began_begin_no_wait() -> None:
    standing = build_clock(State.IN_REVIEW, [stay(-5)], day(-3), day(-2))

    assert (standing.manned_since, standing.quiet_since, standing.idle_since) == (
        day(0),
        day(0),
        day(0),
    )


def test_experts_who_are_done_are_no_longer_on_it() -> None:
    here, gone = stay(1), stay(1, left=2)

    both = build_clock(State.IN_REVIEW, [here, gone])
    none = build_clock(State.IN_REVIEW, [gone])

    assert (both.experts, both.turn, both.is_untaken) == ((here,), Turn.EXPERTS, False)
    assert (none.experts, none.turn, none.is_untaken) == ((), Turn.LEAD, True)

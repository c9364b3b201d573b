"""The series of reminders, step by step: which, when to the minute, by which verb, and to whom."""

from __future__ import annotations

import datetime
from datetime import UTC
from typing import Final

import pytest
from pytest_django import Settings

from registry.enums import State, Turn, whose_turn
from registry.journal.event_messages import describe_event
from registry.models import Assignment, Event, RegistrationRequest
from registry.selectors.actors import Actors, Panel
from registry.selectors.case import open_case
from registry.selectors.deadlines import (
    Ladder,
    find_first_answer_day,
    is_rota_due,
    list_due_deadlines,
    list_escalations,
)
from registry.selectors.request_clock import (
    LastActs,
    RequestClock,
    build_request_clock,
    find_change_of_hands,
    find_later,
)

MONDAY: Final = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)
ENDS: Final = ("registered", "withdrawn", "refused", "expired")
Rung = tuple[str, str, str, str]


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
    reminded: tuple[float, ...] = (),
    paused_for: Turn | None = None,
) -> RequestClock:
    """Return the state of a request whose waits all began on different days."""
    experts = (Assignment(),) if is_taken else ()
    return RequestClock(
        case=open_case(request_in(state)),
        actors=Actors(paused_for or whose_turn(state, is_taken=is_taken)),
        assignments=experts,
        experts=experts,
        since=day(0),
        manned_since=day(1),
        quiet_since=day(2),
        idle_since=day(3),
        reminded_at=tuple(day(each) for each in reminded),
        paused_for=paused_for,
    )


def rungs(ladder: Ladder) -> list[Rung]:
    """Return the steps of a series: the kind, the verb, the recipients, and when."""
    return [
        (each.kind, each.verb, " ".join(each.to), f"{each.at:%m-%d %H:%M}") for each in ladder.rungs
    ]


DECISION: Final[list[Rung]] = [("decision", "escalate", "expert lead", "06-30 00:00")]
UNTAKEN: Final[list[Rung]] = [
    ("first-answer", "alarm", "lead", "06-05 00:00"),
    ("untaken", "escalate", "lead registrar standards_body", "07-02 10:00"),
]
REMINDERS: Final[list[Rung]] = [
    ("reminder-1", "remind", "registrant", "07-04 10:00"),
    ("reminder-2", "remind", "registrant", "08-03 10:00"),
    ("reminder-3", "remind", "registrant lead registrar", "09-02 10:00"),
]
REPEATED_REMINDERS: Final[list[Rung]] = [
    ("reminder-4", "remind", "registrant lead registrar", "10-02 10:00"),
    ("reminder-5", "remind", "registrant lead registrar", "11-01 10:00"),
]
EXPIRY: Final[list[Rung]] = [("expire", "expire", "registrant", "12-01 10:00")]
DIRECTION: Final[list[Rung]] = [("direction", "alarm", "registrar standards_body", "06-30 00:00")]


@pytest.mark.parametrize(
    ("state", "is_taken", "expected"),
    [
        (State.DRAFT, False, [REMINDERS + REPEATED_REMINDERS + EXPIRY]),
        (State.CHANGES_REQUESTED, True, [REMINDERS + REPEATED_REMINDERS + EXPIRY]),
        (State.DECLINED, True, [REMINDERS + REPEATED_REMINDERS + EXPIRY]),
        (State.IN_REVIEW, False, [UNTAKEN, DECISION]),
        (
            State.IN_REVIEW,
            True,
            [
                [
                    ("review", "nudge", "expert", "06-10 10:00"),
                    ("review-lead", "escalate", "expert lead", "06-17 10:00"),
                    (
                        "review-all",
                        "escalate",
                        "expert lead registrar standards_body",
                        "07-03 10:00",
                    ),
                ],
                DECISION,
            ],
        ),
        (State.ADVISORY, False, [UNTAKEN, REMINDERS]),
        (State.ADVISORY, True, [REMINDERS]),
        (
            State.APPROVED,
            True,
            [
                [
                    ("publication", "alarm", "registrar lead", "06-08 10:00"),
                    (
                        "publication-all",
                        "escalate",
                        "lead registrar standards_body",
                        "07-01 10:00",
                    ),
                ]
            ],
        ),
        (State.REPORTED, True, [DIRECTION]),
        (State.APPEALED, False, [DIRECTION]),
        *((State(end), False, []) for end in ENDS),
    ],
)
def test_each_state_has_its_ladders(
    state: State, is_taken: bool, expected: list[list[Rung]]
) -> None:
    found = list_escalations(clock(state, is_taken=is_taken))

    assert [rungs(ladder) for ladder in found] == expected


@pytest.mark.parametrize(
    ("state", "kind", "since"),
    [
        (State.IN_REVIEW, "first-answer", day(1)),
        (State.IN_REVIEW, "decision", datetime.datetime(2026, 6, 29, tzinfo=UTC)),
        (State.APPROVED, "publication", day(0)),
        (State.REPORTED, "direction", day(0)),
        (State.DRAFT, "reminder-1", day(3)),
        (State.DRAFT, "expire", day(3)),
    ],
)
def test_each_wait_began_when_somebody_acted_last(
    state: State, kind: str, since: datetime.datetime
) -> None:
    ladders = list_escalations(clock(state))

    [found] = [each.since for ladder in ladders for each in ladder.rungs if each.kind == kind]

    assert found == since


def test_deadline_names_the_last_day_to_act_or_the_one_on_which_the_clock_does() -> None:
    [untaken, decision] = list_escalations(clock(State.IN_REVIEW))

    days = [(each.kind, each.day.isoformat()) for each in (*untaken.rungs, *decision.rungs)]

    assert days == [
        ("first-answer", "2026-06-04"),
        ("untaken", "2026-07-02"),
        ("decision", "2026-06-29"),
    ]


@pytest.mark.parametrize(
    ("state", "numbers"),
    [(State.DRAFT, ["reminder-1", "expire"]), (State.ADVISORY, ["reminder-1", "reminder-2"])],
)
def test_nobody_is_reminded_on_the_day_of_the_lapse_or_after(
    state: State, numbers: list[str], settings: Settings
) -> None:
    settings.REGISTRY_REMINDER_DAYS = [180, 179]

    [ladder] = list_escalations(clock(state, is_taken=True))

    assert [each.kind for each in ladder.rungs] == numbers
    assert ladder.rungs[0].at == day(3 + 179)


def test_those_above_hear_of_what_is_not_published_never_before_the_alarm(
    settings: Settings,
) -> None:
    settings.REGISTRY_PUBLISH_DAYS = 45

    [ladder] = list_escalations(clock(State.APPROVED))

    assert [each.at for each in ladder.rungs] == [day(45), day(45)]


def test_extended_date_puts_off_the_alarm_about_the_decision() -> None:
    standing = clock(State.IN_REVIEW, is_taken=True)
    standing.registration_request.extended_to = datetime.date(2026, 8, 1)

    [_review, decision] = list_escalations(standing)

    assert rungs(decision) == [("decision", "escalate", "expert lead", "08-02 00:00")]


# What is due, and what is announced


def ladder() -> Ladder:
    return list_escalations(clock(State.DRAFT))[0]


MICROSECOND: Final = datetime.timedelta(microseconds=1)


def test_strongest_that_is_over_is_due_from_its_very_moment() -> None:
    first, third = ladder().rungs[0].at, ladder().rungs[2].at
    moments = [first - MICROSECOND, first, third, day(1_000)]

    due = [ladder().find_due(moment) for moment in moments]

    assert [each and each.kind for each in due] == [None, "reminder-1", "reminder-3", "expire"]


@pytest.mark.parametrize(
    ("moment", "kinds"),
    [
        (day(0), ["reminder-1", "expire"]),
        (day(33) - MICROSECOND, ["reminder-1", "expire"]),
        (day(33), ["reminder-2", "expire"]),
        (day(93), ["reminder-4", "expire"]),
        (day(153), ["expire"]),
        (day(183), []),
    ],
)
def test_next_reminder_is_announced_and_that_it_will_lapse(
    moment: datetime.datetime, kinds: list[str]
) -> None:
    assert [each.kind for each in ladder().list_coming(moment)] == kinds


def test_pause_has_one_ladder_that_repeats_to_lead_and_registrar() -> None:
    found, expiry = list_escalations(clock(State.IN_REVIEW, is_taken=True, paused_for=Turn.HOLDER))
    assert [each.is_expiry for each in expiry.rungs] == [True]

    again = found.find_due(day(60))

    assert rungs(found) == [
        ("pause", "remind", "holder", "06-15 10:00"),
        ("pause-all", "escalate", "holder lead registrar", "07-01 10:00"),
    ]
    assert again is not None
    assert (again.kind, again.verb, again.at) == ("pause-all-again-1", "escalate", day(60))
    assert again.to == ("holder", "lead", "registrar")


def test_ladder_repeats_every_thirty_days_after_its_last_rung() -> None:
    [found] = list_escalations(clock(State.APPROVED))

    due = [found.find_due(day(number)) for number in (30, 59, 60, 90)]

    assert [each and each.kind for each in due] == [
        "publication-all",
        "publication-all",
        "publication-all-again-1",
        "publication-all-again-2",
    ]


def test_body_that_answered_none_of_three_letters_is_to_lapse() -> None:
    silent = clock(State.ADVISORY, is_taken=True, reminded=(33, 63, 93))

    [expiry, reminders] = list_escalations(silent)

    assert rungs(expiry) == EXPIRY
    assert rungs(reminders) == REMINDERS


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("is_taken", [True, False])
@pytest.mark.parametrize("paused_for", [None, Turn.HOLDER])
def test_journal_has_words_for_every_rung_and_its_repetitions(
    state: State, is_taken: bool, paused_for: Turn | None
) -> None:
    silent = clock(state, is_taken=is_taken, reminded=(33, 63, 93), paused_for=paused_for)
    ladders = list_escalations(silent)
    rungs = [each for found in ladders for each in (*found.rungs, found.find_repetition(2)) if each]

    told = {
        each.kind: describe_event(Event(verb=each.verb, data={"kind": each.kind, "days": 30}))
        for each in rungs
        if not each.is_expiry
    }

    assert {kind for kind, words in told.items() if len(words.split()) < 3} == set()


def test_one_reminder_of_each_ladder_is_due() -> None:
    standing = clock(State.IN_REVIEW, is_taken=True)

    due = [
        [each.kind for each in list_due_deadlines(standing, moment)]
        for moment in (day(8), day(9), day(20), day(40))
    ]

    assert due == [[], ["review"], ["review-lead"], ["review-all", "decision"]]


@pytest.mark.parametrize(
    ("state", "is_taken", "moment", "is_due"),
    [
        (State.IN_REVIEW, False, datetime.datetime(2026, 6, 5, tzinfo=UTC), True),
        (State.IN_REVIEW, False, datetime.datetime(2026, 6, 5, tzinfo=UTC) - MICROSECOND, False),
        (State.ADVISORY, False, day(30), True),
        (State.IN_REVIEW, True, day(30), False),
        (State.REPORTED, False, day(30), False),
        (State.DRAFT, False, day(30), False),
    ],
)
def test_rota_is_due_once_two_working_days_are_over_and_nobody_is_there(
    state: State, is_taken: bool, moment: datetime.datetime, is_due: bool
) -> None:
    assert is_rota_due(clock(state, is_taken=is_taken), moment) is is_due


@pytest.mark.parametrize(
    ("begun", "last"),
    [(0, "2026-06-03"), (2, "2026-06-05"), (3, "2026-06-08"), (4, "2026-06-09"), (6, "2026-06-09")],
)
def test_first_answer_is_due_after_two_days_from_monday_to_friday(begun: int, last: str) -> None:
    assert find_first_answer_day(day(begun)).isoformat() == last


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

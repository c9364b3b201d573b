"""Whose turn it is, since when, the promised date, and what happens then."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator
from datetime import UTC

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry import workflow
from registry.actions.discussion import add_comment
from registry.enums import RequestPath, Turn
from registry.models import Organization, RegistrationRequest, User
from registry.selectors import (
    CurrentTurn,
    find_current_turn,
    find_current_turns,
)
from registry.selectors.request_clock import read_request_clock
from tests.factories import (
    RequestFactory,
    UserFactory,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)


def day(number: int, hour: int = 10) -> datetime.datetime:
    """Return an hour of a day of June 2026; the first is a Monday."""
    return datetime.datetime(2026, 6, 1, hour, tzinfo=UTC) + datetime.timedelta(number - 1)


def date(number: int) -> datetime.date:
    return day(number).date()


def warnings(waiting: CurrentTurn) -> list[str]:
    return [str(each.words) % {"day": f"{each.day:%d %B}"} for each in waiting.otherwise]


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY) as traveller:
        yield traveller


@pytest.fixture
def sent(
    clock: time_machine.Traveller, draft: RegistrationRequest, registrant: User
) -> RegistrationRequest:
    """A request sent on Monday, the first of June, that nobody has taken."""
    workflow.perform(draft, "submit", actor=registrant)
    return draft


def test_untaken_request_waits_for_the_lead(
    sent: RegistrationRequest,
) -> None:
    waiting = find_current_turn(sent)

    assert waiting.turn == Turn.LEAD
    assert waiting.since == sent.state_since
    assert waiting.promised_by == date(29)
    assert warnings(waiting) == ["If nobody acts before 08 June, we send a reminder."]


def test_taken_request_waits_for_its_experts_by_name_until_the_decision(
    sent: RegistrationRequest, expert: User, lead: User, clock: time_machine.Traveller
) -> None:
    clock.move_to(day(2))
    workflow.perform(sent, "assign", actor=expert)
    clock.move_to(day(3))
    workflow.perform(sent, "assign", actor=lead)

    waiting = find_current_turn(sent)

    assert (waiting.turn, waiting.people) == (Turn.EXPERTS, ("Ede Expert", "Lova Lead"))
    assert waiting.since.date() == date(2)
    assert waiting.promised_by == date(29)
    assert " 10 June, " in warnings(waiting)[0]


def test_request_waits_for_the_lead_once_experts_step_back(
    sent: RegistrationRequest, expert: User, lead: User, clock: time_machine.Traveller
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    clock.move_to(day(10))
    workflow.perform(sent, "recuse", actor=expert, comment="I know the author.")
    clock.move_to(day(11))
    workflow.perform(sent, "recuse", actor=lead, comment="I know the author too.")

    waiting = find_current_turn(sent)

    assert (waiting.turn, waiting.since.date()) == (Turn.LEAD, date(10))
    assert waiting.promised_by == date(29)


def test_handing_over_does_not_set_the_clock_back(
    sent: RegistrationRequest, expert: User, lead: User, clock: time_machine.Traveller
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    clock.move_to(day(10))
    workflow.perform(sent, "assign", actor=lead, comment="Away.", leaver=expert, expert=lead)

    waiting = find_current_turn(sent)

    assert (waiting.people, waiting.since.date()) == (("Lova Lead",), date(1))
    assert " 17 June, " in warnings(waiting)[0]


def test_days_of_a_missed_promise_are_counted(
    sent: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    workflow.perform(sent, "assign", actor=expert)

    on_the_day = find_current_turn(sent, day(29, 23))
    the_day_after = find_current_turn(sent, day(30))
    late = find_current_turn(sent, day(31))

    assert (on_the_day.is_late, on_the_day.late) == (False, "")
    assert (the_day_after.is_late, the_day_after.late) == (True, "1 day late")
    assert (late.is_late, late.late) == (True, "2 days late")


def test_extended_date_is_the_promise(
    sent: RegistrationRequest, expert: User, lead: User, clock: time_machine.Traveller
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "extend", actor=lead, comment="The holidays.", due_on=date(45))

    waiting = find_current_turn(sent, day(40))

    assert (waiting.promised_by, waiting.is_late) == (date(45), False)


def test_publishing_has_a_clock_of_its_own_and_an_alarm(
    sent: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    clock.move_to(day(20))
    workflow.perform(sent, "approve", actor=expert, comment="Sound.")

    early, alarmed = find_current_turn(sent, day(26)), find_current_turn(sent, day(28, 11))

    assert (early.turn, early.since.date(), early.promised_by) == (
        Turn.REGISTRAR,
        date(20),
        date(27),
    )
    assert (early.alarm, "8 days ago" in alarmed.alarm) == ("", True)
    assert alarmed.late == "1 day late"


def test_report_waits_for_the_standards_body(
    sent: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    sent.standards_action = True
    sent.save()
    workflow.perform(sent, "assign", actor=expert)
    clock.move_to(day(2))
    workflow.perform(sent, "report", actor=expert, comment="Sound.")

    waiting = find_current_turn(sent)

    assert (waiting.turn, waiting.promised_by) == (Turn.STANDARDS_BODY, date(30))
    [warning] = warnings(waiting)
    assert " 09 June, " in warning


def test_registrants_turn_says_when_it_lapses_and_promises_nothing(
    sent: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    workflow.perform(sent, "assign", actor=expert)
    clock.move_to(day(5))
    workflow.perform(sent, "request_changes", actor=expert, comment="Say who may join.")

    waiting = find_current_turn(sent)

    assert (waiting.turn, waiting.promised_by, waiting.is_late) == (Turn.REGISTRANT, None, False)
    assert warnings(waiting) == [
        "If nobody acts before 12 June, we send a reminder.",
        "If nobody edits it before 02 December, the request expires; it can be reopened then.",
    ]


def test_any_act_of_the_registrants_side_puts_off_the_lapse(
    sent: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    delegate = UserFactory.create()
    let_speak_for(sent.organization, delegate)
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "request_changes", actor=expert, comment="Say who may join.")
    idle_since = []
    for number, author in ((10, expert), (12, delegate)):
        clock.move_to(day(number))
        add_comment(sent, author=author, text="We look at it.", key=uuid.uuid4())
        idle_since.append(read_request_clock(sent).idle_since.date())

    assert idle_since == [date(1), date(12)]


def test_author_alone_is_named_of_a_body_on_the_fast_track(
    clock: time_machine.Traveller, registrant: User, organization: Organization, expert: User
) -> None:
    let_speak_for(organization, registrant, UserFactory.create())
    asked = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "assign", actor=expert)

    waiting = find_current_turn(asked)

    assert (waiting.turn, waiting.people) == (Turn.BODY, (registrant.name,))


def test_ended_request_waits_for_nobody(sent: RegistrationRequest, registrant: User) -> None:
    workflow.perform(sent, "withdraw", actor=registrant)

    waiting = find_current_turn(sent)

    assert (waiting.is_over, waiting.otherwise) == (True, ())


@pytest.mark.whole
def test_many_are_read_with_as_few_queries_as_one(
    registrant: User, expert: User, organization: Organization
) -> None:
    def taken() -> RegistrationRequest:
        made = start(registrant, organization, FORMAL, RequestPath.COMMUNITY)
        workflow.perform(made, "submit", actor=registrant)
        workflow.perform(made, "assign", actor=expert)
        return made

    def left() -> RegistrationRequest:
        made = taken()
        workflow.perform(made, "recuse", actor=expert, comment="I know the author.")
        return made

    let_ask_often(registrant)
    one = [taken(), left(), RequestFactory.create()]
    others = [
        *(taken() for _ in range(3)),
        *(left() for _ in range(3)),
        *RequestFactory.create_batch(3),
    ]
    with CaptureQueriesContext(connection) as few:
        find_current_turns(one)

    with CaptureQueriesContext(connection) as many:
        found = find_current_turns(others)

    assert {each.pk for each in others} == found.keys()
    assert len(many) == len(few) == 14

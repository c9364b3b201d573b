"""Requests in review that no expert can decide: queried for all at once, and for each alone."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry import workflow
from registry.enums import RequestPath, Role, State, Turn
from registry.models import Assignment, RegistrationRequest, User
from registry.selectors.request_clock import (
    list_changed_judges,
    list_doubtful_reviews,
    list_requests_of_turn,
    list_unjudged_reviews,
    read_request_clocks,
)
from tests.factories import (
    OrganizationFactory,
    UserFactory,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.template.samples import INFORMAL

pytestmark = pytest.mark.django_db

Change = Callable[[User, RegistrationRequest], object]


def stay(expert: User, asked: RegistrationRequest) -> None:
    pass


def leave_the_team(expert: User, asked: RegistrationRequest) -> None:
    expert.groups.clear()


def lose_the_factor(expert: User, asked: RegistrationRequest) -> None:
    expert.authenticator_set.all().delete()


def be_switched_off(expert: User, asked: RegistrationRequest) -> None:
    User.objects.filter(pk=expert.pk).update(is_active=False)


def go_away(expert: User, asked: RegistrationRequest, days: int = 0) -> None:
    today = timezone.localdate()
    expert.absences.create(first_day=today, last_day=today + datetime.timedelta(days))


def go_away_for_long(expert: User, asked: RegistrationRequest) -> None:
    go_away(expert, asked, 60)


def become_delegate(expert: User, asked: RegistrationRequest) -> None:
    let_speak_for(asked.organization, expert)


def become_co_editor(expert: User, asked: RegistrationRequest) -> None:
    asked.co_editors.add(expert)


def declare_a_conflict(expert: User, asked: RegistrationRequest) -> None:
    expert.conflicts.create(organization=asked.organization, declared_at=timezone.now())


def step_back(expert: User, asked: RegistrationRequest) -> None:
    workflow.perform(asked, "recuse", actor=expert, comment="I know the author.")


CHANGES: tuple[tuple[Change, bool], ...] = (
    (stay, False),
    (leave_the_team, True),
    (lose_the_factor, True),
    (be_switched_off, True),
    (go_away, False),
    (go_away_for_long, True),
    (become_delegate, True),
    (become_co_editor, True),
    (declare_a_conflict, True),
    (step_back, True),
)


@pytest.fixture
def reviewed(registrant: User) -> list[RegistrationRequest]:
    """A request in review for each change, which then happens to its expert."""
    let_ask_often(registrant)
    made = []
    for change, _is_unjudged in CHANGES:
        expert = UserFactory.create(roles=[Role.EXPERT])
        body = OrganizationFactory.create()
        asked = start(registrant, body, INFORMAL, RequestPath.INFORMAL)
        workflow.perform(asked, "submit", actor=registrant)
        workflow.perform(asked, "assign", actor=expert)
        change(expert, asked)
        made.append(asked)
    return made


@pytest.mark.whole
def test_those_that_nobody_on_them_can_decide_are_found(
    reviewed: list[RegistrationRequest],
) -> None:
    every = RegistrationRequest.objects.filter(state=State.IN_REVIEW)

    found = list_unjudged_reviews(every)

    names = [change.__name__ for change, _is_unjudged in CHANGES]
    told = {name: asked.pk in found for name, asked in zip(names, reviewed, strict=True)}
    assert told == {change.__name__: is_unjudged for change, is_unjudged in CHANGES}
    judged = set(list_requests_of_turn(every, Turn.EXPERTS))
    assert set(found) == {each.pk for each in reviewed} - judged


@pytest.mark.whole
def test_clock_looks_at_all_of_which_an_expert_may_judge_no_longer_or_again(
    reviewed: list[RegistrationRequest],
) -> None:
    Assignment.objects.filter(registration_request=reviewed[0]).update(unable_since=timezone.now())
    every = RegistrationRequest.objects.filter(state=State.IN_REVIEW)

    changed = {
        clock.registration_request
        for clock in read_request_clocks(list(every))
        if list_changed_judges(clock)
    }

    doubtful = set(list_doubtful_reviews())
    assert changed <= doubtful < set(every)
    assert {reviewed[0], reviewed[1]} <= changed


def test_two_queries_say_that_all_can_be_decided(in_review: RegistrationRequest) -> None:
    with CaptureQueriesContext(connection) as asked:
        found = list_unjudged_reviews(RegistrationRequest.objects.all())

    assert (found, len(asked)) == ([], 2)

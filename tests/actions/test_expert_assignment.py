"""The rota: who is assigned to a request next."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import permissions, workflow
from registry.actions import expert_assignment
from registry.enums import (
    RequestPath,
    Role,
    State,
)
from registry.models import (
    ConflictOfInterest,
    RegistrationRequest,
    User,
)
from registry.selectors.experts import find_next_expert, list_candidates
from tests.factories import OrganizationFactory, RequestFactory, UserFactory, start
from tests.template.samples import FORMAL
from tests.web.experts import give_stake

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(db: None) -> User:
    return UserFactory.create(
        name="Sefa Second", email="second@people.example", roles=[Role.EXPERT]
    )


def send_another(author: User) -> RegistrationRequest:
    """Put one more request into review."""
    sent = start(author, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
    workflow.perform(sent, "submit", actor=author)
    return sent


def test_fewest_open_requests_come_first(
    in_review: RegistrationRequest, registrant: User, expert: User, second: User
) -> None:
    turn = find_next_expert(send_another(registrant))

    assert in_review.assignments.get().expert == expert
    assert turn == second


def test_rota_takes_of_equals_who_was_assigned_the_longest_ago(
    in_review: RegistrationRequest, registrant: User, expert: User, second: User
) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(days=1), tick=False):
        workflow.perform(send_another(registrant), "assign", actor=second)
        turn = find_next_expert(send_another(registrant))

    assert turn == expert


def test_rota_takes_of_equals_in_all_always_the_same(
    sent: RegistrationRequest, expert: User, second: User
) -> None:
    assert {find_next_expert(sent) for _ in range(3)} == {expert}


def test_decided_requests_weigh_nothing(
    approved: RegistrationRequest, registrant: User, expert: User
) -> None:
    other = send_another(registrant)

    loads = {each.pk: vars(each)["open_assignments"] for each in list_candidates(other)}

    assert loads == {expert.pk: 0}


@pytest.mark.parametrize(("until", "passed_over"), [(0, True), (-1, False)])
def test_days_away_are_passed_over_until_their_last(
    until: int, passed_over: bool, sent: RegistrationRequest, expert: User
) -> None:
    today = timezone.localdate()
    first, last = today - datetime.timedelta(3), today + datetime.timedelta(until)
    expert.absences.create(first_day=first, last_day=last)

    assert (find_next_expert(sent) is None) is passed_over


def test_coming_absence_does_not_matter_today(sent: RegistrationRequest, expert: User) -> None:
    tomorrow = timezone.localdate() + datetime.timedelta(1)
    expert.absences.create(first_day=tomorrow, last_day=tomorrow)

    assert find_next_expert(sent) == expert


def test_lead_and_those_who_left_are_not_in_the_rota(
    sent: RegistrationRequest, lead: User, expert: User
) -> None:
    before = find_next_expert(sent)
    expert.is_active = False
    expert.save()

    assert before == expert
    assert find_next_expert(sent) is None


@pytest.mark.parametrize("tie", ["author", "delegate", "co_editor", "organization", "conflict"])
def test_nobody_with_a_stake_comes_by_the_rota(
    tie: str, sent: RegistrationRequest, expert: User, second: User
) -> None:
    tie_to(tie, sent, expert)

    assert find_next_expert(sent) == second


@pytest.mark.parametrize(
    "tie",
    ["author", "delegate", "co_editor", "organization", "conflict", "on_it", "stepped_back", ""],
)
def test_barrier_agrees_with_the_rule(tie: str, sent: RegistrationRequest, expert: User) -> None:
    tie_to(tie, sent, expert)

    found = list_candidates(sent).get(pk=expert.pk)

    assert vars(found)["barrier"] == tie
    assert permissions.may_join(User.objects.get(pk=expert.pk), sent) is not bool(tie)


def tie_to(tie: str, registration_request: RegistrationRequest, person: User) -> None:
    """Tie `person` to the request so that they cannot be assigned."""
    organization = registration_request.organization
    if tie == "conflict":
        ConflictOfInterest.objects.create(
            expert=person, organization=organization, declared_at=timezone.now()
        )
    elif tie in {"on_it", "stepped_back"}:
        workflow.perform(registration_request, "assign", actor=person)
        if tie == "stepped_back":
            workflow.perform(registration_request, "recuse", actor=person)
    else:
        give_stake(tie, registration_request, person)


def test_clock_puts_the_next_expert_on_it_who_has_declared_nothing_yet(
    sent: RegistrationRequest, expert: User
) -> None:
    event = expert_assignment.assign_next_expert(sent)

    assert event is not None
    assert (event.verb, event.actor, event.actor_name) == ("assign", None, "The registry")
    assert event.data["expert"] == str(expert)
    assert sent.assignments.get().declared_at is None
    assert permissions.is_assigned_expert(expert, sent)


def test_rota_does_nothing_without_anybody_free(sent: RegistrationRequest) -> None:
    assert expert_assignment.assign_next_expert(sent) is None
    assert not sent.assignments.exists()
    assert sent.events.latest("number").verb == "submit"


def test_rota_on_a_stale_page_is_refused(
    sent: RegistrationRequest, expert: User, lead: User
) -> None:
    with pytest.raises(workflow.ConcurrentChange):
        expert_assignment.assign_next_expert(sent, actor=lead, seen=sent.revision - 1)

    assert not sent.assignments.exists()


def test_candidates_come_in_one_query(
    sent: RegistrationRequest, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    UserFactory.create_batch(5, roles=[Role.EXPERT])
    RequestFactory.create(state=State.IN_REVIEW)
    loaded = RegistrationRequest.objects.select_related("organization").get(pk=sent.pk)

    with django_assert_num_queries(1):
        assert len(list_candidates(loaded)) == 5

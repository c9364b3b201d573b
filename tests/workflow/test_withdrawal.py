"""Who ends a request: the author at once, a delegate after days in which others can stop them."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from registry import scheduler, workflow
from registry.enums import State
from registry.models import Letter, Organization, RegistrationRequest, User
from tests.factories import (
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def delegate(organization: Organization) -> User:
    person = UserFactory.create(name="Dagny Delegate", email="delegate@people.example")
    let_speak_for(organization, person)
    return person


def test_delegate_does_not_end_the_request_of_another_at_once(
    in_review: RegistrationRequest, delegate: User, registrant: User
) -> None:
    with expect_refusal("role"):
        workflow.perform(in_review, "withdraw", actor=delegate)

    event = workflow.perform(in_review, "announce_withdrawal", actor=delegate, comment="A merger.")

    assert in_review.state == State.IN_REVIEW
    assert Letter.objects.filter(event=event, address=registrant.email).exists()
    with time_machine.travel(timezone.now() + datetime.timedelta(6)):
        scheduler.tick()
    in_review.refresh_from_db()
    assert in_review.state == State.IN_REVIEW
    with time_machine.travel(timezone.now() + datetime.timedelta(7, 60)):
        scheduler.tick()
    in_review.refresh_from_db()
    assert in_review.state == State.WITHDRAWN
    assert in_review.events.latest("number").actor is None


def test_any_other_of_the_registrants_side_stops_it(
    in_review: RegistrationRequest, delegate: User, registrant: User
) -> None:
    workflow.perform(in_review, "announce_withdrawal", actor=delegate)
    offered = workflow.available_transitions(in_review, registrant)
    assert "stop_withdrawal" in {each.verb for each in offered}
    workflow.perform(in_review, "stop_withdrawal", actor=registrant, comment="We go on.")

    with time_machine.travel(timezone.now() + datetime.timedelta(8)):
        scheduler.tick()

    in_review.refresh_from_db()
    assert in_review.state == State.IN_REVIEW
    with expect_refusal("announced"):
        workflow.perform(in_review, "stop_withdrawal", actor=registrant)


def test_registrant_does_not_drop_the_standards_flag_after_the_report(
    in_review: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> None:
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "assign", actor=UserFactory.create(roles=["lead expert"]))
    workflow.perform(in_review, "report", actor=expert, comment="Sound.")
    with expect_refusal("may_drop_standards_flag"):
        workflow.perform(in_review, "reroute", actor=registrant, standards_action=False)

    workflow.perform(in_review, "send_back", actor=standards_body, comment="No standard of ours.")
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=False)

    assert not in_review.standards_action


def test_refused_request_can_be_taken_up_again(
    in_review: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> None:
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "report", actor=expert, comment="Not sound.")
    workflow.perform(in_review, "refuse", actor=standards_body, comment="Not in this format.")

    event = workflow.perform(in_review, "reopen", actor=registrant)

    heir = RegistrationRequest.objects.get(reference=event.data["as"])
    assert (heir.state, heir.reopens) == (State.DRAFT, in_review)

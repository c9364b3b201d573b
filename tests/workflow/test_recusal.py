"""An expert leaves a request, and their decision in the matter falls with them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from registry import workflow
from registry.actions import conflicts_of_interest
from registry.enums import Role, State, Turn
from registry.models import RegistrationRequest, User
from registry.selectors import find_current_turn
from registry.selectors.case import open_case
from registry.selectors.publication import list_other_obstacles
from tests.factories import UserFactory
from tests.refusals import expect_refusal
from tests.web.experts import SignIn, give_stake

pytestmark = pytest.mark.django_db


@pytest.fixture
def reported(
    sent: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> RegistrationRequest:
    """A request on which an expert reported to the standards body."""
    workflow.perform(sent, "reroute", actor=registrant, standards_action=True)
    workflow.perform(sent, "assign", actor=expert)
    workflow.perform(sent, "report", actor=expert, comment="Sound.")
    return sent


@pytest.mark.parametrize("by", ["expert", "lead", "conflict"])
def test_approval_falls_with_the_expert_who_leaves(
    by: str, approved: RegistrationRequest, expert: User, lead: User
) -> None:
    if by == "expert":
        workflow.perform(approved, "recuse", actor=expert, comment="I wrote it.")
    elif by == "lead":
        workflow.perform(approved, "recuse", actor=lead, leaver=expert, comment="He wrote it.")
    else:
        conflicts_of_interest.declare_conflict(expert, approved.organization)
        approved.refresh_from_db()

    assert approved.state == State.IN_REVIEW
    assert not approved.assignments.active().exists()


def test_recusal_of_another_expert_leaves_an_approval_alone(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    second = UserFactory.create(roles=[Role.EXPERT])
    workflow.perform(in_review, "assign", actor=second)
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    workflow.perform(in_review, "recuse", actor=second, comment="I wrote it.")

    assert in_review.state == State.APPROVED


@pytest.mark.parametrize("verb", ["assign", "recuse"])
def test_report_falls_with_the_expert_who_leaves(
    verb: str, reported: RegistrationRequest, expert: User, lead: User
) -> None:
    workflow.perform(reported, verb, actor=lead, comment="He wrote it.", leaver=expert)

    assert reported.state == State.IN_REVIEW


def test_direction_falls_with_the_report_that_it_stands_on(
    reported: RegistrationRequest, expert: User, standards_body: User
) -> None:
    workflow.perform(reported, "direct", actor=standards_body, comment="Minutes of May.")
    directed = reported.state

    workflow.perform(reported, "recuse", actor=expert, comment="I wrote it.")

    assert (directed, reported.state) == (State.APPROVED, State.IN_REVIEW)


def test_lead_alone_takes_another_expert_off(
    in_review: RegistrationRequest, expert: User, registrar: User
) -> None:
    second = UserFactory.create(roles=[Role.EXPERT])
    with expect_refusal("expert_can_leave"):
        workflow.perform(in_review, "recuse", actor=second, leaver=expert, comment="Away.")
    with expect_refusal("role"):
        workflow.perform(in_review, "recuse", actor=registrar, leaver=expert, comment="Away.")


# Somebody who decided becomes a party


@pytest.mark.parametrize("tie", ["delegate", "organization"])
def test_decision_of_somebody_who_has_become_a_party_does_not_count(
    tie: str, approved: RegistrationRequest, expert: User, lead: User, registrar: User
) -> None:
    before = find_current_turn(approved).turn
    give_stake(tie, approved, expert)
    approved.refresh_from_db()
    (obstacle,) = list_other_obstacles(open_case(approved))
    waits = find_current_turn(approved)
    with expect_refusal("may_be_published"):
        workflow.perform(approved, "register", actor=registrar)
    workflow.perform(approved, "recuse", actor=lead, leaver=expert, comment="He joined them.")
    again = find_current_turn(approved)
    workflow.perform(approved, "assign", actor=lead)
    workflow.perform(approved, "approve", actor=lead, comment="Sound.")

    assert before == Turn.REGISTRAR
    assert "Ede Expert" in obstacle
    assert (waits.turn, waits.people, str(waits.then)) == (Turn.LEAD, ("Lova Lead",), obstacle)
    assert again.turn == Turn.LEAD
    assert find_current_turn(approved).turn == Turn.REGISTRAR
    assert not list_other_obstacles(open_case(approved))


def test_report_of_somebody_who_has_become_a_party_is_not_directed(
    reported: RegistrationRequest, expert: User, lead: User, standards_body: User
) -> None:
    give_stake("organization", reported, expert)

    with expect_refusal("may_be_published"):
        workflow.perform(reported, "direct", actor=standards_body, comment="Minutes of May.")

    assert find_current_turn(reported).turn == Turn.LEAD


@pytest.mark.pages
def test_page_of_the_request_says_that_a_decision_does_not_count(
    approved: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    give_stake("organization", approved, expert)
    browser = sign_in(lead)

    page = browser.get(approved.get_absolute_url()).content.decode()
    leave = browser.get(reverse("review:recuse", args=[approved.slug]))

    assert "does not count any more" in page
    assert leave.status_code == 200

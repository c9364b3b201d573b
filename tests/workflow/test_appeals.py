"""Appeals: against what, by whom, on which ground, what they hold up, and where they lead."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.utils import timezone

from registry import permissions, selectors, workflow
from registry.enums import ChangeKind, Role, State, Turn
from registry.models import Event, Letter, Organization, RegistrationRequest, User
from registry.selectors.appeals import list_requests_under_appeal
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent
from registry.selectors.request_clock import read_request_clock
from registry.workflow import drafts
from tests.days import days_later
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import begin, send

pytestmark = pytest.mark.django_db

WHY = "It names what we name."


def list_verbs_offered(registration_request: RegistrationRequest, person: User) -> set[str]:
    registration_request.refresh_from_db()
    offered = workflow.available_transitions(registration_request, person)
    return {each.verb for each in offered}


@pytest.fixture
def declined(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    workflow.perform(in_review, "decline", actor=expert, comment="Too broad.")
    return in_review


@pytest.fixture
def registered(approved: RegistrationRequest, registrar: User) -> RegistrationRequest:
    workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])
    return approved


def appeal(
    registration_request: RegistrationRequest,
    somebody: User,
    ground: str = "judgement",
    **data: Any,
) -> Event:
    return workflow.perform(
        registration_request, "appeal", actor=somebody, comment=WHY, ground=ground, **data
    )


def decide(registration_request: RegistrationRequest, member: User, outcome: str) -> Event:
    return workflow.perform(
        registration_request, "decide_appeal", actor=member, comment="Item 4.", outcome=outcome
    )


def write_on(registration_request: RegistrationRequest) -> None:
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "It names one accession each."}, seen=draft.edition)
    registration_request.refresh_from_db()


# What can be appealed


@pytest.mark.parametrize(
    ("fixture", "state"),
    [
        ("declined", State.APPEALED),
        ("approved", State.APPROVED),
        ("registered", State.REGISTERED),
    ],
)
def test_appeal_changes_the_state_of_a_decline_alone(
    fixture: str,
    state: State,
    outsider: User,
    standards_body: User,
    request: pytest.FixtureRequest,
) -> None:
    registration_request = request.getfixturevalue(fixture)

    event = appeal(registration_request, outsider)

    assert registration_request.state == state
    assert list(list_requests_under_appeal()) == [registration_request]
    assert Letter.objects.filter(event=event, address=standards_body.email).exists()


@pytest.mark.parametrize("fixture", ["declined", "approved", "registered"])
def test_appeal_is_heard_for_two_months(
    fixture: str, outsider: User, request: pytest.FixtureRequest
) -> None:
    registration_request = request.getfixturevalue(fixture)
    assert "appeal" in list_verbs_offered(registration_request, outsider)

    with days_later(61):
        assert "appeal" not in list_verbs_offered(registration_request, outsider)
        with expect_refusal("still_appealable"):
            appeal(registration_request, outsider)


def test_appeals_are_heard_one_at_a_time(approved: RegistrationRequest, outsider: User) -> None:
    other = UserFactory.create()
    appeal(approved, outsider)

    with expect_refusal("still_appealable"):
        appeal(approved, other, "rights")


def test_appeal_uses_up_its_ground_and_nobodys_right(
    approved: RegistrationRequest, outsider: User, standards_body: User
) -> None:
    rival = UserFactory.create()
    appeal(approved, outsider, "judgement")
    decide(approved, standards_body, "stands")

    with expect_refusal("ground_not_heard"):
        appeal(approved, rival, "judgement")
    appeal(approved, rival, "rights")

    assert list_requests_under_appeal().get() == approved


def test_appeal_heard_before_the_registration_is_not_heard_again_after_it(
    approved: RegistrationRequest, outsider: User, standards_body: User, registrar: User
) -> None:
    appeal(approved, outsider, "judgement")
    decide(approved, standards_body, "stands")
    workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])

    with expect_refusal("ground_not_heard"):
        appeal(approved, outsider, "judgement")
    appeal(approved, outsider, "rule")


def test_new_decision_can_be_appealed_on_every_ground(
    declined: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> None:
    appeal(declined, registrant)
    decide(declined, standards_body, "goes_back")
    workflow.perform(declined, "decline", actor=expert, comment="Still too wide.")

    appeal(declined, registrant)

    assert declined.state == State.APPEALED


@pytest.mark.parametrize("ground", ["judgement", "rights", "process"])
def test_change_of_facts_was_decided_by_no_expert(
    ground: str, registrant: User, organization: Organization, outsider: User
) -> None:
    let_speak_for(organization, registrant)
    held = NamespaceFactory.create(nid="seedbank", registrant=organization)
    sent = send(held, ChangeKind.CONTACT, registrant)

    with expect_refusal("ground_not_heard"):
        appeal(sent, outsider, ground)
    appeal(sent, outsider, "rule")

    assert sent.state == State.APPROVED


def test_ruling_can_be_appealed_and_then_no_longer_counts(
    registrant: User, organization: Organization, outsider: User, standards_body: User
) -> None:
    other = UserFactory.create()
    let_speak_for(organization, registrant, other)
    held = NamespaceFactory.create(nid="seedbank", registrant=organization)
    sent = send(held, ChangeKind.CONTACT, registrant)
    workflow.perform(sent, "object", actor=other, comment="It is wrong.")
    ruling = workflow.perform(
        sent, "direct", actor=standards_body, comment="Item 3.", ruling="objection"
    )
    assert find_missing_consent(open_case(sent)) is None

    event = appeal(sent, outsider, "judgement", decision=ruling.number)
    decide(sent, UserFactory.create(roles=[Role.STANDARDS_BODY]), "goes_back")

    assert (event.data["decision"], sent.state) == (ruling.number, State.APPROVED)
    assert find_missing_consent(open_case(sent)) is not None


def test_standards_body_does_not_appeal_to_itself(
    declined: RegistrationRequest, standards_body: User
) -> None:
    with expect_refusal("role"):
        appeal(declined, standards_body)

    assert declined.state == State.DECLINED


# What goes on meanwhile


def test_registrant_goes_on_writing_while_the_appeal_of_a_stranger_is_heard(
    declined: RegistrationRequest, registrant: User, outsider: User
) -> None:
    appeal(declined, outsider)
    assert permissions.may_edit(registrant, declined)
    write_on(declined)

    event = workflow.perform(declined, "submit", actor=registrant)

    assert (event.source, event.target) == ("appealed", "in_review")
    assert Letter.objects.filter(event=event, address=outsider.email).exists()
    assert not list_requests_under_appeal().exists()


def test_appellant_waits_for_the_answer_before_sending(
    declined: RegistrationRequest, registrant: User
) -> None:
    appeal(declined, registrant)
    write_on(declined)

    with expect_refusal("appeal_of_others_only"):
        workflow.perform(declined, "submit", actor=registrant)


def test_appeal_of_an_approval_stays_the_registration_for_seven_days(
    approved: RegistrationRequest, outsider: User, registrar: User, standards_body: User
) -> None:
    appeal(approved, outsider)
    waiting = selectors.find_current_turn(approved)

    assert list_obstacle_labels(approved) == ["The approval is under appeal"]
    assert (waiting.turn, waiting.people) == (Turn.STANDARDS_BODY, (standards_body.name,))
    with expect_refusal("may_be_published"):
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])
    with days_later(8):
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])
    assert list_requests_under_appeal().get() == approved


def test_extend_sets_the_day_until_which_nothing_is_registered(
    approved: RegistrationRequest,
    outsider: User,
    standards_body: User,
    lead: User,
    registrar: User,
) -> None:
    day = timezone.localdate() + datetime.timedelta(20)
    assert "extend" not in list_verbs_offered(approved, standards_body)
    appeal(approved, outsider)
    assert "extend" not in list_verbs_offered(approved, lead)

    workflow.perform(approved, "extend", actor=standards_body, comment="We ask.", due_on=day)

    with days_later(19):
        assert list_obstacle_labels(approved) == ["The approval is under appeal"]
        with expect_refusal("later_date"):
            workflow.perform(approved, "extend", actor=standards_body, comment="So.", due_on=day)
    with days_later(21):
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])


def test_appeal_of_an_approval_that_is_taken_back_is_over(
    approved: RegistrationRequest, outsider: User, expert: User
) -> None:
    appeal(approved, outsider)

    workflow.perform(approved, "reconsider", actor=expert, comment="The wrong request.")

    assert not list_requests_under_appeal().exists()


# How it ends


@pytest.mark.parametrize(
    ("fixture", "outcome", "state"),
    [
        ("declined", "stands", State.DECLINED),
        ("declined", "goes_back", State.IN_REVIEW),
        ("declined", "anew", State.APPROVED),
        ("approved", "stands", State.APPROVED),
        ("approved", "goes_back", State.IN_REVIEW),
        ("approved", "anew", State.DECLINED),
        ("registered", "stands", State.REGISTERED),
        ("registered", "correct", State.REGISTERED),
        ("registered", "deprecate", State.REGISTERED),
    ],
)
def test_outcome_leads_where_it_says(
    fixture: str,
    outcome: str,
    state: State,
    outsider: User,
    standards_body: User,
    request: pytest.FixtureRequest,
) -> None:
    registration_request = request.getfixturevalue(fixture)
    appeal(registration_request, outsider)

    event = decide(registration_request, standards_body, outcome)

    assert (registration_request.state, event.data["outcome"]) == (state, outcome)
    assert Letter.objects.filter(event=event, address=outsider.email).exists()
    assert not list_requests_under_appeal().exists()
    if state in {State.DECLINED, State.APPROVED}:
        assert (registration_request.draft is not None) is (state == State.DECLINED)


@pytest.mark.parametrize(
    ("fixture", "outcome"),
    [("declined", "correct"), ("approved", "deprecate"), ("registered", "anew")],
)
def test_outcome_that_an_appeal_cannot_have_is_refused(
    fixture: str,
    outcome: str,
    outsider: User,
    standards_body: User,
    request: pytest.FixtureRequest,
) -> None:
    registration_request = request.getfixturevalue(fixture)
    appeal(registration_request, outsider)

    with expect_refusal("outcome_possible"):
        decide(registration_request, standards_body, outcome)


def test_remanded_approval_is_decided_anew_by_the_same_expert(
    approved: RegistrationRequest, expert: User, outsider: User, standards_body: User
) -> None:
    appeal(approved, outsider)
    decide(approved, standards_body, "goes_back")
    assert selectors.find_current_turn(approved).turn == Turn.EXPERTS

    workflow.perform(approved, "approve", actor=expert, comment="Still sound.")

    assert approved.state == State.APPROVED


@pytest.fixture
def refused(
    in_review: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> RegistrationRequest:
    """A request that the standards body refused after a report."""
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "report", actor=expert, comment="Fit.")
    workflow.perform(in_review, "decline", actor=standards_body, comment="Not wanted.")
    return in_review


def test_member_who_refused_leaves_the_appeal_to_another(
    refused: RegistrationRequest, registrant: User, standards_body: User, registrar: User
) -> None:
    other = UserFactory.create(name="Sten Standards", roles=[Role.STANDARDS_BODY])
    appeal(refused, registrant)

    assert read_request_clock(refused).actors.people == (other,)
    with expect_refusal("decided_by_another"):
        decide(refused, standards_body, "stands")
    decide(refused, other, "anew")
    workflow.perform(refused, "register", actor=registrar, references=["RFC 8141"])

    assert refused.state == State.REGISTERED


def test_only_member_decides_on_the_appeal_of_their_own_decision(
    refused: RegistrationRequest, registrant: User, standards_body: User
) -> None:
    appeal(refused, registrant)

    decide(refused, standards_body, "goes_back")

    assert refused.state == State.REPORTED


def test_decline_of_what_is_to_become_a_standard_is_not_replaced_by_an_approval(
    in_review: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> None:
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "decline", actor=expert, comment="Too broad.")
    appeal(in_review, registrant)

    with expect_refusal("outcome_possible"):
        decide(in_review, standards_body, "anew")


def test_approval_that_the_body_asked_for_goes_back_to_the_body(
    draft: RegistrationRequest,
    registrant: User,
    organization: Organization,
    outsider: User,
    standards_body: User,
) -> None:
    organization.recognised_on, organization.recognition_source = timezone.localdate(), "Minutes"
    let_speak_for(organization, registrant)
    organization.save()
    workflow.perform(draft, "reroute", actor=registrant, path="fast_track")
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "complete", actor=registrant, comment="All advice was taken.")
    with expect_refusal("ground_not_heard"):
        appeal(draft, outsider)

    appeal(draft, outsider, "recognition")
    decide(draft, standards_body, "goes_back")

    assert draft.state == State.ADVISORY
    assert draft.draft is not None


@pytest.mark.parametrize(
    ("outcome", "change"),
    [("correct", ChangeKind.CONTACT), ("deprecate", ChangeKind.STATUS)],
)
def test_direction_after_a_registration_stands_in_for_the_holders_consent_once(
    outcome: str,
    change: ChangeKind,
    registered: RegistrationRequest,
    outsider: User,
    standards_body: User,
    organization: Organization,
) -> None:
    namespace = registered.namespace
    assert namespace is not None
    appeal(registered, outsider)
    let_speak_for(organization, UserFactory.create())
    changed = begin(namespace, change, outsider, organization)
    workflow.perform(changed, "submit", actor=outsider)
    transfer = begin(namespace, ChangeKind.TRANSFER, outsider, OrganizationFactory.create())
    workflow.perform(transfer, "submit", actor=outsider)
    assert find_missing_consent(open_case(changed)) is not None

    decide(registered, standards_body, outcome)

    assert find_missing_consent(open_case(changed)) is None
    assert find_missing_consent(open_case(transfer)) is not None, "it never says who owns a name"
    with days_later(1):
        RegistrationRequest.objects.filter(pk=changed.pk).update(
            state=State.REGISTERED, state_since=timezone.now()
        )
    again = begin(namespace, change, outsider, organization)
    workflow.perform(again, "submit", actor=outsider)
    assert find_missing_consent(open_case(again)) is not None

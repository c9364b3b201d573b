"""Appeals: against what, by whom, what continues meanwhile, and where the request goes then."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import permissions, scheduler, selectors, workflow
from registry.enums import ChangeKind, Role, State, Turn
from registry.models import Event, Letter, Organization, RegistrationRequest, User
from registry.workflow import ActionRefused, drafts
from tests.factories import (
    NamespaceFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.small_changes import bring_holder_word, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

APPEAL_LABELS = {
    "appeal": "Appeal",
    "join_appeal": "Join the appeal",
    "take_up_appeal": "Take up the appeal",
    "uphold": "Uphold the decision",
    "remand": "Remand",
}


def verbs_offered(registration_request: RegistrationRequest, person: User) -> set[str]:
    registration_request.refresh_from_db()
    offered = workflow.available_transitions(registration_request, person)
    return {each.verb for each in offered}


@pytest.fixture
def declined(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    workflow.perform(in_review, "decline", actor=expert, comment="Too broad.")
    return in_review


def appeal(registration_request: RegistrationRequest, somebody: User) -> Event:
    return workflow.perform(
        registration_request, "appeal", actor=somebody, comment="It names what we name."
    )


@pytest.mark.pages
def test_pages_and_programs_call_it_under_appeal_and_the_button_appeal(
    declined: RegistrationRequest, outsider: User, client: Client
) -> None:
    """The words are those of docs/process.md, States of a request."""
    labels = {verb: str(workflow.VERBS[verb].label) for verb in APPEAL_LABELS}
    before = text_of(client.get(declined.get_absolute_url()))

    appeal(declined, outsider)

    page = text_of(client.get(declined.get_absolute_url()))
    told = client.get(f"/api/v1/requests/{declined.slug}/").json()
    assert labels == APPEAL_LABELS
    assert "Under appeal" not in before
    assert "Under appeal" in page
    assert told["state"] == "appealed"


def test_registrant_goes_on_writing_while_the_appeal_of_a_stranger_is_heard(
    declined: RegistrationRequest, registrant: User, outsider: User
) -> None:
    appeal(declined, outsider)

    draft = declined.draft
    assert draft is not None
    assert permissions.may_edit(registrant, declined)
    drafts.save_draft(draft, {"purpose": "It names one accession each."}, seen=draft.edition)
    declined.refresh_from_db()
    event = workflow.perform(declined, "submit", actor=registrant)

    assert (event.source, event.target) == ("appealed", "in_review")
    assert Letter.objects.filter(event=event, address=outsider.email).exists()


def test_appellant_waits_for_the_answer_before_sending(
    declined: RegistrationRequest, registrant: User
) -> None:
    appeal(declined, registrant)
    draft = declined.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "It names one accession each."}, seen=draft.edition)
    declined.refresh_from_db()

    with expect_refusal("appeal_of_others_only"):
        workflow.perform(declined, "submit", actor=registrant)


def test_registrant_can_withdraw_while_an_appeal_is_heard(
    declined: RegistrationRequest, registrant: User, outsider: User
) -> None:
    appeal(declined, outsider)

    workflow.perform(declined, "withdraw", actor=registrant)

    assert declined.state == State.WITHDRAWN


def test_others_join_an_appeal_once_and_hear_of_the_outcome(
    declined: RegistrationRequest, outsider: User, standards_body: User
) -> None:
    third = UserFactory.create(email="third@people.example")
    appeal(declined, outsider)
    workflow.perform(declined, "join_appeal", actor=third, comment="It affects us too.")

    assert "join_appeal" not in verbs_offered(declined, third)
    assert "join_appeal" not in verbs_offered(declined, outsider)
    event = workflow.perform(declined, "remand", actor=standards_body, comment="Look again.")

    told = Letter.objects.filter(event=event).values_list("address", flat=True)
    assert {outsider.email, third.email} <= set(told)


def test_upheld_decision_is_not_offered_for_appeal_again(
    declined: RegistrationRequest, outsider: User, standards_body: User
) -> None:
    assert "appeal" in verbs_offered(declined, outsider)
    appeal(declined, outsider)
    workflow.perform(declined, "uphold", actor=standards_body, comment="It stands.")

    assert "appeal" not in verbs_offered(declined, outsider)
    with expect_refusal("may_still_be_appealed"):
        appeal(declined, outsider)


def test_approval_can_be_appealed_and_waits_seven_days(
    approved: RegistrationRequest, outsider: User, registrar: User
) -> None:
    appeal(approved, outsider)

    assert approved.state == State.APPEALED
    with expect_refusal("state"):
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])

    scheduler.tick(timezone.now() + datetime.timedelta(6))
    approved.refresh_from_db()
    assert approved.state == State.APPEALED

    with time_machine.travel(timezone.now() + datetime.timedelta(7, 60)):
        scheduler.tick()
        approved.refresh_from_db()
        assert approved.state == State.APPROVED
        assert "appeal" not in verbs_offered(approved, outsider)
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])
    assert approved.state == State.REGISTERED


def test_appeal_that_is_taken_up_stays_until_it_is_decided(
    approved: RegistrationRequest, outsider: User, standards_body: User
) -> None:
    appeal(approved, outsider)
    workflow.perform(approved, "take_up_appeal", actor=standards_body, comment="We hear it.")

    with time_machine.travel(timezone.now() + datetime.timedelta(30)):
        scheduler.tick()
        approved.refresh_from_db()
        assert approved.state == State.APPEALED
        assert "take_up_appeal" not in verbs_offered(approved, standards_body)

    workflow.perform(approved, "remand", actor=standards_body, comment="Decide anew.")
    assert approved.state == State.IN_REVIEW


def test_remanded_request_is_decided_anew_by_the_same_expert(
    approved: RegistrationRequest,
    expert: User,
    outsider: User,
    standards_body: User,
    settings: Settings,
) -> None:
    appeal(approved, outsider)
    workflow.perform(approved, "remand", actor=standards_body, comment="Decide anew.")
    assert selectors.find_current_turn(approved).turn == Turn.EXPERTS

    settings.REGISTRY_QUORUM = 2
    other = UserFactory.create(roles=[Role.EXPERT])
    workflow.perform(approved, "assign", actor=other)
    workflow.perform(approved, "approve", actor=other, comment="Sound.")
    assert approved.state == State.IN_REVIEW
    workflow.perform(approved, "approve", actor=expert, comment="Still sound.")

    assert approved.state == State.APPROVED


def test_approval_that_the_body_asked_for_goes_back_to_the_body(
    draft: RegistrationRequest, registrant: User, organization: Organization, outsider: User
) -> None:
    organization.recognised_on, organization.recognition_source = timezone.localdate(), "Minutes"
    let_speak_for(organization, registrant)
    organization.save()
    workflow.perform(draft, "reroute", actor=registrant, path="fast_track")
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "complete", actor=registrant, comment="All advice was taken.")
    judge = UserFactory.create(roles=[Role.STANDARDS_BODY])

    appeal(draft, outsider)
    workflow.perform(draft, "remand", actor=judge, comment="Ask for advice first.")

    assert draft.state == State.ADVISORY
    assert draft.draft is not None


def test_change_of_facts_was_decided_by_nobody_and_is_not_appealed(
    registrant: User, organization: Organization, outsider: User
) -> None:
    let_speak_for(organization, registrant)
    held = NamespaceFactory.create(nid="seedbank", registrant=organization)
    sent = send(held, ChangeKind.CONTACT, registrant)
    bring_holder_word(sent)

    assert "appeal" not in verbs_offered(sent, outsider)
    with pytest.raises(ActionRefused):
        appeal(sent, outsider)

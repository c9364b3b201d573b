"""How a request is withdrawn, who can undo that, and how what has ended is reopened."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registry import workflow
from registry.enums import RequestPath, State
from registry.models import Letter, Organization, RegistrationRequest, User
from registry.workflow import drafts
from tests.days import days_later
from tests.factories import OrganizationFactory, UserFactory, let_speak_for, start
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


@pytest.fixture
def delegate(organization: Organization) -> User:
    person = UserFactory.create(name="Dagny Delegate", email="delegate@people.example")
    let_speak_for(organization, person)
    return person


@pytest.fixture
def known(organization: Organization) -> Organization:
    """The organization of the request, recognised for the fast track."""
    organization.recognised_on, organization.recognition_source = timezone.localdate(), "Minutes"
    organization.save()
    return organization


def test_author_withdraws_at_once_in_the_name_of_an_unknown_body(
    in_review: RegistrationRequest, delegate: User, registrant: User
) -> None:
    workflow.perform(in_review, "withdraw", actor=registrant)

    event = workflow.perform(in_review, "reopen", actor=delegate)

    assert (in_review.state, event.data.keys()) == (State.WITHDRAWN, {"as"})


def test_withdrawal_by_a_delegate_is_undone_and_the_request_is_where_it_was(
    in_review: RegistrationRequest, delegate: User, registrant: User, expert: User
) -> None:
    event = workflow.perform(in_review, "withdraw", actor=delegate, comment="A merger.")
    assert in_review.state == State.WITHDRAWN
    assert Letter.objects.filter(event=event, address=registrant.email).exists()

    with days_later(6):
        workflow.perform(in_review, "reopen", actor=registrant, comment="We go on.")

    assert in_review.state == State.IN_REVIEW
    assert not in_review.reopened_as.exists()
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")


def test_withdrawal_is_not_undone_after_a_week(
    in_review: RegistrationRequest, delegate: User, registrant: User
) -> None:
    workflow.perform(in_review, "withdraw", actor=delegate)

    with days_later(7.1):
        workflow.perform(in_review, "reopen", actor=registrant)

    assert in_review.state == State.WITHDRAWN
    assert in_review.reopened_as.get().state == State.DRAFT


def test_draft_is_there_again_once_a_withdrawal_is_undone(
    in_review: RegistrationRequest, delegate: User, registrant: User, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "It names one accession."}, seen=draft.edition)
    in_review.refresh_from_db()

    workflow.perform(in_review, "withdraw", actor=delegate)
    workflow.perform(in_review, "reopen", actor=registrant)

    assert in_review.state == State.CHANGES_REQUESTED
    assert in_review.draft is not None
    assert in_review.draft.template.purpose == "It names one accession."


def test_delegates_withdraw_what_a_stranger_asks_in_the_name_of_their_body(
    in_review: RegistrationRequest, known: Organization, delegate: User, registrant: User
) -> None:
    workflow.perform(in_review, "withdraw", actor=delegate, comment="She does not act for us.")

    event = workflow.perform(in_review, "reopen", actor=registrant)

    assert (in_review.state, event.data.keys()) == (State.WITHDRAWN, {"as"})


def test_author_shown_to_act_for_a_known_body_can_be_stopped_by_a_colleague(
    in_review: RegistrationRequest, known: Organization, delegate: User, registrant: User
) -> None:
    let_speak_for(known, registrant)
    workflow.perform(in_review, "withdraw", actor=registrant)

    workflow.perform(in_review, "reopen", actor=delegate)

    assert in_review.state == State.IN_REVIEW


def test_rival_is_not_registered_while_a_withdrawal_can_be_undone(
    approved: RegistrationRequest, registrar: User, delegate: User
) -> None:
    body, author = OrganizationFactory.create(), UserFactory.create()
    rival = start(author, body, FORMAL, RequestPath.COMMUNITY)
    workflow.perform(rival, "submit", actor=author)
    colleague = UserFactory.create()
    let_speak_for(body, colleague)
    workflow.perform(rival, "withdraw", actor=colleague)

    assert list_obstacle_labels(approved) == ["A withdrawn rival can still come back"]
    with expect_refusal("may_be_published"):
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])
    with days_later(7.1):
        workflow.perform(approved, "register", actor=registrar, references=["RFC 8141"])


def test_request_is_reopened_once(in_review: RegistrationRequest, registrant: User) -> None:
    workflow.perform(in_review, "withdraw", actor=registrant)
    workflow.perform(in_review, "reopen", actor=registrant)
    heir = in_review.reopened_as.get()
    workflow.perform(heir, "withdraw", actor=registrant)

    with expect_refusal("not_reopened"):
        workflow.perform(in_review, "reopen", actor=registrant)


def test_registrant_does_not_drop_the_standards_flag_after_the_report(
    in_review: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> None:
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "assign", actor=UserFactory.create(roles=["lead expert"]))
    workflow.perform(in_review, "report", actor=expert, comment="Sound.")
    with expect_refusal("may_drop_standards_flag"):
        workflow.perform(in_review, "reroute", actor=registrant, standards_action=False)

    workflow.perform(
        in_review, "request_changes", actor=standards_body, comment="No standard of ours."
    )
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=False)

    assert not in_review.standards_action


def test_refused_request_can_be_taken_up_again(
    in_review: RegistrationRequest, registrant: User, expert: User, standards_body: User
) -> None:
    workflow.perform(in_review, "reroute", actor=registrant, standards_action=True)
    workflow.perform(in_review, "report", actor=expert, comment="Not sound.")
    workflow.perform(in_review, "decline", actor=standards_body, comment="Not in this format.")

    event = workflow.perform(in_review, "reopen", actor=registrant)

    heir = RegistrationRequest.objects.get(reference=event.data["as"])
    assert (heir.state, heir.reopens) == (State.DRAFT, in_review)

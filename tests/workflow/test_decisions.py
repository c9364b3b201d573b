"""Decisions: what they need, whose do not count, and how they are taken back."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from registry import selectors, workflow
from registry.enums import ChangeKind, Role, State, Turn
from registry.models import Letter, Organization, RegistrationRequest, User
from registry.workflow.events import record_event
from tests.factories import NamespaceFactory, UserFactory, let_speak_for
from tests.refusals import expect_refusal
from tests.small_changes import send

pytestmark = pytest.mark.django_db


@pytest.fixture
def reported(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    """A request whose report is before the standards body."""
    in_review.standards_action = True
    in_review.save()
    workflow.perform(in_review, "report", actor=expert, comment="Sound.")
    return in_review


def name_actors(registration_request: RegistrationRequest) -> tuple[Turn, tuple[str, ...]]:
    turn = selectors.find_current_turn(registration_request)
    return turn.turn, turn.people


def test_request_changes_takes_back_what_is_approved_only_for_what_can_be_mended(
    approved: RegistrationRequest, registrar: User
) -> None:
    with expect_refusal("something_to_mend"):
        workflow.perform(approved, "request_changes", actor=registrar, comment="Not my taste.")

    NamespaceFactory.create(nid="seedbank")
    workflow.perform(approved, "request_changes", actor=registrar, comment="The name is taken.")

    assert approved.state == State.CHANGES_REQUESTED


EXPLANATIONS: dict[str, Any] = {
    "unanswered": "The text answers them.",
    "haste": "A deadline.",
    "acts_for": "They sign its letters.",
}


@pytest.mark.parametrize("missing", EXPLANATIONS)
@pytest.mark.parametrize(("verb", "standards_action"), [("approve", False), ("report", True)])
def test_favourable_decision_explains_open_questions_haste_and_who_acts(
    verb: str,
    standards_action: bool,
    missing: str,
    in_review: RegistrationRequest,
    expert: User,
    inviting_comments: None,
    explaining_decisions: None,
) -> None:
    in_review.standards_action = standards_action
    in_review.save()
    judge = partial(workflow.perform, in_review, verb, actor=expert, comment="Sound.")

    with expect_refusal("decision_explained"):
        judge(**(EXPLANATIONS | {missing: " "}))
    event = judge(**EXPLANATIONS)

    words = event.data | {"unanswered": event.data["unanswered"]["word"]}
    assert words | EXPLANATIONS == words


def test_nothing_is_recorded_that_needs_no_explanation(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    let_speak_for(in_review.organization, registrant)

    event = workflow.perform(in_review, "approve", actor=expert, comment="Sound.", **EXPLANATIONS)

    assert event.data.keys() & EXPLANATIONS == {"unanswered"}


def test_register_waits_until_the_mail_server_took_the_letter_of_the_list(
    mailing_list: str, approved: RegistrationRequest, registrar: User
) -> None:
    del mailing_list
    last = approved.last_round
    with expect_refusal("list_has_text"):
        workflow.perform(approved, "register", actor=registrar)

    Letter.objects.filter(round=last).update(sent_at=timezone.now())
    workflow.perform(approved, "register", actor=registrar)

    assert approved.state == State.REGISTERED


def test_register_accepts_the_record_of_where_else_the_text_was_posted(
    mailing_list: str, approved: RegistrationRequest, registrar: User
) -> None:
    del mailing_list
    last = approved.last_round
    assert last is not None
    source = "https://lists.example/archive/urn/2026-01/msg7.html"
    data = {"about": "list", "source": source, "sha256": last.sha256}
    record_event(approved, actor=registrar, verb="record_evidence", data=data)

    workflow.perform(approved, "register", actor=registrar)

    assert approved.state == State.REGISTERED


def test_register_is_not_for_who_approved_or_directed(
    in_review: RegistrationRequest, registrar: User, standards_body: User
) -> None:
    both = UserFactory.create(roles=[Role.EXPERT, Role.REGISTRAR])
    workflow.perform(in_review, "assign", actor=both)
    workflow.perform(in_review, "approve", actor=both, comment="Sound.")

    with expect_refusal("not_decided_alone"):
        workflow.perform(in_review, "register", actor=both)

    assert name_actors(in_review) == (Turn.REGISTRAR, (registrar.name,))
    registrar.groups.clear()
    assert name_actors(in_review) == (Turn.STANDARDS_BODY, (standards_body.name,))
    workflow.perform(in_review, "register", actor=standards_body)


# Taking back


@pytest.mark.parametrize("verb", ["approve", "decline"])
def test_reconsider_brings_a_request_back_to_its_expert(
    verb: str, in_review: RegistrationRequest, expert: User, lead: User, registrar: User
) -> None:
    workflow.perform(in_review, verb, actor=expert, comment="Sound.")
    for other in (lead, registrar):
        with expect_refusal("role"):
            workflow.perform(in_review, "reconsider", actor=other, comment="I would not.")
    with expect_refusal("reasons_given"):
        workflow.perform(in_review, "reconsider", actor=expert)

    event = workflow.perform(in_review, "reconsider", actor=expert, comment="The wrong request.")

    assert (in_review.state, event.data["decision"]) == (State.IN_REVIEW, verb)
    assert name_actors(in_review) == (Turn.EXPERTS, (expert.name,))


def test_reconsider_is_for_one_decision_on_a_round(
    approved: RegistrationRequest, expert: User
) -> None:
    workflow.perform(approved, "reconsider", actor=expert, comment="The wrong request.")
    workflow.perform(approved, "approve", actor=expert, comment="The right one.")

    with expect_refusal("reconsidered_once"):
        workflow.perform(approved, "reconsider", actor=expert, comment="Or is it?")


def test_reconsider_is_not_possible_once_registered(
    approved: RegistrationRequest, expert: User, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    with expect_refusal("state"):
        workflow.perform(approved, "reconsider", actor=expert, comment="The wrong request.")


def test_reconsider_ends_an_appeal_of_the_decision(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    workflow.perform(in_review, "decline", actor=expert, comment="Not needed.")
    workflow.perform(in_review, "appeal", actor=outsider, comment="It is.", ground="judgement")

    workflow.perform(in_review, "reconsider", actor=expert, comment="It is needed.")

    assert in_review.state == State.IN_REVIEW


@pytest.mark.parametrize("verb", ["direct", "decline"])
def test_reconsider_brings_a_request_back_to_the_standards_body(
    verb: str, reported: RegistrationRequest, standards_body: User
) -> None:
    workflow.perform(reported, verb, actor=standards_body, comment="Minutes, item 3")

    workflow.perform(reported, "reconsider", actor=standards_body, comment="The wrong request.")

    assert reported.state == State.REPORTED


def test_reconsider_takes_back_a_report(reported: RegistrationRequest, expert: User) -> None:
    workflow.perform(reported, "reconsider", actor=expert, comment="The wrong request.")

    assert reported.state == State.IN_REVIEW


def test_reconsider_takes_back_a_confirmation_as_second_officer(
    organization: Organization, registrant: User, registrar: User
) -> None:
    let_speak_for(organization, registrant)
    namespace = NamespaceFactory.create(registrant=organization)
    status = send(namespace, ChangeKind.STATUS, registrant)
    second = UserFactory.create(roles=[Role.REGISTRAR])
    workflow.perform(status, "countersign", actor=second, comment="I read the minutes.")

    workflow.perform(status, "reconsider", actor=second, comment="Of another change.")

    assert status.state == State.APPROVED
    with expect_refusal("second_officer_confirmed"):
        workflow.perform(status, "register", actor=registrar)

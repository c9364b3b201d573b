"""Which approvals count together: of one text, by several experts who are still on the request."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from registry import workflow
from registry.enums import Role, State
from registry.models import RegistrationRequest, User
from registry.workflow import drafts
from tests.factories import UserFactory
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quorum(settings: Settings) -> None:
    """Two experts must approve."""
    settings.REGISTRY_QUORUM = 2


@pytest.fixture
def second(in_review: RegistrationRequest) -> User:
    """Another expert on the request."""
    other = UserFactory.create(name="Edda Expert", roles=[Role.EXPERT])
    workflow.perform(in_review, "assign", actor=other)
    return other


def approve(registration_request: RegistrationRequest, expert: User) -> State:
    """Have `expert` approve, and return the resulting state."""
    workflow.perform(registration_request, "approve", actor=expert, comment="Sound.")
    return State(registration_request.state)


def send_next_round(registration_request: RegistrationRequest, purpose: str) -> None:
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": purpose}, seen=draft.edition)
    workflow.perform(registration_request, "submit", actor=registration_request.author)


@pytest.mark.whole
def test_approval_of_an_older_text_does_not_count(
    in_review: RegistrationRequest, expert: User, second: User
) -> None:
    approve(in_review, expert)
    workflow.perform(in_review, "request_changes", actor=second, comment="Say more.")
    send_next_round(in_review, "A purpose in other words, as long as a purpose has to be. " * 4)

    states = [approve(in_review, second), approve(in_review, expert)]

    assert states == [State.IN_REVIEW, State.APPROVED]


@pytest.mark.whole
def test_approval_by_an_expert_who_stepped_back_does_not_count(
    in_review: RegistrationRequest, expert: User, second: User, lead: User
) -> None:
    approve(in_review, expert)
    workflow.perform(in_review, "recuse", actor=expert, comment="I know them well.")
    workflow.perform(in_review, "assign", actor=lead)

    states = [approve(in_review, second), approve(in_review, lead)]

    assert states == [State.IN_REVIEW, State.APPROVED]


def test_expert_who_approves_twice_counts_once(
    in_review: RegistrationRequest, expert: User, second: User
) -> None:
    approve(in_review, expert)

    with expect_refusal("not_approved_before"):
        approve(in_review, expert)

    assert approve(in_review, second) == State.APPROVED

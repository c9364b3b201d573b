"""How many drafts and requests in review one person can have at once."""

from __future__ import annotations

import pytest

from registry import workflow
from registry.enums import RequestPath, Role, State
from registry.models import Organization, RegistrationRequest, User
from registry.workflow import ActionRefused, drafts
from registry.workflow.drafts import MAX_OPEN_DRAFTS, MAX_REQUESTS_IN_REVIEW
from tests.factories import (
    RequestFactory,
    let_speak_for,
)

pytestmark = pytest.mark.django_db


def start_another(author: User, organization: Organization) -> RegistrationRequest:
    """Start one more request."""
    return drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Things",
        nid="seedbank",
    )


def fill(author: User, organization: Organization, state: State, count: int) -> None:
    """Give `author` requests in `state`."""
    RequestFactory.create_batch(count, author=author, organization=organization, state=state)


def test_start_request_refuses_the_draft_after_the_twentieth(
    registrant: User, organization: Organization
) -> None:
    fill(registrant, organization, State.DRAFT, MAX_OPEN_DRAFTS - 1)
    start_another(registrant, organization)

    with pytest.raises(ActionRefused, match="You have 20 open drafts"):
        start_another(registrant, organization)


def test_start_request_counts_neither_other_states_nor_other_authors(
    registrant: User, outsider: User, organization: Organization
) -> None:
    fill(registrant, organization, State.WITHDRAWN, MAX_OPEN_DRAFTS)
    fill(outsider, organization, State.DRAFT, MAX_OPEN_DRAFTS)

    assert start_another(registrant, organization).state == State.DRAFT


def test_start_request_does_not_limit_delegates_and_officers(
    registrant: User, registrar: User, organization: Organization
) -> None:
    let_speak_for(organization, registrant)
    for author in (registrant, registrar):
        fill(author, organization, State.DRAFT, MAX_OPEN_DRAFTS)

        assert start_another(author, organization).author == author
    assert Role.REGISTRAR in registrar.roles


@pytest.mark.parametrize("state", [State.IN_REVIEW, State.ADVISORY, State.APPROVED])
def test_submit_refuses_the_sixth_request_in_review(
    draft: RegistrationRequest, registrant: User, organization: Organization, state: State
) -> None:
    fill(registrant, organization, state, MAX_REQUESTS_IN_REVIEW)

    with pytest.raises(ActionRefused, match="has 5 requests in review"):
        workflow.perform(draft, "submit", actor=registrant)


def test_submit_counts_no_request_that_waits_for_its_registrant(
    draft: RegistrationRequest, registrant: User, organization: Organization
) -> None:
    fill(registrant, organization, State.IN_REVIEW, MAX_REQUESTS_IN_REVIEW - 1)
    for state in (State.CHANGES_REQUESTED, State.DECLINED, State.WITHDRAWN):
        fill(registrant, organization, state, 1)

    workflow.perform(draft, "submit", actor=registrant)

    assert draft.state == State.IN_REVIEW


def test_submit_does_not_limit_delegates(
    draft: RegistrationRequest, registrant: User, organization: Organization
) -> None:
    fill(registrant, organization, State.IN_REVIEW, MAX_REQUESTS_IN_REVIEW)
    let_speak_for(organization, registrant)

    workflow.perform(draft, "submit", actor=registrant)

    assert draft.state == State.IN_REVIEW

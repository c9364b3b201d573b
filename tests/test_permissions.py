"""Who may do what: what being party to a request, or switched off, takes away."""

from __future__ import annotations

import pytest

from registry import permissions, workflow
from registry.enums import Role, State
from registry.models import Organization, RegistrationRequest, User
from tests.factories import OrganizationFactory, RequestFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("tie", ["author", "delegate", "co-editor", "same organization"])
@pytest.mark.parametrize(
    "judge", [Role.EXPERT, Role.LEAD, Role.REGISTRAR, Role.STANDARDS_BODY], ids=str
)
def test_nobody_judges_a_request_of_their_own(judge: Role, tie: str) -> None:
    body = OrganizationFactory.create()
    person = UserFactory.create(roles=[judge])
    states = {Role.REGISTRAR: State.APPROVED, Role.STANDARDS_BODY: State.REPORTED}
    registration_request = RequestFactory.create(
        organization=body, state=states.get(judge, State.IN_REVIEW)
    )
    before = {each.verb for each in workflow.available_transitions(registration_request, person)}

    make_party(person, registration_request, tie)

    after = {each.verb for each in workflow.available_transitions(registration_request, person)}
    assert before
    assert after <= {"submit", "reroute", "withdraw", "recuse"}


def make_party(person: User, registration_request: RegistrationRequest, tie: str) -> None:
    """Give `person` a stake in the request."""
    if tie == "author":
        registration_request.author = person
        registration_request.save()
    elif tie == "delegate":
        registration_request.organization.delegates.add(person)
    elif tie == "co-editor":
        registration_request.co_editors.add(person)
    else:
        person.organization = registration_request.organization
        person.save()


def test_an_expert_who_becomes_party_no_longer_decides(
    in_review: RegistrationRequest, expert: User
) -> None:
    assert permissions.is_assigned_expert(expert, in_review)

    in_review.organization.delegates.add(expert)

    with pytest.raises(workflow.ActionRefused, match="is for an expert"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")


def test_a_delegate_acts_for_the_organization(
    draft: RegistrationRequest, outsider: User, organization: Organization
) -> None:
    assert workflow.available_transitions(draft, outsider) == []

    organization.delegates.add(outsider)

    assert [each.verb for each in workflow.available_transitions(draft, outsider)] == [
        "submit",
        "reroute",
        "withdraw",
    ]


def test_a_co_editor_writes_and_does_not_send(draft: RegistrationRequest, outsider: User) -> None:
    draft.co_editors.add(outsider)

    assert permissions.may_edit(outsider, draft)
    assert workflow.available_transitions(draft, outsider) == []


def test_an_account_switched_off_may_do_nothing(
    in_review: RegistrationRequest, expert: User
) -> None:
    assert workflow.available_transitions(in_review, expert)
    User.objects.filter(pk=expert.pk).update(is_active=False)

    assert workflow.available_transitions(in_review, User.objects.get(pk=expert.pk)) == []

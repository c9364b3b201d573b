"""Who may do what: what being party to a request, or switched off, takes away."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

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
    own = {"submit", "reroute", "withdraw", "announce_withdrawal", "recuse", "appeal"}
    assert after <= own


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
        "announce_withdrawal",
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


# Each predicate against its twins. Whoever adds a `q_…` finds it here by its name.

TWINS = sorted(name for name in vars(permissions) if name.startswith("q_"))


@pytest.fixture
def requests() -> list[RegistrationRequest]:
    """Two requests; of the one, somebody is everything that one can be to a request."""
    asked, other = RequestFactory.create_batch(2, state=State.IN_REVIEW)
    for role in Role:
        UserFactory.create(roles=[role])
    for is_active in (True, False):
        for tie, tied in TIES.items():
            person = UserFactory.create(name=tie, roles=[Role.EXPERT], is_active=is_active)
            tied(asked, person)
            if tie == "declared":
                other.assignments.create(expert=person, assigned_at=timezone.now())
    return [
        asked,
        other,
        RequestFactory.create(
            author=User.objects.filter(is_active=False).earliest("pk"),
            organization=other.organization,
        ),
        RequestFactory.create(author=asked.author, organization=other.organization),
    ]


def follow_invitation(registration_request: RegistrationRequest, person: User) -> None:
    """Have `person` be a co-editor no longer: they followed an invitation, and left."""
    now = timezone.now()
    registration_request.invitations.create(
        address=person.email,
        invited_by=registration_request.author,
        invited_at=now,
        joined_by=person,
        closed_at=now,
    )


def join_organization(registration_request: RegistrationRequest, person: User) -> None:
    person.organization = registration_request.organization
    person.save()


def assign(**facts: Any) -> Callable[[RegistrationRequest, User], object]:
    """Return what puts a person on a request as an expert."""
    now = timezone.now()
    return lambda registration_request, person: registration_request.assignments.create(
        expert=person, assigned_at=now, **facts
    )


TIES: dict[str, Callable[[RegistrationRequest, User], object]] = {
    "stranger": lambda registration_request, person: None,
    "author": lambda registration_request, person: RequestFactory.create(
        author=person, organization=registration_request.organization
    ),
    "delegate": lambda registration_request, person: (
        registration_request.organization.delegates.add(person)
    ),
    "co-editor": lambda registration_request, person: registration_request.co_editors.add(person),
    "former co-editor": follow_invitation,
    "member": join_organization,
    "in conflict": lambda registration_request, person: person.conflicts.create(
        organization=registration_request.organization, declared_at=timezone.now()
    ),
    "assigned": assign(),
    "declared": assign(declared_at=timezone.now()),
    "recused": assign(recused_at=timezone.now()),
}
"""What somebody can be to a request."""


@pytest.mark.parametrize("name", TWINS)
def test_the_database_answers_as_the_predicate(
    name: str, requests: list[RegistrationRequest]
) -> None:
    of_people = name.startswith("q_person_")
    predicate = getattr(permissions, name.removeprefix("q_person_" if of_people else "q_"))

    answers = {
        (person.pk, *key(thing)): predicate(person, *thing)
        for person in User.objects.all()
        for thing in things_of(predicate)
    }

    found = find_people(name, predicate) if of_people else find_things(name, predicate)
    assert set(answers.values()) == {True, False}
    assert found == sorted(pair for pair, holds in answers.items() if holds)


def key(thing: Iterable[Any]) -> tuple[Any, ...]:
    """Return by what a pair is known: the row, or the roles asked about."""
    return tuple(each.pk if isinstance(each, Model) else each for each in thing)


def things_of(predicate: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return what a predicate of a person can be asked about."""
    parameters = list(inspect.signature(predicate).parameters)[1:]
    if parameters == ["registration_request"]:
        return [(each,) for each in RegistrationRequest.objects.order_by("pk")]
    if parameters == ["organization"]:
        return [(each,) for each in Organization.objects.order_by("pk")]
    if parameters == ["roles"]:
        return [(role,) for role in Role]
    assert parameters == []
    return [()]


def find_people(name: str, predicate: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return whom the database finds for each thing."""
    twin = getattr(permissions, name)
    return sorted(
        (person.pk, *key(thing))
        for thing in things_of(predicate)
        for person in User.objects.filter(twin(*thing))
    )


def find_things(name: str, predicate: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return what the database finds for each person."""
    twin = getattr(permissions, name)
    return sorted(
        (person.pk, found.pk)
        for person in User.objects.all()
        for thing in things_of(predicate)[:1]
        for found in type(thing[0]).objects.filter(twin(person))
    )


def test_each_stake_names_a_predicate_and_its_own_twins() -> None:
    named = [
        (stake.holds.__name__, stake.q.__name__, stake.q_person.__name__)
        for stake in permissions.STAKES
    ]

    assert named == [(name, f"q_{name}", f"q_person_{name}") for name, *_twins in named]

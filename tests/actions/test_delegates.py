"""Delegates add and remove each other, and the journal records it."""

from __future__ import annotations

import pytest

from registry.actions import delegates, organization_proofs
from registry.models import Event, Letter, Organization, RegistrationRequest, User
from tests.factories import (
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def delegate(organization: Organization) -> User:
    person: User = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(organization, person)
    return person


def acts() -> list[tuple[str, str, object]]:
    """Return who did what to whom, according to the journal."""
    lines = Event.objects.filter(verb__endswith="_delegate")
    return [(line.actor_name, line.verb, line.data["delegate"]) for line in lines]


def test_delegate_names_another_by_the_address_of_their_account(
    organization: Organization, delegate: User, outsider: User
) -> None:
    named = delegates.name_delegate(organization, " Outsider@People.example", actor=delegate)

    assert named == outsider
    assert set(User.objects.speaking_for(organization)) == {delegate, outsider}
    assert acts() == [("Dag Delegate", "name_delegate", "Olaf Outsider")]
    assert Event.objects.latest("number").subject == str(organization)


def test_named_delegate_and_the_others_are_told(
    organization: Organization, delegate: User, outsider: User
) -> None:
    other = UserFactory.create(email="other@people.example")
    let_speak_for(organization, other)

    delegates.name_delegate(organization, outsider.email, actor=delegate)
    delegates.remove_delegate(organization, outsider, actor=delegate, knows_last=False)

    told = Letter.objects.filter(event__verb="name_delegate").values_list("address", flat=True)
    assert set(told) == {"other@people.example", "outsider@people.example"}
    told = Letter.objects.filter(event__verb="remove_delegate").values_list("address", flat=True)
    assert set(told) == {"other@people.example", "outsider@people.example"}


def test_naming_somebody_twice_does_it_once(
    organization: Organization, delegate: User, outsider: User
) -> None:
    delegates.name_delegate(organization, outsider.email, actor=delegate)
    delegates.name_delegate(organization, outsider.email, actor=delegate)

    assert len(acts()) == 1


@pytest.mark.parametrize("account", ["none", "unconfirmed", "switched off"])
def test_only_an_account_in_use_with_that_address_confirmed_can_be_named(
    organization: Organization, delegate: User, account: str
) -> None:
    if account != "none":
        UserFactory.create(
            email="new@people.example",
            confirmed=account != "unconfirmed",
            is_active=account != "switched off",
        )

    with expect_refusal("unknown_account"):
        delegates.name_delegate(organization, "new@people.example", actor=delegate)

    assert list(User.objects.speaking_for(organization)) == [delegate]


def test_nobody_else_names_or_takes_off(
    organization: Organization, delegate: User, outsider: User, registrar: User, expert: User
) -> None:
    for person in (outsider, registrar, expert):
        with expect_refusal("not_delegate"):
            delegates.name_delegate(organization, person.email, actor=person)
        with expect_refusal("not_delegate"):
            delegates.remove_delegate(organization, delegate, actor=person, knows_last=True)

    assert list(User.objects.speaking_for(organization)) == [delegate]
    assert acts() == []


def test_author_in_the_name_of_an_organization_names_nobody(
    draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    with expect_refusal("not_delegate"):
        delegates.name_delegate(draft.organization, outsider.email, actor=registrant)


def test_administrator_names_delegates(
    organization: Organization, administrator: User, outsider: User
) -> None:
    delegates.name_delegate(organization, outsider.email, actor=administrator)

    assert list(User.objects.speaking_for(organization)) == [outsider]


def test_expert_is_not_taken_off_a_request_by_being_named(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    body = in_review.organization
    let_speak_for(body, outsider)

    with expect_refusal("reviewer"):
        delegates.name_delegate(body, expert.email, actor=outsider)

    assert list(User.objects.speaking_for(body)) == [outsider]


def test_last_delegate_goes_only_knowing_so(organization: Organization, delegate: User) -> None:
    with expect_refusal("last_delegate"):
        delegates.remove_delegate(organization, delegate, actor=delegate, knows_last=False)
    assert list(User.objects.speaking_for(organization)) == [delegate]

    delegates.remove_delegate(organization, delegate, actor=delegate, knows_last=True)

    assert list(User.objects.speaking_for(organization)) == []
    assert acts() == [("Dag Delegate", "remove_delegate", "Dag Delegate")]


def test_taking_somebody_off_twice_does_it_once(
    organization: Organization, delegate: User, outsider: User
) -> None:
    let_speak_for(organization, outsider)

    for _click in range(2):
        delegates.remove_delegate(organization, outsider, actor=delegate, knows_last=False)

    assert len(acts()) == 1


def test_registrar_enters_the_website_and_the_slower_of_two_is_told(
    organization: Organization, registrar: User
) -> None:
    organization_proofs.set_website(organization, "https://a.example/", actor=registrar, seen="")
    organization_proofs.set_website(organization, "https://a.example/", actor=registrar, seen="")

    with expect_refusal("superseded"):
        organization_proofs.set_website(
            organization, "https://b.example/", actor=registrar, seen=""
        )

    organization.refresh_from_db()
    assert organization.website == "https://a.example/"
    assert [event.data["website"] for event in Event.objects.filter(verb="say_website")] == [
        "https://a.example/"
    ]


def test_delegates_do_not_say_which_website_is_theirs(
    organization: Organization, delegate: User
) -> None:
    with expect_refusal("not_registrar"):
        organization_proofs.set_website(
            organization, "https://mine.example/", actor=delegate, seen=""
        )

"""Conflicts of interest: hints, standing declarations, and what they end."""

from __future__ import annotations

import pytest

from registry import permissions, workflow
from registry.actions import conflicts_of_interest
from registry.enums import RequestPath, State
from registry.models import (
    ConflictOfInterest,
    Event,
    RegistrationRequest,
    User,
)
from tests.factories import (
    let_speak_for,
    start,
)
from tests.template.samples import INFORMAL

pytestmark = pytest.mark.django_db


def live_at(domain: str, *people: User) -> None:
    """Give people an address at a domain of their own."""
    for person in people:
        person.email = f"{person.pk}@{domain}"
        person.save()


@pytest.mark.parametrize(
    ("own", "other", "hints"),
    [
        ("vault.example", "vault.example", 1),
        ("Vault.Example", "vault.example", 1),
        ("desk.vault.example", "vault.example", 1),
        ("vault.example", "desk.vault.example", 1),
        ("vault.example", "othervault.example", 0),
        ("gmail.com", "gmail.com", 0),
    ],
)
def test_shared_mail_domain_is_hinted_at(
    own: str, other: str, hints: int, sent: RegistrationRequest, expert: User, registrant: User
) -> None:
    live_at(own, expert)
    live_at(other, registrant)
    sent.refresh_from_db()

    assert len(conflicts_of_interest.list_conflict_hints(expert, sent)) == hints
    assert permissions.may_join(expert, sent)


def test_delegates_and_the_site_of_the_organization_are_hinted_at_each_once(
    sent: RegistrationRequest, expert: User, registrant: User, outsider: User
) -> None:
    live_at("vault.example", expert, outsider)
    sent.organization.website = "https://www.vault.example/about"
    let_speak_for(sent.organization, registrant, outsider)

    hints = conflicts_of_interest.list_conflict_hints(expert, sent)

    assert hints == [
        "Olaf Outsider uses the mail domain vault.example too.",
        "The mail domain vault.example goes with the site of Northlight Seed Vault Federation, "
        "vault.example.",
    ]


def test_standing_conflict_takes_the_expert_off_every_open_request_of_that_body(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    other = start(registrant, in_review.organization, INFORMAL, RequestPath.INFORMAL)
    workflow.perform(other, "submit", actor=registrant)
    workflow.perform(other, "assign", actor=expert)

    conflicts_of_interest.step_back_from_request(
        in_review, expert, comment="My brother.", seen=in_review.revision, for_good=True
    )

    assert [each.recused_at is None for each in expert.assignments.all()] == [False, False]
    assert in_review.assignments.get().reason == "My brother."
    assert permissions.has_declared_conflict(expert, in_review)
    assert Event.objects.filter(verb="recuse").count() == 2
    assert Event.objects.get(verb="declare_conflict").actor == expert


def test_declaring_twice_is_one_conflict_and_one_line(
    in_review: RegistrationRequest, expert: User
) -> None:
    for _ in range(2):
        conflicts_of_interest.declare_conflict(
            expert, in_review.organization, reason="I advised them."
        )

    assert expert.conflicts.get().reason == "I advised them."
    assert [each.verb for each in Event.objects.filter(registration_request=None)] == [
        "declare_conflict"
    ]


def test_conflict_is_not_declared_where_stepping_back_fails(
    in_review: RegistrationRequest, expert: User
) -> None:
    with pytest.raises(workflow.ConcurrentChange):
        conflicts_of_interest.step_back_from_request(
            in_review, expert, comment="", seen=in_review.revision - 1, for_good=True
        )

    assert not ConflictOfInterest.objects.exists()
    assert in_review.state == State.IN_REVIEW


def test_ended_conflict_is_gone_but_for_the_journal(
    sent: RegistrationRequest, expert: User
) -> None:
    conflict = conflicts_of_interest.declare_conflict(
        expert, sent.organization, reason="I advised them."
    )

    conflicts_of_interest.end_conflict(conflict)

    told = Event.objects.filter(actor=expert).values_list("verb", "data__organization")
    assert list(told) == [
        ("declare_conflict", str(sent.organization)),
        ("end_conflict", str(sent.organization)),
    ]
    assert permissions.may_join(expert, sent)

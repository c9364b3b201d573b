"""Who acts for an organization."""

from __future__ import annotations

from django.db.models import Q, Value

from registry.enums import Role
from registry.models import DelegateChange, Organization, User
from registry.permissions.facts import Person
from registry.permissions.people import (
    holds_role,
    is_administrator,
    is_neutral_registrar,
    is_registrar,
)


def speaks_for(person: Person, organization: Organization) -> bool:
    """Whether `person` is a delegate of `organization`.

    Belonging to it is not enough: no letter announces that, there is no delay, and no source is
    required.
    """
    return organization.speakers.in_effect().filter(person=person.pk).exists()


def q_person_speaks_for(organization: Organization) -> Q:
    return Q(pk__in=organization.speakers.in_effect().values("person"))


def is_tied_to(person: Person, organization: Organization) -> bool:
    """Whether `person` belongs to `organization` or is its delegate, and so never judges it."""
    return (isinstance(person, User) and person.organization_id == organization.pk) or speaks_for(
        person, organization
    )


def q_is_tied_to(person: User | Value) -> Q:
    own = Organization.objects.filter(people=person)
    spoken_for = Organization.objects.spoken_for_by(person)
    return Q(pk__in=own.values("pk")) | Q(pk__in=spoken_for.values("pk"))


def q_person_is_tied_to(organization: Organization) -> Q:
    return Q(organization=organization) | q_person_speaks_for(organization)


def is_delegate_of(person: Person, organization: Organization) -> bool:
    """Whether `person` is a delegate of `organization`: writes and submits on its behalf."""
    return person.is_active and speaks_for(person, organization)


def q_person_is_delegate_of(organization: Organization) -> Q:
    return Q(is_active=True) & q_person_speaks_for(organization)


def may_record_evidence(person: Person, organization: Organization) -> bool:
    """Whether `person` may record names and identifiers: a registrar or the standards body."""
    is_officer = holds_role(person, Role.REGISTRAR, Role.STANDARDS_BODY)
    return is_officer and not is_tied_to(person, organization)


def may_name_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` may decide who else acts for `organization`."""
    return is_delegate_of(person, organization) or is_administrator(person)


def may_see_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` may see who acts for `organization`."""
    return may_name_delegates(person, organization) or is_registrar(person)


def may_confirm_claim(person: Person, change: DelegateChange) -> bool:
    """Whether `person` may confirm whose a claimed domain is: a registrar without a part in it.

    If every registrar has one, the standards body does it.
    """
    return is_neutral_registrar(person, lambda each: has_part_in_claim(each, change))


def has_part_in_claim(person: User, change: DelegateChange) -> bool:
    """Whether `person` is to act for the body, asked for that, or has a tie to the body already."""
    is_own = person.pk in (change.person_id, change.asked_by_id)
    return is_own or is_tied_to(person, change.organization)

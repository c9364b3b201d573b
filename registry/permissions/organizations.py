"""Who acts for an organization."""

from __future__ import annotations

from django.db.models import Q, Value

from registry.enums import Role
from registry.models import Organization, Speaker, User
from registry.permissions.facts import Person
from registry.permissions.people import holds_role, is_registrar


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


def may_see_speakers(person: Person, organization: Organization) -> bool:
    """Whether `person` may see who speaks for the organization: its delegates, and officers."""
    return (
        is_delegate_of(person, organization)
        or may_record_speakers(person)
        or may_rule_on_speakers(person)
    )


def may_record_speakers(person: Person) -> bool:
    """Whether `person` may record evidence that somebody speaks for a body: the registrar."""
    return is_registrar(person)


def may_rule_on_speakers(person: Person) -> bool:
    """Whether `person` may rule who speaks for a body: the standards body."""
    return holds_role(person, Role.STANDARDS_BODY)


def may_countersign_speaker(person: Person, speaker: Speaker) -> bool:
    """Whether `person` may countersign evidence: another officer, with no part in it."""
    is_officer = holds_role(person, Role.REGISTRAR, Role.STANDARDS_BODY)
    return is_officer and not has_part_in_speaker(person, speaker)


def has_part_in_speaker(person: Person, speaker: Speaker) -> bool:
    """Whether `person` is to speak, recorded that, or has a tie to the body."""
    body = speaker.body
    return person.pk in (speaker.person_id, speaker.recorded_by_id) or (
        body is not None and is_tied_to(person, body)
    )

"""Who may do what: small predicates of a person and a request.

Roles are groups; being party to a request is a fact about the request (docs/process.md, People).
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from registry.enums import (
    LIVE_STATES,
    REVIEW_STATES,
    WRITABLE_STATES,
    Role,
)
from registry.models import Namespace, Organization, RegistrationRequest, User

Person = User | AnonymousUser


class Clock(AnonymousUser):
    """What acts when a time is up: holds no role, and does what no person may."""


CLOCK = Clock()


def is_the_clock(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether it is not a person who acts but the clock."""
    return isinstance(person, Clock)


def has_confirmed_address(person: Person) -> bool:
    """Whether `person` has an account in use, with a mail address that was confirmed."""
    return (
        isinstance(person, User)
        and person.is_active
        and person.emailaddress_set.filter(verified=True).exists()
    )


def is_author(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` started the request."""
    return registration_request.author_id == person.pk


def is_delegate(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether the organization that asks named `person` a delegate."""
    return registration_request.organization.delegates.filter(pk=person.pk).exists()


def is_co_editor(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was invited to write this one request."""
    return registration_request.co_editors.filter(pk=person.pk).exists()


def has_co_edited(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was ever a co-editor by invitation: leaving again makes nobody neutral."""
    return (
        isinstance(person, User)
        and registration_request.invitations.filter(joined_by=person).exists()
    )


def is_registrant(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may act for the registrant: author or delegate."""
    return person.is_active and (
        is_author(person, registration_request) or is_delegate(person, registration_request)
    )


def may_write(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the draft, were there one."""
    return is_registrant(person, registration_request) or (
        person.is_active and is_co_editor(person, registration_request)
    )


def may_edit(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the text now."""
    return registration_request.state in WRITABLE_STATES and may_write(person, registration_request)


def is_party(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a stake in the request: no expert judges such a one."""
    return (
        is_author(person, registration_request)
        or is_delegate(person, registration_request)
        or is_co_editor(person, registration_request)
        or has_co_edited(person, registration_request)
        or belongs_to_organization(person, registration_request)
    )


def belongs_to_organization(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` belongs to the organization that asks."""
    return (
        isinstance(person, User)
        and person.organization_id is not None
        and person.organization_id == registration_request.organization_id
    )


def is_expert(person: Person) -> bool:
    """Whether `person` is a designated expert; the lead is one too."""
    return isinstance(person, User) and person.has_role(Role.EXPERT, Role.LEAD)


def is_registrar(person: Person) -> bool:
    """Whether `person` is the registrar."""
    return isinstance(person, User) and person.has_role(Role.REGISTRAR)


def is_administrator(person: Person) -> bool:
    """Whether `person` keeps accounts and roles."""
    return isinstance(person, User) and person.has_role(Role.ADMINISTRATOR)


def is_lead(person: Person) -> bool:
    """Whether `person` leads the experts."""
    return isinstance(person, User) and person.has_role(Role.LEAD)


def has_declared_conflict(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` declared a conflict of interest with the organization that asks."""
    return (
        isinstance(person, User)
        and person.conflicts.filter(organization=registration_request.organization_id).exists()
    )


def may_take(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may be the expert on this request: an expert with no stake in it."""
    return (
        is_expert(person)
        and not is_party(person, registration_request)
        and not has_declared_conflict(person, registration_request)
    )


def may_lead(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` leads the experts, and has no stake in this request."""
    return is_lead(person) and may_take(person, registration_request)


def may_assign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may put an expert on this request: the lead anybody, an expert only
    themselves; the clock acts by the rota."""
    return (
        may_join(person, registration_request)
        or may_lead(person, registration_request)
        or is_the_clock(person, registration_request)
    )


def may_join(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may take this request: not on it yet, and never stepped back from it."""
    return (
        may_take(person, registration_request)
        and not registration_request.assignments.filter(expert_id=person.pk).exists()
    )


def is_reviewer(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert on this request, has no stake and has not stepped back."""
    return (
        may_take(person, registration_request)
        and registration_request.assignments.active().filter(expert_id=person.pk).exists()
    )


def is_assigned_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may judge: on this request, and declared free of conflict."""
    return (
        may_take(person, registration_request)
        and registration_request.assignments.declared().filter(expert_id=person.pk).exists()
    )


def has_to_declare(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was put on this request and has not said yet to be free of conflict."""
    return is_reviewer(person, registration_request) and not is_assigned_expert(
        person, registration_request
    )


def may_publish(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may enter this request: the registrar, with no stake in it."""
    return is_registrar(person) and not is_party(person, registration_request)


def may_verify_holder(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may record that the holder of a namespace agrees to its change."""
    return registration_request.needs_holder_consent and may_publish(person, registration_request)


def may_step_back(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert who has not stepped back from this request yet."""
    stepped_back = registration_request.assignments.filter(
        expert_id=person.pk, recused_at__isnull=False
    )
    return is_expert(person) and not stepped_back.exists()


def may_direct(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` speaks for the standards body, with no stake in the request."""
    return (
        isinstance(person, User)
        and person.has_role(Role.STANDARDS_BODY)
        and not is_party(person, registration_request)
    )


def may_return(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` checks the form of this request: registrar or lead, with no stake."""
    return may_publish(person, registration_request) or may_lead(person, registration_request)


def may_reroute(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may change the path: the registrant, or the lead."""
    return is_registrant(person, registration_request) or may_lead(person, registration_request)


def may_appeal(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may appeal: anyone affected, but not the body that hears the appeal."""
    return (
        has_confirmed_address(person)
        and isinstance(person, User)
        and not person.has_role(Role.STANDARDS_BODY)
    )


def may_comment(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may write a public message: anyone whose mail address is confirmed."""
    return registration_request.state in LIVE_STATES and has_confirmed_address(person)


def may_moderate(person: Person) -> bool:
    """Whether `person` may hide a message from readers: the lead expert or the registrar."""
    return is_lead(person) or is_registrar(person)


def may_read_expert_notes(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` reads and writes the notes among experts on this request."""
    return may_take(person, registration_request)


def may_remark(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may remark on a passage: an expert on the request, while it is judged."""
    return registration_request.state in REVIEW_STATES and is_assigned_expert(
        person, registration_request
    )


def may_recognise(person: Person) -> bool:
    """Whether `person` decides who is recognised for the fast track (6.3)."""
    return isinstance(person, User) and person.has_role(Role.STANDARDS_BODY)


def speaks_for(person: Person, organization: Organization) -> bool:
    """Whether `person` belongs to `organization`, or is a delegate of it."""
    return (
        isinstance(person, User) and person.organization_id == organization.pk
    ) or organization.delegates.filter(pk=person.pk).exists()


def is_delegate_of(person: Person, organization: Organization) -> bool:
    """Whether `person` is a delegate of `organization`: writes and sends in its name."""
    return person.is_active and organization.delegates.filter(pk=person.pk).exists()


def may_name_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` says who else acts for `organization`."""
    return is_delegate_of(person, organization) or is_administrator(person)


def may_see_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` is told who acts for `organization`."""
    return may_name_delegates(person, organization) or is_registrar(person)


def may_set_website(person: Person) -> bool:
    """Whether `person` says which site is an organization's own, on which proofs rest."""
    return is_registrar(person) or is_administrator(person)


def may_invite(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` says who else writes this one request."""
    return registration_request.state in LIVE_STATES and is_registrant(person, registration_request)


def may_note_sightings(person: Person) -> bool:
    """Whether `person` may note a NID seen in use without registration."""
    return is_expert(person) or is_registrar(person)


def may_manage_services(person: Person, namespace: Namespace) -> bool:
    """Whether `person` says where names of `namespace` resolve, and loads its locators: the
    registrar, or a delegate of the registrant."""
    if is_registrar(person):
        return True
    return namespace.registrant is not None and is_delegate_of(person, namespace.registrant)


def may_manage_vocabularies(person: Person) -> bool:
    """Whether `person` changes the registries of query keywords and service designators."""
    return is_registrar(person)

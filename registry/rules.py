"""Who may do what: small predicates of a person and a request.

Roles are groups; being party to a request is a fact about the request (process guide, People).
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from registry.choices import WRITABLE, Role
from registry.models import RegistrationRequest, User

Person = User | AnonymousUser


def is_author(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` started the request."""
    return registration_request.author_id == person.pk


def is_delegate(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether the organization that asks named `person` a delegate."""
    return registration_request.organization.delegates.filter(pk=person.pk).exists()


def is_co_editor(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was invited to write this one request."""
    return registration_request.co_editors.filter(pk=person.pk).exists()


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
    return registration_request.state in WRITABLE and may_write(person, registration_request)


def is_party(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a stake in the request: no expert judges such a one."""
    return (
        is_author(person, registration_request)
        or is_delegate(person, registration_request)
        or is_co_editor(person, registration_request)
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


def may_take(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may be the expert on this request: an expert with no stake in it."""
    return is_expert(person) and not is_party(person, registration_request)


def may_join(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may take this request: not on it yet, and never stepped back from it."""
    return (
        may_take(person, registration_request)
        and not registration_request.assignments.filter(expert_id=person.pk).exists()
    )


def is_assigned_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert on this request, has no stake and has not stepped back."""
    return (
        may_take(person, registration_request)
        and registration_request.assignments.active().filter(expert_id=person.pk).exists()
    )


def may_publish(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may enter this request: the registrar, with no stake in it."""
    return is_registrar(person) and not is_party(person, registration_request)


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

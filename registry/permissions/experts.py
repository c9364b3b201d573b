"""Who judges a request: conflicts of interest and assignments."""

from __future__ import annotations

from django.db.models import Q, QuerySet, Value

from registry.enums import LIVE_STATES
from registry.models import (
    Assignment,
    ConflictOfInterest,
    Namespace,
    RegistrationRequest,
    User,
)
from registry.permissions.facts import NOTHING, Person, remember_answers
from registry.permissions.people import (
    has_confirmed_address,
    has_factor,
    is_expert,
    is_lead,
    is_the_clock,
    q_person_has_factor,
)
from registry.permissions.stakes import (
    is_party,
)


def list_conflicts_about(registration_request: RegistrationRequest) -> QuerySet[ConflictOfInterest]:
    """Return the conflicts of interest with the organization making the request and, for a change,
    with the one that holds the namespace.
    """
    bodies = [registration_request.organization_id]
    namespace = registration_request.namespace
    if namespace and namespace.registrant_id:
        bodies.append(namespace.registrant_id)
    return ConflictOfInterest.objects.filter(organization__in=bodies)


@remember_answers
def has_declared_conflict(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` declared a conflict of interest with the organization making the request, or
    with the one that holds the namespace.
    """
    return (
        isinstance(person, User)
        and list_conflicts_about(registration_request).filter(expert=person).exists()
    )


def q_has_declared_conflict(person: User | Value) -> Q:
    bodies = ConflictOfInterest.objects.filter(expert=person).values("organization")
    held = Namespace.objects.filter(registrant__in=bodies)
    return Q(organization__in=bodies) | Q(namespace__in=held.values("pk"))


def q_person_has_declared_conflict(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=list_conflicts_about(registration_request).values("expert"))


def is_temporary_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is the expert for this one request, which has not ended.

    With a second factor, like every role.
    """
    return is_temporarily_assigned(person, registration_request) and has_factor(person)


def q_is_temporary_expert(person: User) -> Q:
    if not person.is_active or not has_factor(person):
        return NOTHING
    own = Assignment.objects.active().filter(expert=person, is_temporary=True)
    return Q(state__in=LIVE_STATES, pk__in=own.values("registration_request"))


def q_person_is_temporary_expert(registration_request: RegistrationRequest) -> Q:
    if registration_request.state not in LIVE_STATES:
        return NOTHING
    on_it = registration_request.assignments.active().filter(is_temporary=True)
    return Q(is_active=True, pk__in=on_it.values("expert")) & q_person_has_factor()


def is_temporarily_assigned(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was put on this request alone, which has not ended, and is still on it.

    Without a second factor they read it, and can step back.
    """
    if not person.is_active or registration_request.state not in LIVE_STATES:
        return False
    own = find_assignment(person, registration_request)
    return own is not None and own.is_temporary and own.recused_at is None


@remember_answers
def may_take(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may be the expert on this request: an expert with no stake in it."""
    return (
        (is_expert(person) or is_temporary_expert(person, registration_request))
        and not is_party(person, registration_request)
        and not has_declared_conflict(person, registration_request)
    )


@remember_answers
def find_assignment(person: Person, registration_request: RegistrationRequest) -> Assignment | None:
    """Return the assignment of `person` on this request, even if they stepped back."""
    return registration_request.assignments.filter(expert_id=person.pk).first()


def has_taken(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is on this request as an expert, and has not stepped back."""
    own = find_assignment(person, registration_request)
    return own is not None and own.recused_at is None


def q_has_taken(person: User | Value) -> Q:
    own = Assignment.objects.active().filter(expert=person)
    return Q(pk__in=own.values("registration_request"))


def q_person_has_taken(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=registration_request.assignments.active().values("expert"))


def has_stepped_back(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was an expert on this request, and stepped back."""
    own = find_assignment(person, registration_request)
    return own is not None and own.recused_at is not None


def q_person_has_stepped_back(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=registration_request.assignments.stepped_back().values("expert"))


def may_lead(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is the lead, and has no stake in this request."""
    return is_lead(person) and may_take(person, registration_request)


def may_assign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may assign an expert to this request: the lead anyone, experts only
    themselves; the scheduler follows the rota.
    """
    return (
        may_join(person, registration_request)
        or may_lead(person, registration_request)
        or is_the_clock(person, registration_request)
    )


def may_join(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may take this request: not on it yet, and never stepped back from it."""
    return is_expert(person) and is_free_to_judge(person, registration_request)


def is_free_to_judge(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether nothing ties `person` to this request: no stake, no conflict, never an expert on it.

    The standards body may assign them where no designated expert can judge.
    """
    return (
        has_confirmed_address(person)
        and not is_party(person, registration_request)
        and not has_declared_conflict(person, registration_request)
        and find_assignment(person, registration_request) is None
    )


def is_assigned_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may judge: on this request, with no stake in it, and not stepped back.

    The first act of somebody who was put on it declares that they have no conflict.
    """
    return may_take(person, registration_request) and has_taken(person, registration_request)

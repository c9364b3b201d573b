"""Who is party to a request, and what that allows: its registrants, and others with a stake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, Value

from registry.enums import WRITABLE_STATES, State
from registry.models import (
    Invitation,
    Namespace,
    Organization,
    RegistrationRequest,
    Speaker,
    User,
)
from registry.permissions.facts import NOTHING, Person, remember_answers
from registry.permissions.organizations import (
    is_tied_to,
    q_is_tied_to,
    q_person_is_tied_to,
    q_person_speaks_for,
    speaks_for,
)


def is_author(person: Person, registration_request: RegistrationRequest) -> bool:
    return registration_request.author_id == person.pk


def q_is_author(person: User | Value) -> Q:
    return Q(author=person)


def q_person_is_author(registration_request: RegistrationRequest) -> Q:
    return Q(pk=registration_request.author_id)


@remember_answers
def is_delegate(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a delegate of the organization making the request."""
    return speaks_for(person, registration_request.organization)


def q_is_delegate(person: User | Value) -> Q:
    return Q(organization__in=Organization.objects.spoken_for_by(person).values("pk"))


def q_person_is_delegate(registration_request: RegistrationRequest) -> Q:
    return q_person_speaks_for(registration_request.organization)


@remember_answers
def is_co_editor(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a co-editor of this request."""
    return registration_request.co_editors.filter(pk=person.pk).exists()


def q_is_co_editor(person: User | Value) -> Q:
    return Q(pk__in=RegistrationRequest.objects.filter(co_editors=person).values("pk"))


def q_person_is_co_editor(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=User.objects.filter(co_edited_requests=registration_request).values("pk"))


@remember_answers
def has_co_edited(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is or ever was a co-editor: leaving makes nobody neutral."""
    ties = Q(co_edited_requests=registration_request)
    ties |= Q(invitations_followed__registration_request=registration_request)
    return isinstance(person, User) and User.objects.filter(ties, pk=person.pk).exists()


def q_has_co_edited(person: User | Value) -> Q:
    followed = Invitation.objects.filter(joined_by=person)
    return q_is_co_editor(person) | Q(pk__in=followed.values("registration_request"))


def q_person_has_co_edited(registration_request: RegistrationRequest) -> Q:
    followed = registration_request.invitations.filter(joined_by__isnull=False)
    return q_person_is_co_editor(registration_request) | Q(pk__in=followed.values("joined_by"))


def belongs_to_organization(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` belongs to the organization making the request."""
    return (
        isinstance(person, User)
        and person.organization_id is not None
        and person.organization_id == registration_request.organization_id
    )


def q_belongs_to_organization(person: User) -> Q:
    return Q(organization=person.organization_id) if person.organization_id else NOTHING


def q_person_belongs_to_organization(registration_request: RegistrationRequest) -> Q:
    return Q(organization=registration_request.organization_id)


@remember_answers
def is_on_holder_side(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a tie to the holder of the namespace to be changed.

    No matter who asks for the change, it needs the holder's consent, so these people judge none of
    it.
    """
    namespace = registration_request.namespace
    if namespace is None:
        return False
    registrant = namespace.registrant
    return (registrant is not None and is_tied_to(person, registrant)) or (
        namespace.speakers.in_effect().filter(person=person.pk).exists()
    )


def q_is_on_holder_side(person: User | Value) -> Q:
    held = Namespace.objects.filter(
        registrant__in=Organization.objects.filter(q_is_tied_to(person))
    )
    alone = Speaker.objects.in_effect().filter(person=person, namespace__isnull=False)
    return Q(namespace__in=held.values("pk")) | Q(namespace__in=alone.values("namespace"))


def q_person_is_on_holder_side(registration_request: RegistrationRequest) -> Q:
    namespace = registration_request.namespace
    if namespace is None:
        return NOTHING
    alone = Q(pk__in=namespace.speakers.in_effect().values("person"))
    return alone | q_person_is_tied_to(namespace.registrant) if namespace.registrant else alone


def is_registrant(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may act for the registrant: author or delegate."""
    return person.is_active and (
        is_author(person, registration_request) or is_delegate(person, registration_request)
    )


def may_write(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the draft, if there is one."""
    return is_registrant(person, registration_request) or (
        person.is_active and is_co_editor(person, registration_request)
    )


def q_may_write(person: User) -> Q:
    if not person.is_active:
        return NOTHING
    return q_is_author(person) | q_is_delegate(person) | q_is_co_editor(person)


def q_person_may_write(registration_request: RegistrationRequest) -> Q:
    return Q(is_active=True) & (
        q_person_is_author(registration_request)
        | q_person_is_delegate(registration_request)
        | q_person_is_co_editor(registration_request)
    )


def may_edit(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the text now."""
    if registration_request.state not in WRITABLE_STATES:
        return False
    if registration_request.state == State.APPEALED and registration_request.draft is None:
        return False
    return may_write(person, registration_request)


@dataclass(frozen=True, slots=True)
class Stake:
    """One way of being party to a request: its name, its predicate and that predicate's twins."""

    name: str
    holds: Callable[[Person, RegistrationRequest], bool]
    q: Callable[[User], Q]
    q_person: Callable[[RegistrationRequest], Q]


STAKES: Final = (
    Stake("author", is_author, q_is_author, q_person_is_author),
    Stake("delegate", is_delegate, q_is_delegate, q_person_is_delegate),
    Stake("co_editor", has_co_edited, q_has_co_edited, q_person_has_co_edited),
    Stake(
        "organization",
        belongs_to_organization,
        q_belongs_to_organization,
        q_person_belongs_to_organization,
    ),
    Stake("holder", is_on_holder_side, q_is_on_holder_side, q_person_is_on_holder_side),
)
"""Everything that makes a person party to a request, closest tie first."""


def name_stake(person: Person, registration_request: RegistrationRequest) -> str:
    """Return the name of what makes `person` party to the request, or empty."""
    held = (stake.name for stake in STAKES if stake.holds(person, registration_request))
    return next(held, "")


def is_party(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a stake in the request, which no expert judging it may have."""
    return bool(name_stake(person, registration_request))

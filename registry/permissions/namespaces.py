"""Who speaks for the holder of a namespace, and who decides who that is."""

from __future__ import annotations

from django.db.models import Q

from registry.enums import Role
from registry.models import Namespace, Organization
from registry.permissions.facts import Person
from registry.permissions.organizations import (
    is_delegate_of,
    is_tied_to,
    q_person_speaks_for,
    speaks_for,
)
from registry.permissions.people import holds_role, is_neutral_registrar, is_registrar
from registry.permissions.stakes import is_party


def speaks_for_namespace(person: Person, namespace: Namespace) -> bool:
    """Whether `person` speaks for the holder of `namespace`, or for the namespace alone."""
    registrant = namespace.registrant
    return (registrant is not None and speaks_for(person, registrant)) or (
        namespace.speakers.in_effect().filter(person=person.pk).exists()
    )


def q_person_speaks_for_namespace(namespace: Namespace) -> Q:
    alone = Q(pk__in=namespace.speakers.in_effect().values("person"))
    return alone | q_person_speaks_for(namespace.registrant) if namespace.registrant else alone


def has_stake_in(person: Person, namespace: Namespace) -> bool:
    """Whether `person` speaks for a namespace, belongs to the body that holds it, or is party to a
    request that would change it.
    """
    registrant = namespace.registrant
    return (
        speaks_for_namespace(person, namespace)
        or (registrant is not None and is_tied_to(person, registrant))
        or any(is_party(person, each) for each in namespace.requests.live())
    )


def may_search_holder(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may search for the holder of `namespace`: a registrar with no stake in it.

    If every registrar has one, the standards body does it.
    """
    return is_neutral_registrar(person, lambda each: has_stake_in(each, namespace))


def may_decide_search(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may decide who speaks for `namespace`: the standards body, with no stake."""
    return holds_role(person, Role.STANDARDS_BODY) and not has_stake_in(person, namespace)


def may_answer_search(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may say that the holder of `namespace` is there: one of its speakers."""
    return person.is_active and speaks_for_namespace(person, namespace)


def may_confirm_contact(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may confirm the contact of `namespace`: a delegate of its holder."""
    holder = namespace.registrant_id
    return holder is not None and is_delegate_of(person, Organization(pk=holder))


def may_manage_services(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may edit the services of `namespace`, and load its locators: the registrar,
    or a delegate of the registrant.
    """
    if is_registrar(person):
        return True
    return namespace.registrant is not None and is_delegate_of(person, namespace.registrant)

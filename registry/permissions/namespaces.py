"""Who speaks for the holder of a namespace, and who decides who that is."""

from __future__ import annotations

from django.db.models import Q

from registry.models import Namespace, Organization
from registry.permissions.facts import Person
from registry.permissions.organizations import (
    is_delegate_of,
    q_person_speaks_for,
    speaks_for,
)
from registry.permissions.people import is_registrar


def speaks_for_namespace(person: Person, namespace: Namespace) -> bool:
    """Whether `person` speaks for the holder of `namespace`, or for the namespace alone."""
    registrant = namespace.registrant
    return (registrant is not None and speaks_for(person, registrant)) or (
        namespace.speakers.in_effect().filter(person=person.pk).exists()
    )


def q_person_speaks_for_namespace(namespace: Namespace) -> Q:
    alone = Q(pk__in=namespace.speakers.in_effect().values("person"))
    return alone | q_person_speaks_for(namespace.registrant) if namespace.registrant else alone


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

"""Which organizations people may know of: all, once they sent a request or hold a namespace."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from registry import permissions
from registry.journal.openness import public_organizations
from registry.models import (
    Namespace,
    Organization,
    Proof,
    Recognition,
    RegistrationRequest,
    User,
)
from registry.models.request import RequestQuerySet
from registry.selectors.requests import requests_written_by


def organizations_visible_to(person: User | AnonymousUser) -> QuerySet[Organization]:
    """Return the organizations that `person` may know of: the public ones, and their own.

    The standards body knows those that asked it, and administrators see all of them.
    """
    public = public_organizations()
    if not isinstance(person, User):
        return public
    if permissions.is_administrator(person):
        return Organization.objects.all()
    known = (
        Q(pk__in=public.values("pk"))
        | Q(pk__in=requests_written_by(person).values("organization"))
        | Q(pk__in=person.proofs.values("organization"))
        | permissions.q_is_tied_to(person)
    )
    if permissions.may_recognise(person):
        known |= Q(pk__in=Recognition.objects.values("organization"))
    return Organization.objects.filter(known)


def public_recognitions() -> QuerySet[Recognition]:
    """Return what public organizations asked of the standards body, and what was answered."""
    return Recognition.objects.filter(organization__in=public_organizations())


def recognitions_visible_to(person: User | AnonymousUser) -> QuerySet[Recognition]:
    """Return the recognitions that `person` may know of."""
    return Recognition.objects.filter(organization__in=organizations_visible_to(person))


def list_standing_proofs(organization: Organization) -> QuerySet[Proof]:
    """Return the proofs by which its current delegates came to act for it."""
    return organization.proofs.filter(
        effective_at__isnull=False,
        lapsed_at=None,
        registration_request=None,
        person__in=organization.delegates.all(),
    )


def list_organization_requests(organization: Organization) -> RequestQuerySet:
    """Return its public requests, those that moved last first."""
    public = RegistrationRequest.objects.public().filter(organization=organization)
    return public.select_related("organization", "namespace").order_by("-state_since", "-pk")


def list_organization_namespaces(organization: Organization) -> QuerySet[Namespace]:
    """Return the namespaces that it holds."""
    return Namespace.objects.filter(registrant=organization).order_by("nid")

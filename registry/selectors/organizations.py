"""Which organizations people may know of: what everybody may begins with a request that was sent,
or with a namespace."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from registry import enums, permissions
from registry.enums import VerbKind
from registry.models import (
    Event,
    Namespace,
    Organization,
    Proof,
    Recognition,
    RegistrationRequest,
    User,
)
from registry.models.request import RequestQuerySet
from registry.selectors.requests import requests_written_by


def public_organizations() -> QuerySet[Organization]:
    """Return the organizations that everybody may know of.

    They hold a namespace or held one, ask in a request that was sent, or were answered whether
    they are recognised. One that drafts alone name is nobody's business but their writers'.
    """
    held = Namespace.objects.filter(registrant=OuterRef("pk"))
    asking = RegistrationRequest.objects.public().filter(organization=OuterRef("pk"))
    answered = Recognition.objects.filter(organization=OuterRef("pk"), is_granted__isnull=False)
    return Organization.objects.filter(
        Exists(held)
        | Exists(asking)
        | Exists(answered)
        | Q(recognised_on__isnull=False)
        | Q(name__in=former_registrant_names())
    )


def former_registrant_names() -> QuerySet[Any, Any]:
    """Return the names that the journal has of those who held a namespace before another did."""
    before = KeyTextTransform("registrant", KeyTransform("before", "data"))
    changed = Event.objects.filter(
        namespace__isnull=False, verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION)
    )
    return changed.annotate(was=before).exclude(was__isnull=True).values("was")


def organizations_visible_to(person: User | AnonymousUser) -> QuerySet[Organization]:
    """Return the organizations that `person` may know of: the public ones, and their own.

    The standards body knows of those that asked it, and administrators keep all of them.
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
        | permissions.q_speaks_for(person)
    )
    if permissions.may_recognise(person):
        known |= Q(pk__in=Recognition.objects.values("organization"))
    return Organization.objects.filter(known)


def public_recognitions() -> QuerySet[Recognition]:
    """Return what public organizations asked of the standards body, and what was answered."""
    return Recognition.objects.filter(organization__in=public_organizations())


def recognitions_visible_to(person: User | AnonymousUser) -> QuerySet[Recognition]:
    """Return what `person` may know was asked of the standards body."""
    return Recognition.objects.filter(organization__in=organizations_visible_to(person))


def list_standing_proofs(organization: Organization) -> QuerySet[Proof]:
    """Return the proofs by which its delegates of today came to act for it."""
    return organization.proofs.filter(
        proved_at__isnull=False,
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

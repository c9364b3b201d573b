"""Following a request, a NID or everything: by letters, to a confirmed address.

What a person follows is private and changes nothing in the registry, so it has no event in the
journal, which is public.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.models import (
    Follow,
    RegistrationRequest,
    User,
)
from registry.urn import nid as nids
from registry.urn.syntax import NID
from registry.workflow import ActionRefused


@dataclass(frozen=True, slots=True)
class FollowTarget:
    """What can be followed: a request, a NID in lower case, or everything if both are empty."""

    registration_request: RegistrationRequest | None = None
    nid: str = ""

    def __str__(self) -> str:
        if self.registration_request:
            return str(self.registration_request)
        return f"urn:{self.nid}" if self.nid else _("everything")

    @property
    def url(self) -> str:
        if self.registration_request:
            return self.registration_request.get_absolute_url()
        if self.nid:
            return reverse("namespaces:detail", args=[self.nid])
        return reverse("requests:index")

    @property
    def named(self) -> dict[str, str]:
        """Its name in addresses and forms."""
        if self.registration_request:
            return {"request": self.registration_request.slug}
        return {"nid": self.nid} if self.nid else {}


def find_follow_target(reference: str = "", nid: str = "") -> FollowTarget | None:
    """Return what is named: a public request, a NID, or everything; None for anything else."""
    if reference:
        public = RegistrationRequest.objects.public()
        found = public.filter(reference=reference.upper()).first()
        return FollowTarget(found) if found else None
    if nid and not re.fullmatch(NID, nid):
        return None
    return FollowTarget(nid=nids.canonical(nid) if nid else "")


def start_following(person: User, thing: FollowTarget) -> Follow:
    """Start sending `person` letters about `thing`; people who already follow it continue.

    Raises `ActionRefused` without a confirmed mail address.
    """
    if not permissions.has_confirmed_address(person):
        raise ActionRefused(
            _("Confirm your email address first: letters go to confirmed addresses only.")
        )
    watch, _made = Follow.objects.get_or_create(
        person=person,
        registration_request=thing.registration_request,
        nid=thing.nid,
        defaults={"since": timezone.now()},
    )
    return watch


def find_follow(person: User, thing: FollowTarget) -> Follow | None:
    """Return the follow of exactly this by `person`, or None."""
    return person.follows.filter(
        registration_request=thing.registration_request, nid=thing.nid
    ).first()


def follows_of(person: User) -> QuerySet[Follow]:
    """Return what `person` follows, oldest first."""
    return person.follows.select_related("registration_request").order_by("since", "pk")


def read_follow_target(watch: Follow) -> FollowTarget:
    """Return what `watch` follows."""
    return FollowTarget(watch.registration_request, watch.nid)

"""Where the public pages are: what search engines are told, and where a static edition begins."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from registry.models import Namespace, Registration, RegistrationRequest

STATIC_PAGE_NAMES: Final = (
    "home:index",
    "namespaces:index",
    "requests:index",
    "requests:figures",
    "organizations:index",
    "sightings:index",
    "inspect:index",
    "guide:index",
    "guide:about",
    "guide:accessibility",
    "guide:privacy",
    "exports:index",
    "api:index",
)
"""Pages of which there is one; chapters, versions and other forms are linked there."""


@dataclass(frozen=True, slots=True)
class PublicPage:
    """One page: its path, and on which day it changed last, as far as that is known."""

    path: str
    changed_on: datetime.date | None = None


def list_public_pages() -> Iterator[PublicPage]:
    """Yield every public page that is worth finding, in an order that stays."""
    yield from (PublicPage(reverse(name)) for name in STATIC_PAGE_NAMES)
    namespaces = Namespace.objects.order_by("nid").values_list("nid", "updated_at")
    for nid, changed in namespaces.iterator():
        yield PublicPage(reverse("namespaces:detail", args=[nid]), changed.date())
    versions = Registration.objects.order_by("namespace__nid", "number")
    known = versions.values_list("namespace__nid", "number", "registered_on")
    for nid, number, day in known.iterator():
        yield PublicPage(reverse("namespaces:version", args=[nid, number]), day)
    requests = RegistrationRequest.objects.public().order_by("reference")
    for each in requests.only("reference", "state_since").iterator():
        yield PublicPage(each.get_absolute_url(), each.state_since.date())

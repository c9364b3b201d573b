"""What a reader is offered to speak for, wherever they look for it."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse

from registry import permissions
from registry.models import Namespace, Organization, RegistrationRequest
from registry.permissions import Person
from registry.selectors.speakers import list_offers, list_requests_to_support

register = template.Library()


@register.inclusion_tag("components/offers.html")
def speaking_offers(
    person: Person, subject: Namespace | RegistrationRequest | None = None
) -> dict[str, Any]:
    """Show what `person` can speak for: of one namespace or request, or of all."""
    namespace = subject.namespace if isinstance(subject, RegistrationRequest) else subject
    offers = [
        (f"urn:{each.nid}", reverse("namespaces:holder", args=[each.nid]))
        for each in list_offers(person)
        if (namespace is None and subject is None) or each == namespace
    ]
    for asked in list_requests_to_support(person):
        if subject in (None, asked, asked.namespace):
            page = reverse("requests:act", args=[asked.slug, "consent"])
            offers.append((str(find_consenting_body(person, asked)), page))
    return {"offers": offers}


def find_consenting_body(
    person: Person, asked: RegistrationRequest
) -> Organization | Namespace | None:
    """Return for which side of a request its reader speaks: who asks, or else the holder."""
    if permissions.speaks_for(person, asked.organization) or asked.namespace is None:
        return asked.organization
    return asked.namespace.registrant or asked.namespace

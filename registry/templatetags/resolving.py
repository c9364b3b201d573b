"""Where names resolve, on the page of their namespace and on the page of one name."""

from __future__ import annotations

from typing import Final

from django import template

from registry.models import Namespace, Registration
from registry.pages.resolution import ways_of
from registry.queries import Prepared
from registry.resolution import services_of
from registry.resolution.locators import has_locators
from registry.resolution.trying import examples
from registry.urn import URN

register = template.Library()

SHOWN: Final = 6
SERVICES: Final = Prepared(services_of)


@register.inclusion_tag("services/panel.html")
def where_names_resolve(namespace: Namespace, current: Registration | None) -> dict[str, object]:
    """The services of a namespace, those that come first, and a name to try them with.

    `current` is the version in force, none while its text is not held here.
    """
    services = SERVICES(namespace.pk)
    return {
        "namespace": namespace,
        "services": services[:SHOWN],
        "more": max(0, len(services) - SHOWN),
        "has_table": has_locators(namespace),
        "example": next(examples(namespace.nid, current), None) if services else None,
    }


@register.inclusion_tag("resolve/panel.html")
def where_it_resolves(urn: URN, namespace: Namespace) -> dict[str, object]:
    """The addresses of one name; no outside service is asked."""
    return {"urn": urn, "namespace": namespace, "ways": ways_of(urn)}

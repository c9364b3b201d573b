"""Where names resolve, on the page of their namespace and on the page of one name."""

from __future__ import annotations

from typing import Final

from django import template

from registry.models import Namespace, Registration
from registry.presenters.resolution import find_ways
from registry.resolution import services_in_use
from registry.resolution.resolver import iterate_example_names
from registry.resolution.sources import has_locators
from registry.selectors import PreparedQuery
from registry.urn import URN

register = template.Library()

MAX_SERVICES_SHOWN: Final = 6
PREPARED_SERVICES_OF: Final = PreparedQuery(services_in_use)


@register.inclusion_tag("services/panel.html")
def where_names_resolve(namespace: Namespace, current: Registration | None) -> dict[str, object]:
    """The services of a namespace, those that come first, and a name to try them with.

    `current` is the version in force, none while its text is not held here.
    """
    services = PREPARED_SERVICES_OF(namespace.pk)
    return {
        "namespace": namespace,
        "services": services[:MAX_SERVICES_SHOWN],
        "more": max(0, len(services) - MAX_SERVICES_SHOWN),
        "has_table": has_locators(namespace),
        "example": next(iterate_example_names(namespace.nid, current), None) if services else None,
    }


@register.inclusion_tag("resolve/panel.html")
def where_it_resolves(urn: URN, namespace: Namespace) -> dict[str, object]:
    """The addresses of one name; no outside service is asked."""
    return {"urn": urn, "namespace": namespace, "ways": find_ways(urn)}

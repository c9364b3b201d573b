"""Where names resolve, on the page of their namespace and on the page of one name."""

from __future__ import annotations

from typing import Final

from django import template

from registry.models import Namespace
from registry.pages.resolution import ways_of
from registry.resolution import services_of
from registry.resolution.locators import has_locators
from registry.resolution.trying import examples
from registry.urn import URN

register = template.Library()

SHOWN: Final = 6


@register.inclusion_tag("services/panel.html")
def where_names_resolve(namespace: Namespace) -> dict[str, object]:
    """The services of a namespace, those that come first, and a name to try them with."""
    services = list(services_of(namespace))
    return {
        "namespace": namespace,
        "services": services[:SHOWN],
        "more": max(0, len(services) - SHOWN),
        "has_table": has_locators(namespace),
        "example": next(examples(namespace), None) if services else None,
    }


@register.inclusion_tag("resolve/panel.html")
def where_it_resolves(urn: URN, namespace: Namespace) -> dict[str, object]:
    """The addresses of one name; no outside service is asked."""
    return {"urn": urn, "namespace": namespace, "ways": ways_of(urn)}

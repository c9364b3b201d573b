"""From an address back to the names that lead there (RFC 2169, L2Ns).

Templates are read the other way round, as far as a template tells one name from another. Tables
of locators are not searched: they are kept by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from registry.models import ResolutionService
from registry.resolution import template as templates
from registry.resolution.choosing import ALIASES, led
from registry.resolution.known import Offer, offers
from registry.resolution.template import Expression, Template
from registry.resolution.wanted import Wanted
from registry.urn import URN, URNSyntaxError, parse

NAMES: Final[Mapping[str, Callable[[Offer, str], str]]] = {
    "urn": lambda offer, text: text,
    "nss": lambda offer, text: f"urn:{offer.nid}:{text}",
    "preferred": lambda offer, text: f"urn:{offer.nid}:{text}",
    "compact": lambda offer, text: f"urn:{offer.nid}:{text}",
    "rest": lambda offer, text: f"urn:{offer.nid}:{offer.prefix}{text}",
}
"""How a name is put together again, from each of the variables that hold all of it."""


def names_of(locator: str) -> list[URN]:
    """Return the names that one of the services in use leads to just this address, each once."""
    services = ResolutionService.objects.exclude(service__in=ALIASES)
    found = (name for offer in offers(services) for name in led_from(offer, locator))
    return list(dict.fromkeys(found))


def led_from(offer: Offer, locator: str) -> Iterator[URN]:
    """Yield the name that a service leads to `locator`, if it can be told."""
    template = templates.read(offer.template)
    if not locator.startswith(template.literal_beginning):
        return
    pattern, variable = backwards(template)
    match = pattern.fullmatch(locator) if pattern else None
    if match is None:
        return
    text = match[1] if variable.operator else unquote(match[1], errors="replace")
    try:
        urn = parse(NAMES[variable.variables[0]](offer, text))
    except URNSyntaxError:
        return
    target = led(offer, urn, Wanted())
    if urn.nid.lower() == offer.nid and target is not None and target.address == locator:
        yield urn


@lru_cache(maxsize=2048)
def backwards(template: Template) -> tuple[re.Pattern[str] | None, Expression]:
    """Return the pattern of the addresses that a template makes, and what is found in its group.

    None where it does not hold the whole name in one place.
    """
    found = [each for each in template.expressions if each.variables[0] in NAMES]
    nothing = Expression("", (), 0, 0)
    if len(template.expressions) != 1 or not found or found[0].operator not in {"", "+"}:
        return None, nothing
    only = found[0]
    before, after = template.text[: only.start], template.text[only.end :]
    return re.compile(f"{re.escape(before)}(.+){re.escape(after)}"), only

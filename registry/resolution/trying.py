"""A service tried with names, before it is used and when it is asked whether it answers."""

from __future__ import annotations

from collections.abc import Iterator

from registry.models import Registration, ResolutionService
from registry.resolution.choosing import led
from registry.resolution.known import Offer
from registry.resolution.wanted import Wanted
from registry.rulebook import rule as rule_of
from registry.urn import URN, URNSyntaxError, parse


def tried(service: ResolutionService, urn: URN) -> str:
    """Return where a service leads a name, empty where it is not for it or cannot take it."""
    target = led(Offer.of(service), urn, Wanted())
    return target.address if target else ""


def examples(nid: str, current: Registration | None) -> Iterator[URN]:
    """Yield names of a namespace that are known: from its version in force, and from its rule."""
    rule = rule_of(nid)
    written = current.template.examples if current else ()
    held = (f"urn:{nid}:{nss}" for nss in rule.examples) if rule else ()
    for text in (*written, *held):
        try:
            urn = parse(text)
        except URNSyntaxError:
            continue
        if urn.nid.lower() == nid:
            yield urn

"""Where a name resolves, as pages and programs are told it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import get_script_prefix, reverse

from registry import resolution
from registry.models import Namespace, ResolutionService
from registry.resolution import Choice, Target, Wanted
from registry.urn import URN, nid as nids


@dataclass(frozen=True, slots=True)
class Way:
    """One address of a name, with the service that leads there; none for a row of the table."""

    target: Target
    service: ResolutionService | None

    @property
    def is_alias(self) -> bool:
        """Whether it is another name, and no address."""
        return not self.target.is_address


@dataclass(frozen=True, slots=True)
class Ways:
    """Everything that a name leads to: addresses of what it names, descriptions and aliases."""

    resources: tuple[Way, ...] = ()
    descriptions: tuple[Way, ...] = ()
    aliases: tuple[Way, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.resources or self.descriptions or self.aliases)


def ways_of(urn: URN) -> Ways:
    """Return where a name leads; nobody outside is asked."""
    known = resolution.known(nids.canonical(urn.nid))
    if known is None:
        return Ways()
    choices = [
        resolution.choose(known, urn, Wanted(service)) for service in ("I2Ls", "I2Cs", "I2Ns")
    ]
    return Ways(*ways(*choices))


def ways(*choices: Choice) -> list[tuple[Way, ...]]:
    """Return the targets of each choice with the services they come from, in one query."""
    keys = [each.offer.key for choice in choices for each in choice.targets if each.offer]
    services = ResolutionService.objects.select_related("service", "namespace").in_bulk(keys)
    return [
        tuple(
            Way(each, services.get(each.offer.key) if each.offer else None)
            for each in choice.targets
        )
        for choice in choices
    ]


def as_data(urn: URN, namespace: Namespace | None, choice: Choice) -> dict[str, Any]:
    """Return a choice for programs."""
    return {
        "urn": urn.text,
        "service": choice.service or "I2L",
        "namespace": page_of(urn.nid),
        "status": namespace.status if namespace else "",
        "targets": list(targets_as_data(choice.targets)),
    }


def targets_as_data(targets: Iterable[Target]) -> Iterable[dict[str, Any]]:
    """Yield targets for programs."""
    for each in targets:
        yield {
            "address": each.address,
            "service": each.service,
            "media_type": each.offer.media_type if each.offer else "",
            "language": each.offer.language if each.offer else "",
            "operator": each.offer.operator if each.offer else "",
            "components": [str(done.words) for done in each.carried],
        }


def page_of(nid: str) -> str:
    """Return the address of the page of a namespace."""
    return settings.SITE + path_of(nids.canonical(nid), get_script_prefix())


@lru_cache(maxsize=1024)
def path_of(nid: str, mounted_at: str) -> str:
    """Return the path of the page of a namespace, found once for each place of the application."""
    return reverse("namespaces:detail", args=[nid])

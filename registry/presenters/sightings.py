"""Sightings as the list shows them, each with its current state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from registry.models import Namespace, RegistrationRequest, Sighting
from registry.selectors.nids import map_namespaces_by_nid
from registry.selectors.requests import group_requests_by_nid


@dataclass(frozen=True, slots=True)
class SightingRow:
    """A sighting, with the request that claims it, other requests for it, and its namespace."""

    sighting: Sighting
    claim: RegistrationRequest | None
    asking: tuple[RegistrationRequest, ...]
    namespace: Namespace | None

    @property
    def is_open(self) -> bool:
        """Whether a request could still claim it."""
        return self.claim is None and self.namespace is None


def build_sighting_rows(found: Sequence[Sighting]) -> list[SightingRow]:
    """Return the sightings as rows, in three queries however many there are."""
    seen = {each.nid for each in found}
    registered = map_namespaces_by_nid(seen)
    asked = group_requests_by_nid(seen)
    return [
        SightingRow(
            each,
            each.claim,
            tuple(rival for rival in asked.get(each.nid, ()) if rival != each.claim),
            registered.get(each.nid),
        )
        for each in found
    ]

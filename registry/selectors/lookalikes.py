"""Which held NIDs resemble one, found by their keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container
from typing import Any, Final

from django.db.models import QuerySet

from registry.batches import batched
from registry.lookalikes import Lookalike, find_lookalikes
from registry.models import NidKey

MAX_LOOKALIKES: Final = 50
"""At most how many similar NIDs are listed: the nearest."""
NIDS_PER_LOOK: Final = 50
"""For how many similar NIDs at once we look up who holds them."""
MAX_COMPARED_LENGTH: Final = 200
"""Anything longer than every column of NIDs resembles none."""


def find_held_lookalikes(
    nid: str, read_held: Callable[[Collection[str]], Container[str]], most: int
) -> list[Lookalike]:
    """Return the `most` held NIDs that resemble `nid` most, the nearest first.

    `read_held` says which of some NIDs are held; it is asked about the nearest first, until there
    are enough. The cost depends on how many resemble `nid`, not on how many there are.
    """
    if len(nid) > MAX_COMPARED_LENGTH:
        return []
    alike = find_lookalikes(nid, NidKey.objects.read_candidates([nid.lower()]))
    found: list[Lookalike] = []
    for asked in batched(alike, NIDS_PER_LOOK):
        held = read_held([each.nid for each in asked])
        found += [each for each in asked if each.nid in held]
        if len(found) >= most:
            break
    return found[:most]


def read_nids_among(rows: QuerySet[Any], nids: Collection[str]) -> set[str]:
    """Return those of `nids` that any of the rows has."""
    if not nids:
        return set()
    return set(rows.filter(nid__in=nids).order_by().values_list("nid", flat=True))

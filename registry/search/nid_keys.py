"""The keys of all NIDs: added for rows that were not saved by the models, and checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from registry.batches import batched
from registry.lookalikes import list_keys
from registry.models import NidHolder, NidKey
from registry.models.nid_keys import NIDS_PER_BATCH


def fill_nid_keys() -> int:
    """Write all missing keys of all NIDs; return how many NIDs there are.

    The models write them whenever a NID is saved. This is for other rows, such as those of a dump.
    Keys of NIDs that nobody holds any more stay: they find nothing.
    """
    count = 0
    for batch in batched(iterate_held_nids(), NIDS_PER_BATCH):
        NidKey.objects.write(batch)
        count += len(batch)
    return count


def find_stale_keys() -> Iterator[str]:
    """Yield a sentence for each NID that some similar ones do not find."""
    for nid in iterate_held_nids():
        keys = list_keys(nid)
        if NidKey.objects.filter(key__in=keys, nid=nid).count() != len(keys):
            yield f"NID {nid} is not found by everything that resembles it."


def iterate_held_nids() -> Iterator[str]:
    """Yield each NID in a table once."""
    tables: list[QuerySet[Any]] = [
        each._default_manager.all() for each in NidHolder.__subclasses__()
    ]
    first, *others = (
        rows.exclude(nid="").order_by().values_list("nid", flat=True) for rows in tables
    )
    yield from first.union(*others).order_by("nid").iterator()

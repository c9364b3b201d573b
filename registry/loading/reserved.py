"""The reserved lists: names that a new NID might be mistaken for (RFC 8141, section 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import transaction

from registry.choices import ReservedList
from registry.loading.encoding import read_text
from registry.loading.reading import DATA
from registry.loading.table import read_table
from registry.loading.tally import Tally
from registry.models import ReservedName
from registry.queries import shown_anew

Names = Mapping[tuple[str, str], str]
"""What each name of each list stands for."""


def read_reserved_names() -> Names:
    """Return the shipped names with what they stand for."""
    return dict(shipped())


def shipped() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield list, name and note of each shipped name."""
    for name in read_text(DATA / "uri-schemes.txt").lower().split():
        yield (ReservedList.SCHEME, name), ""
    for name in read_text(DATA / "top-level-domains.txt").split():
        yield (ReservedList.DOMAIN, name), ""
    for row in read_table(DATA / "iso-3166.csv", ["alpha2", "alpha3", "name"]).rows:
        yield (ReservedList.COUNTRY, row["alpha2"]), row["name"]
        yield (ReservedList.COUNTRY, row["alpha3"]), row["name"]
    for row in read_table(DATA / "identifier-systems.csv", ["name", "words"]).rows:
        yield (ReservedList.SYSTEM, row["name"]), row["words"]


def load_reserved_names(names: Names) -> Tally:
    """Write `names`, all or none; return what that did. Names not among them stay."""
    with transaction.atomic():
        known = {(each.list, each.name): each for each in ReservedName.objects.all()}
        added = [
            ReservedName(list=key[0], name=key[1], note=note)
            for key, note in names.items()
            if key not in known
        ]
        changed = [
            known[key] for key, note in names.items() if key in known and known[key].note != note
        ]
        for each in changed:
            each.note = names[each.list, each.name]
        ReservedName.objects.bulk_create(added)
        ReservedName.objects.bulk_update(changed, ["note"])
        if added or changed:
            shown_anew()
    return Tally(len(added), len(changed), len(names) - len(added) - len(changed))

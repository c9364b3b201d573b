"""Writing what was read: added where it is new, changed where it differs, ours left alone."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Q

from registry import journal
from registry.choices import State
from registry.loading.reading import SHIPPED_SOURCE, Entry
from registry.loading.tally import Tally
from registry.models import Counter, Namespace, Organization, Provenance
from registry.row_digests import NEW, digest_row, key_of


def load_namespaces(entries: Iterable[Entry], source: str = SHIPPED_SOURCE) -> Tally:
    """Write all `entries`, or none; return what that did.

    Each namespace that is added or changed has its line in the journal. One that a request
    here registered or changed is left as it is: its facts are the registry's own.
    """
    entries = list(entries)
    with transaction.atomic():
        # In the order of a publication: the number, the rows, and the journal last.
        Counter.objects.raise_to(Counter.INFORMAL, highest_number(entries))
        known = {each.nid: each for each in held()}
        ours = decided_here()
        put_down = [
            Put("kept") if entry.nid in ours else put(entry, known.get(entry.nid), source)
            for entry in entries
        ]
        for each in put_down:
            each.tell(source)
    return Tally(**Count(each.what for each in put_down))


def highest_number(entries: Iterable[Entry]) -> int:
    """Return the highest informal number that is given, here or by `entries`."""
    here = Namespace.objects.aggregate(highest=models.Max("informal_number"))["highest"]
    return max([here or 0, *(entry.facts["informal_number"] or 0 for entry in entries)])


def held() -> models.QuerySet[Namespace]:
    """Return every namespace, to be changed by nobody else until the transaction ends."""
    rows = Namespace.objects.for_lists().order_by("nid")
    return rows.select_for_update(of=("self",), no_key=True)


def decided_here() -> frozenset[str]:
    """Return the NIDs of the namespaces whose facts come from a request decided here."""
    ours = Namespace.objects.filter(
        Q(registrations__isnull=False) | Q(requests__state=State.REGISTERED)
    )
    return frozenset(ours.values_list("nid", flat=True))


@dataclass(frozen=True, slots=True)
class Put:
    """What became of one entry, in the words of `Tally`; with what there is to tell of it.

    `digest` is that of the namespace before.
    """

    what: str
    namespace: Namespace | None = None
    before: Mapping[str, Any] | None = None
    digest: str = NEW

    def tell(self, source: str) -> None:
        """Write the line of the journal, where something was written."""
        if self.namespace is None:
            return
        comment, data = "Added.", dict[str, Any](source=source)
        if self.before is not None:
            comment, data = told(self.before), data | {"before": self.before}
        rows: dict[str, str | None] = {key_of(self.namespace): self.digest}
        if self.namespace.registrant:
            rows[key_of(self.namespace.registrant)] = None
        journal.append(
            self.namespace, actor=None, verb="import", comment=comment, data=data, rows=rows
        )


def put(entry: Entry, known: Namespace | None, source: str) -> Put:
    """Write one entry over what is `known`."""
    digest = digest_row(known) if known else NEW
    namespace = known or Namespace(nid=entry.nid)
    provenance = getattr(known, "provenance", None) or Provenance()
    registrant = Organization.objects.named(entry.registrant) if entry.registrant else None
    changes = differences(namespace, {**entry.facts, "registrant": registrant})
    changes |= differences(provenance, entry.provenance)
    if known and not changes:
        return Put("unchanged")
    namespace.save()
    provenance.namespace, provenance.source = namespace, source
    provenance.save()
    return Put("changed", namespace, changes, digest) if known else Put("added", namespace)


def told(changes: Iterable[str]) -> str:
    """Say which facts were changed, in the words of the tables."""
    labels = {
        field.name: str(field.verbose_name)
        for model in (Provenance, Namespace)
        for field in model._meta.fields
    }
    return f"Changed: {', '.join(labels[name] for name in changes)}."


def differences(row: models.Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Set `values` on `row`; return those that this changed, as they were before."""
    before = {name: getattr(row, name) for name in values}
    for name, value in values.items():
        setattr(row, name, value)
    return {
        name: str(was) if isinstance(was, models.Model) else was
        for name, was in before.items()
        if was != values[name]
    }

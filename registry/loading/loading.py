"""Writing what was read: added where it is new, changed where it differs, ours left alone."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models, transaction
from django.db.models import Q

from registry import journal
from registry.choices import State
from registry.loading.reading import SHIPPED_SOURCE, Entry
from registry.loading.tally import Tally
from registry.models import Counter, Namespace, Organization, Provenance


def load_namespaces(entries: Iterable[Entry], source: str = SHIPPED_SOURCE) -> Tally:
    """Write all `entries`, or none; return what that did.

    Each namespace that is added or changed has its line in the journal. One that a request
    here registered or changed is left as it is: its facts are the registry's own.
    """
    with transaction.atomic():
        known = {each.nid: each for each in Namespace.objects.for_lists()}
        ours = decided_here()
        did = Count(
            "kept" if entry.nid in ours else put(entry, known.get(entry.nid), source)
            for entry in entries
        )
        highest = Namespace.objects.aggregate(highest=models.Max("informal_number"))["highest"]
        Counter.objects.raise_to(Counter.INFORMAL, highest or 0)
    return Tally(**did)


def decided_here() -> frozenset[str]:
    """Return the NIDs of the namespaces whose facts come from a request decided here."""
    ours = Namespace.objects.filter(
        Q(registrations__isnull=False) | Q(requests__state=State.REGISTERED)
    )
    return frozenset(ours.values_list("nid", flat=True))


def put(entry: Entry, known: Namespace | None, source: str) -> str:
    """Write one entry over what is `known`; return what that did, in the words of `Tally`."""
    namespace = known or Namespace(nid=entry.nid)
    provenance = getattr(known, "provenance", None) or Provenance()
    registrant = Organization.objects.named(entry.registrant) if entry.registrant else None
    changes = differences(namespace, {**entry.facts, "registrant": registrant})
    changes |= differences(provenance, entry.provenance)
    if known and not changes:
        return "unchanged"
    namespace.save()
    provenance.namespace, provenance.source = namespace, source
    provenance.save()
    journal.append(
        namespace,
        actor=None,
        verb="import",
        comment=told(changes) if known else "Added.",
        data={"source": source, "before": changes} if known else {"source": source},
    )
    return "changed" if known else "added"


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

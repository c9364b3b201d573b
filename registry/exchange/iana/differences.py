"""Differences between IANA's list and this registry, and which of them wait for the registrar."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from registry.exchange.iana.listing import IANAEntry, is_registrant_reference
from registry.exchange.seed.namespaces import find_nids_decided_here
from registry.models import Namespace, RegistrationRequest

MAX_CHANGES_AT_ONCE: Final = 10
"""How many changes of one reading are adopted automatically; more may be a mistake, or worse."""


class DifferenceKind(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    HERE_ONLY = "here only"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One fact that differs: its value here, and at IANA."""

    field: str
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One namespace that differs between the two lists.

    `waits_for` says why the registrar must look at it, empty if it may be adopted automatically.
    `is_final` marks what can never be adopted.
    """

    nid: str
    kind: DifferenceKind
    changes: tuple[FieldChange, ...] = ()
    waits_for: str = ""
    is_final: bool = False
    entry: IANAEntry | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the difference, in hexadecimal, which identifies the one somebody saw."""
        told = [self.nid, self.kind, [[each.field, each.here, each.there] for each in self.changes]]
        return hashlib.sha256(json.dumps(told).encode("utf-8")).hexdigest()

    @property
    def may_be_entered(self) -> bool:
        """Whether the registrar can adopt it."""
        return not self.is_final and self.kind in (DifferenceKind.NEW, DifferenceKind.CHANGED)


def compare_with_registry(
    entries: Mapping[str, IANAEntry], *, count: int | None = None
) -> list[Difference]:
    """Return the differences by NID, each with why it waits for the registrar.

    `count` is how many there were when the list was read; by default as many as now.
    """
    namespaces = {
        each.nid: each for each in Namespace.objects.select_related("provenance").order_by("nid")
    }
    ours, named = find_nids_decided_here(), find_requests_by_nid()
    found = [
        explain_waiting(each, ours, named)
        for each in iterate_differences(entries, namespaces, ours)
    ]
    if (count_changes(found) if count is None else count) > MAX_CHANGES_AT_ONCE:
        found = list(map(hold_back, found))
    return sorted(found, key=lambda each: each.nid)


def count_changes(found: Iterable[Difference]) -> int:
    """Return how many namespaces are new, changed or gone at IANA."""
    return sum(not each.is_final for each in found)


def hold_back(difference: Difference) -> Difference:
    """Make a difference wait, since there are too many."""
    if difference.waits_for:
        return difference
    words = _("More than %(most)d entries differ in one reading.") % {"most": MAX_CHANGES_AT_ONCE}
    return replace(difference, waits_for=words)


def find_requests_by_nid() -> dict[str, str]:
    """Return the references of live requests by the NIDs that they claim, or would change."""
    public = RegistrationRequest.objects.live().public()
    live = public.filter(~Q(nid="") | Q(namespace__isnull=False))
    found: dict[str, list[str]] = {}
    for reference, nid, registered in live.values_list("reference", "nid", "namespace__nid"):
        for each in {nid, registered or ""} - {""}:
            found.setdefault(each, []).append(reference)
    return {nid: ", ".join(sorted(references)) for nid, references in found.items()}


def iterate_differences(
    entries: Mapping[str, IANAEntry],
    namespaces: Mapping[str, Namespace],
    ours: frozenset[str],
) -> Iterator[Difference]:
    """Yield the differences, whether or not they may be adopted."""
    for nid, entry in entries.items():
        namespace = namespaces.get(nid)
        if namespace is None:
            yield Difference(nid, DifferenceKind.NEW, tuple(list_new_facts(entry)), entry=entry)
        elif changes := tuple(list_changed_facts(namespace, entry)):
            yield Difference(nid, DifferenceKind.CHANGED, changes, entry=entry)
    for nid in namespaces.keys() - entries.keys():
        kind = DifferenceKind.HERE_ONLY if nid in ours else DifferenceKind.GONE
        yield Difference(nid, kind)


def list_new_facts(entry: IANAEntry) -> Iterator[FieldChange]:
    """Return the facts of an entry that is new here."""
    facts = {
        "registered_on": entry.date,
        "references": ", ".join(entry.references),
        "template_url": entry.template_address,
    }
    return (FieldChange(name, "", value) for name, value in facts.items() if value)


def list_changed_facts(namespace: Namespace, entry: IANAEntry) -> Iterator[FieldChange]:
    """Return the facts that differ at IANA; what IANA does not say is no difference."""
    if entry.date and entry.date != namespace.registered_on:
        yield FieldChange("registered_on", namespace.registered_on, entry.date)
    if entry.references and normalize_references(entry.references) != normalize_references(
        namespace.references
    ):
        yield FieldChange(
            "references", ", ".join(namespace.references), ", ".join(entry.references)
        )
    provenance = getattr(namespace, "provenance", None)
    known = provenance.template_url if provenance else ""
    if entry.template_address and entry.template_address != known:
        yield FieldChange("template_url", known, entry.template_address)


def normalize_references(references: Iterable[str]) -> list[str]:
    """Return references in a comparable form."""
    return sorted(normalize_reference(each) for each in references)


def normalize_reference(reference: str) -> str:
    """Return one reference without irrelevant differences."""
    plain = " ".join(reference.split()).casefold()
    return plain.replace(" ", "") if plain.startswith("rfc") else plain


def explain_waiting(
    difference: Difference, ours: frozenset[str], named: Mapping[str, str]
) -> Difference:
    """Return a difference with why it waits for the registrar, if it does."""
    nid = difference.nid
    if difference.kind == DifferenceKind.HERE_ONLY:
        words = _("It was registered here, and IANA does not list it.")
        return replace(difference, waits_for=words, is_final=True)
    if nid in ours:
        words = _("A request here decided it, so this registry's entry differs.")
        return replace(difference, waits_for=words, is_final=True)
    if references := named.get(nid):
        words = _("%(references)s names it.") % {"references": references}
        return replace(difference, waits_for=words)
    if difference.kind == DifferenceKind.GONE:
        words = _("IANA does not list it any more. A namespace is never deleted here.")
        return replace(difference, waits_for=words)
    if any(changes_registrant(change) for change in difference.changes if change.here):
        words = _("It names another registrant.")
        return replace(difference, waits_for=words)
    return difference


def changes_registrant(change: FieldChange) -> bool:
    """Whether a change of references names somebody else than before."""
    if change.field != "references":
        return False
    before, after = (
        {
            normalize_reference(each)
            for each in text.split(", ")
            if each and is_registrant_reference(each)
        }
        for text in (change.here, change.there)
    )
    return before != after

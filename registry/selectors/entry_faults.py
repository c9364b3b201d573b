"""What is wrong with the entries themselves: the registrar's other queue."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from registry.enums import ProbeResult, Words
from registry.models import EntryLink, Namespace, Provenance, ResolutionService

CONTACT_YEAR: Final = datetime.timedelta(365)
"""How long a contact counts as confirmed, and the interval between the letters that ask."""


class EntryFaultKind(enum.StrEnum):
    """One way in which an entry is incomplete or wrong, in the order of the page."""

    HOLDER_UNKNOWN = "holder_unknown"
    NO_CONTACT = "no_contact"
    UNCONFIRMED_CONTACT = "unconfirmed_contact"
    DEAD_LINK = "dead_link"
    UNVERIFIED_FACT = "unverified_fact"


FAULT_LABELS: Final[Mapping[EntryFaultKind, Words]] = {
    EntryFaultKind.HOLDER_UNKNOWN: _("Registrant not known"),
    EntryFaultKind.NO_CONTACT: _("No contact"),
    EntryFaultKind.UNCONFIRMED_CONTACT: _("Contact not confirmed this year"),
    EntryFaultKind.DEAD_LINK: _("A link or a service does not answer"),
    EntryFaultKind.UNVERIFIED_FACT: _("A fact not verified"),
}

FAULT_REMEDIES: Final[Mapping[EntryFaultKind, Words]] = {
    EntryFaultKind.HOLDER_UNKNOWN: _(
        "Read the document of record. If it names the registrant, start a change of registrant."
    ),
    EntryFaultKind.NO_CONTACT: _(
        "Look in the document of record or on the registrant’s website, and start a change of "
        "contact. Registering a revision takes the contact from its text."
    ),
    EntryFaultKind.UNCONFIRMED_CONTACT: _(
        "A letter asks each contact once a year. Act only if you know that one is out of date."
    ),
    EntryFaultKind.DEAD_LINK: _(
        "Check the links again. If one stays dead, change the service or the document of record."
    ),
    EntryFaultKind.UNVERIFIED_FACT: _(
        "Compare with IANA’s list: what you take over from it counts as verified."
    ),
}
"""What the registrar can do about each kind of fault today."""


def q_holder_is_unknown(today: datetime.date) -> Q:
    """Return the condition for namespaces whose holder the registry does not know."""
    return Q(registrant__isnull=True)


def q_has_no_contact(today: datetime.date) -> Q:
    """Return the condition for namespaces without a named contact who can be reached."""
    return Q(contact="")


def q_contact_is_unconfirmed(today: datetime.date) -> Q:
    """Return the condition for namespaces with a contact that nobody has confirmed for a year."""
    old = Q(contact_confirmed_on__isnull=True) | Q(contact_confirmed_on__lte=today - CONTACT_YEAR)
    return ~Q(contact="") & old


def q_has_dead_link(today: datetime.date) -> Q:
    """Return the condition for namespaces with a service in use, or a link, found dead at the last
    check.
    """
    silent = ResolutionService.objects.in_use().filter(probe=ProbeResult.SILENT)
    dead = EntryLink.objects.filter(result=ProbeResult.SILENT)
    return Q(Exists(silent.filter(namespace=OuterRef("pk")))) | Q(
        Exists(dead.filter(namespace=OuterRef("pk")))
    )


def q_has_unverified_fact(today: datetime.date) -> Q:
    """Return the condition for imported namespaces whose reference or date nobody checked."""
    return Q(provenance__is_verified=False) | Q(
        provenance__registered_source__in=Provenance.NOT_READ
    )


FAULT_QUERIES: Final[Mapping[EntryFaultKind, Callable[[datetime.date], Q]]] = {
    EntryFaultKind.HOLDER_UNKNOWN: q_holder_is_unknown,
    EntryFaultKind.NO_CONTACT: q_has_no_contact,
    EntryFaultKind.UNCONFIRMED_CONTACT: q_contact_is_unconfirmed,
    EntryFaultKind.DEAD_LINK: q_has_dead_link,
    EntryFaultKind.UNVERIFIED_FACT: q_has_unverified_fact,
}


@dataclass(frozen=True, slots=True)
class FaultyEntry:
    """A namespace and what is wrong with its entry."""

    namespace: Namespace
    faults: tuple[EntryFaultKind, ...]

    @property
    def dead_links(self) -> list[EntryLink]:
        """The links that did not answer."""
        links = self.namespace.links.all()
        return [each for each in links if each.result == ProbeResult.SILENT]


def faulty_entries(kind: EntryFaultKind | None = None) -> QuerySet[Any]:
    """Return the namespaces with a fault, of one kind or of any, by NID.

    Each has a column for every kind of fault, which `list_faulty_entries` reads.
    """
    today = timezone.localdate()
    flags = {
        each.value: Case(
            When(find(today), then=Value(True)), default=Value(False), output_field=BooleanField()
        )
        for each, find in FAULT_QUERIES.items()
    }
    marked = Namespace.objects.for_lists().annotate(**flags).order_by("nid")
    marked = marked.prefetch_related("links")
    wanted = Q()
    for each in [kind] if kind else FAULT_QUERIES:
        wanted |= Q(**{each.value: True})
    return marked.filter(wanted)


def list_faulty_entries(found: Any) -> list[FaultyEntry]:
    """Return rows of `faulty_entries`, or a page of them, with the faults of each."""
    return [
        FaultyEntry(row, tuple(kind for kind in EntryFaultKind if vars(row)[kind.value]))
        for row in found
    ]


def count_entry_faults() -> dict[EntryFaultKind, int]:
    """Return how many namespaces have each kind of fault."""
    return {kind: faulty_entries(kind).count() for kind in EntryFaultKind}

"""How many namespaces each choice of the filters leaves, all counted in one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import BooleanField, Count, ExpressionWrapper, Q
from django.db.models.functions import Substr

from registry.models.namespace import NamespaceQuerySet

HOLDING_CONDITIONS: Final = {
    "text": Q(has_text=True),
    "syntax": Q(has_rule=True),
    "resolves": Q(is_resolved=True),
    "revision": Q(is_being_revised=True),
}
"""What a namespace can have, as annotated by `namespaces_for_filters`."""


class FacetRow(NamedTuple):
    """How many namespaces agree in everything that is counted; digits become the letter 0."""

    kind: str
    status: str
    letter: str
    has: frozenset[str]
    number: int


@dataclass(frozen=True, slots=True)
class NamespaceFacets:
    """The counts of a list of namespaces, and the choices of `kind`, `status` and `has`."""

    rows: tuple[FacetRow, ...]
    chosen: Mapping[str, Collection[str]]

    @property
    def total(self) -> int:
        """How many the list has."""
        return sum(row.number for row in self.list_left())

    def count_letters(self) -> dict[str, int]:
        """Return how many names of the list begin with each letter, with all digits as 0."""
        counts = Counter[str]()
        for row in self.list_left():
            counts[row.letter] += row.number
        return counts

    def count_choices(self) -> dict[str, dict[str, int]]:
        """Return how many each choice would leave, with the other filters unchanged."""
        kinds, statuses, held = Counter[str](), Counter[str](), Counter[str]()
        for row in self.list_left(but_for="kind"):
            kinds[row.kind] += row.number
        for row in self.list_left(but_for="status"):
            statuses[row.status] += row.number
        for row in self.list_left(but_for="has"):
            held.update(dict.fromkeys(row.has, row.number))
        return {"kind": kinds, "status": statuses, "has": held}

    def list_left(self, but_for: str = "") -> Iterator[FacetRow]:
        """Yield the rows that the choices leave, ignoring those of one filter."""
        kinds, statuses, held = (
            () if name == but_for else self.chosen.get(name, ())
            for name in ("kind", "status", "has")
        )
        for row in self.rows:
            if (
                (not kinds or row.kind in kinds)
                and (not statuses or row.status in statuses)
                and row.has.issuperset(held)
            ):
                yield row


def count_namespace_facets(
    found: NamespaceQuerySet, chosen: Mapping[str, Collection[str]]
) -> NamespaceFacets:
    """Return the counts of namespaces of `namespaces_for_filters`, without `chosen` applied.

    One query: however many there are, they fall into few groups.
    """
    flags = {
        f"holds_{name}": ExpressionWrapper(condition, output_field=BooleanField())
        for name, condition in HOLDING_CONDITIONS.items()
    }
    grouped = found.order_by().annotate(letter=Substr("nid", 1, 1), **flags)
    counted = grouped.values_list("kind", "status", "letter", *flags).annotate(Count("pk"))
    rows = tuple(
        FacetRow(
            kind,
            status,
            "0" if letter.isdigit() else letter,
            frozenset(name for name, holds in zip(HOLDING_CONDITIONS, held, strict=True) if holds),
            count,
        )
        for kind, status, letter, *held, count in counted
    )
    return NamespaceFacets(rows, chosen)

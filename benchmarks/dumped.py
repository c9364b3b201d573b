"""A registry to dump: a namespace with a locator table."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from registry.enums import NamespaceKind, TableState
from registry.exchange.locator_tables.lines import LocatorRow
from registry.exchange.locator_tables.loader import insert_locators
from registry.models import LocatorTable, Namespace

ROWS_PER_INSERT: Final = 10_000


@transaction.atomic
def fill(rows: int) -> None:
    """Create a namespace with this many locators."""
    namespace = Namespace.objects.create(
        nid="vault", nid_as_registered="vault", kind=NamespaceKind.FORMAL
    )
    now = timezone.now()
    table = LocatorTable.objects.create(
        namespace=namespace,
        file_name="vault.csv",
        state=TableState.CURRENT,
        rows=rows,
        started_at=now,
        moved_at=now,
    )
    for first in range(0, rows, ROWS_PER_INSERT):
        insert_locators(
            table,
            [make_locator(number) for number in range(first, min(first + ROWS_PER_INSERT, rows))],
        )


def make_locator(number: int) -> LocatorRow:
    name = f"accession:{number:09}"
    return LocatorRow(number.to_bytes(16, "big"), name, f"https://vault.example/accessions/{name}")

"""A registry to be dumped: a namespace with a table of locators."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from registry.choices import Kind, TableState
from registry.gateway.lines import Row
from registry.gateway.rows import write
from registry.models import LocatorTable, Namespace

AT_ONCE: Final = 10_000


@transaction.atomic
def fill(rows: int) -> None:
    """Make a namespace with so many locators."""
    namespace = Namespace.objects.create(nid="vault", nid_as_registered="vault", kind=Kind.FORMAL)
    now = timezone.now()
    table = LocatorTable.objects.create(
        namespace=namespace,
        file_name="vault.csv",
        state=TableState.CURRENT,
        rows=rows,
        started_at=now,
        moved_at=now,
    )
    for first in range(0, rows, AT_ONCE):
        write(table, [row(number) for number in range(first, min(first + AT_ONCE, rows))])


def row(number: int) -> Row:
    """Return the locator of one name."""
    name = f"accession:{number:09}"
    return Row(number.to_bytes(16, "big"), name, f"https://vault.example/accessions/{name}")

"""The tables of a namespace, as pages and the API show them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import QuerySet

from registry.choices import TableState
from registry.models import LocatorTable, Namespace

UNDER_WAY: Final = (TableState.WAITING, TableState.LOADING)


def tables_of(namespace: Namespace) -> QuerySet[LocatorTable]:
    """Return all tables ever loaded, or tried, the newest first."""
    return LocatorTable.objects.filter(namespace=namespace).select_related("loaded_by")


def current_table(namespace: Namespace) -> LocatorTable | None:
    """Return the table in use."""
    return tables_of(namespace).filter(state=TableState.CURRENT).first()


def table_under_way(namespace: Namespace) -> LocatorTable | None:
    """Return the table that is being loaded, or waits for it."""
    return tables_of(namespace).filter(state__in=UNDER_WAY).first()


def last_refused(namespace: Namespace) -> LocatorTable | None:
    """Return the last table that came, where it was refused or did not get to its end."""
    last = tables_of(namespace).exclude(state__in=UNDER_WAY).first()
    failed = (TableState.REFUSED, TableState.STOPPED)
    return last if last and last.state in failed else None


def rows_of(table: LocatorTable) -> Iterator[tuple[str, str]]:
    """Yield the names, in full, and the locators of a table, a few thousand at a time."""
    start = f"urn:{table.namespace.nid}:"
    rows = table.locators.order_by("key").values_list("name", "locator")
    for name, locator in rows.iterator(chunk_size=5_000):
        yield start + name, locator

"""Removing the rows of tables that answer no longer, a few at a time."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django_tasks import task

from registry.choices import TableState
from registry.models import Locator, LocatorTable

BATCH: Final = 10_000
KEEPING: Final = (TableState.WAITING, TableState.LOADING, TableState.CURRENT)


@task(priority=-20)
def clear(table_id: int) -> int:
    """Remove all rows of a table that neither answers nor is being loaded; return how many.

    Each batch is a short transaction, so that others get their turn in between.
    """
    if LocatorTable.objects.filter(pk=table_id, state__in=KEEPING).exists():
        return 0
    removed = 0
    while some := remove_some(table_id):
        removed += some
    return removed


@transaction.atomic
def remove_some(table_id: int) -> int:
    """Remove the first rows by their keys."""
    rows = Locator.objects.filter(table_id=table_id)
    keys = rows.order_by("key").values_list("key", flat=True)[:BATCH]
    last = list(keys)[-1:]
    return rows.filter(key__lte=last[0]).delete()[0] if last else 0

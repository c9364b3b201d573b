"""Asking no more rows than somebody reads: counts for badges, and conditions for short lists."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet, Subquery
from django.db.models.lookups import IsNull

MAX_COUNTED: Final = 1000
"""One more than a badge shows."""


def count_for_badge(found: QuerySet[Any]) -> int:
    """Return how many there are, at most `MAX_COUNTED`: it costs no more where there are more."""
    return found.order_by()[:MAX_COUNTED].count()


def has_none(found: QuerySet[Any]) -> IsNull:
    """Return the condition that nothing is `found` for a row, asked of the rows that are looked at.

    For `NOT EXISTS` PostgreSQL may read all that could be found first, which costs a list that ends
    early more than its rows do.
    """
    return IsNull(Subquery(found.order_by().values("pk")[:1]), True)

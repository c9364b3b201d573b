"""Reading no more rows than anybody needs: counts for badges, and conditions for short lists."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet, Subquery
from django.db.models.lookups import IsNull

MAX_COUNTED: Final = 1000
"""One more than a badge shows."""


def count_for_badge(found: QuerySet[Any]) -> int:
    """Return how many there are, at most `MAX_COUNTED`: larger numbers cost no more."""
    return found.order_by()[:MAX_COUNTED].count()


def has_none(found: QuerySet[Any]) -> IsNull:
    """Return the condition that nothing is `found` for a row, checked row by row.

    For `NOT EXISTS` PostgreSQL may first read everything that could be found, which can cost a
    short list more than its own rows do.
    """
    return IsNull(Subquery(found.order_by().values("pk")[:1]), True)

"""Counting for a badge: past a number that nobody reads, how many there are is not asked."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

MAX_COUNTED: Final = 1000
"""One more than a badge shows."""


def count_for_badge(found: QuerySet[Any]) -> int:
    """Return how many there are, at most `MAX_COUNTED`: it costs no more where there are more."""
    return found.order_by()[:MAX_COUNTED].count()

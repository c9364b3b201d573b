"""Limits that hold for all processes together: counted in the database, in single statements.

Django's cache cannot count so: with its database backend `incr` reads first and writes then.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.db.models import F
from django.utils import timezone

from registry.models import RateLimit

MINUTE: Final = datetime.timedelta(minutes=1)
DAY: Final = datetime.timedelta(days=1)
KEPT_AFTER_EXPIRY: Final = datetime.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Usage:
    """One use of a limit, which can be given back."""

    key: str
    expires_at: datetime.datetime


def consume(key: str, limit: int, span: datetime.timedelta) -> Usage | None:
    """Take one of `limit` uses in a span of time; return nothing where none is left."""
    now = timezone.now()
    own = RateLimit.objects.filter(pk=key)
    fresh = {"expires_at": now + span, "used": 0}
    row, _is_new = RateLimit.objects.get_or_create(pk=key, defaults=fresh)
    if row.expires_at <= now:
        own.filter(expires_at__lte=now).update(**fresh)
        row.expires_at = now + span
    if not own.filter(used__lt=limit).update(used=F("used") + 1):
        return None
    return Usage(key, row.expires_at)


def give_back(usage: Usage) -> None:
    """Undo one use, unless another span has begun since."""
    own = RateLimit.objects.filter(pk=usage.key, expires_at=usage.expires_at, used__gt=0)
    own.update(used=F("used") - 1)


def is_exhausted(key: str, limit: int) -> bool:
    """Whether no use is left."""
    spent = RateLimit.objects.filter(pk=key, used__gte=limit, expires_at__gt=timezone.now())
    return spent.exists()


def find_expiry(key: str) -> datetime.datetime | None:
    """Return when the span ends that is counted now."""
    return RateLimit.objects.filter(pk=key).values_list("expires_at", flat=True).first()


def delete_expired(now: datetime.datetime) -> int:
    """Delete what is no longer counted; return how many rows."""
    deleted, _rows = RateLimit.objects.filter(expires_at__lt=now - KEPT_AFTER_EXPIRY).delete()
    return deleted

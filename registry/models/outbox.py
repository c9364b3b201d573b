"""What waits to be sent to others, written in the transaction of the act it tells of."""

from __future__ import annotations

import datetime
from typing import ClassVar, Self, TypeVar

from django.db import models
from django.db.models import F

M = TypeVar("M", bound=models.Model)


class Outbox(models.QuerySet[M]):
    """Sentences about rows that workers take in hand: `attempts`, `not_before`, and an end.

    `ends` are the columns of which one says when nothing more will be tried.
    """

    ends: ClassVar[tuple[str, ...]]

    def waiting(self) -> Self:
        """Return those that have not come to an end."""
        return self.filter(**{f"{name}__isnull": True for name in self.ends})

    def ripe(self, now: datetime.datetime) -> Self:
        """Return those waiting that may be tried now: in nobody's hand, and after any rest."""
        may_be_tried = models.Q(not_before__isnull=True) | models.Q(not_before__lte=now)
        return self.waiting().filter(may_be_tried)

    def take(self, pk: int, now: datetime.datetime, until: datetime.datetime) -> bool:
        """Take one in hand until then, for this worker alone; whether it was to be had now."""
        taken = self.ripe(now).filter(pk=pk)
        return bool(taken.update(attempts=F("attempts") + 1, not_before=until))

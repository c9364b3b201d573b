"""Numbers without gaps or doubles, and how much of each limit is used up."""

from __future__ import annotations

from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _


class CounterManager(models.Manager["Counter"]):
    """Takes numbers, one after another."""

    def take(self, name: str) -> int:
        """Return the next number of the counter `name`; call it inside a transaction.

        The row stays locked until that transaction ends, so a number is used or given back
        with the change that needed it. A database sequence would leave gaps.
        """
        self.get_or_create(name=name)
        self.filter(name=name).update(value=F("value") + 1)
        return self.get(name=name).value

    def expected(self, name: str) -> int:
        """Return the number that `take` would give now, holding nothing."""
        return 1 + (self.filter(name=name).values_list("value", flat=True).first() or 0)

    def raise_to(self, name: str, value: int) -> None:
        """Have the counter `name` continue after `value`, never lower than it stands."""
        self.get_or_create(name=name)
        self.filter(name=name, value__lt=value).update(value=value)


class Counter(models.Model):
    """The last number given in one series, such as `informal` or `request-2026`."""

    INFORMAL = "informal"
    EVENT = "event"
    SHOWN = "shown"

    name = models.CharField(max_length=40, primary_key=True)
    value = models.PositiveIntegerField(default=0)

    objects = CounterManager()

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class RateLimit(models.Model):
    """How much is used up of one limit, until the span ends that is counted now."""

    key = models.CharField(
        max_length=200, primary_key=True, help_text=_("What is limited, and for whom.")
    )
    used = models.PositiveIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key

"""How many days everything takes, and which days count: those on which the scheduler ran."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

ONE_DAY: Final = datetime.timedelta(1)
MAX_HOLD_DAYS: Final = 365


def make_days_field(
    label: Any, default: int, limit: int = 3_650
) -> models.PositiveSmallIntegerField[Any, Any]:
    """Return a column with a number of days, from 1 to `limit`."""
    validators = [MinValueValidator(1), MaxValueValidator(limit)]
    return models.PositiveSmallIntegerField(label, default=default, validators=validators)


class Dates(models.Model):
    """How many days each period of the process takes; there is at most one row."""

    decision_days = make_days_field(_("a decision is promised and comments are invited"), 28)
    first_reminder_days = make_days_field(_("first reminder"), 7)
    second_reminder_days = make_days_field(_("second reminder"), 14)
    third_reminder_days = make_days_field(_("third reminder; somebody else can act"), 30)
    repeat_days = make_days_field(_("between later reminders"), 30)
    idle_days = make_days_field(_("an idle request expires"), 180)
    waiting_days = make_days_field(_("waiting period where somebody on record is there"), 7)
    long_waiting_days = make_days_field(_("waiting period where nobody is, in public"), 28)
    appeal_days = make_days_field(_("a decision can be appealed"), 60)
    hold_days = make_days_field(_("an identifier is held back at most"), 365, MAX_HOLD_DAYS)

    class Meta:
        verbose_name = verbose_name_plural = _("dates")
        constraints = [models.CheckConstraint(name="dates_one_row", condition=models.Q(pk=1))]

    def __str__(self) -> str:
        return str(_("How many days each period takes"))

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse reminders that are not in order."""
        super().clean()
        days = (self.first_reminder_days, self.second_reminder_days, self.third_reminder_days)
        if None not in days and not days[0] < days[1] < days[2]:
            raise ValidationError(_("Each reminder comes after the one before it."))

    @property
    def comment_days(self) -> int:
        """For how many days comments on a round are invited: until a decision is promised."""
        return int(self.decision_days)


class SchedulerDayManager(models.Manager["SchedulerDay"]):
    def record(self, day: datetime.date) -> None:
        """Record that the scheduler runs on `day`; a clock that was ahead may be right again."""
        earlier = self.filter(day__lt=day).last()
        lost = (day - earlier.day).days - 1 if earlier else 0
        _row, is_new = self.get_or_create(day=day, defaults={"lost_before": lost})
        if is_new and (later := self.filter(day__gt=day).first()):
            later.lost_before = (later.day - day).days - 1
            later.save(update_fields=["lost_before"])


class SchedulerDay(models.Model):
    """A day on which the scheduler ran; `lost_before` is how many days before it it did not."""

    day = models.DateField(_("day"), primary_key=True)
    lost_before = models.PositiveIntegerField(_("days lost before"), default=0)

    objects = SchedulerDayManager()

    class Meta:
        ordering = ["day"]
        verbose_name = _("day of the scheduler")
        verbose_name_plural = _("days of the scheduler")

    def __str__(self) -> str:
        return self.day.isoformat()


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates, and the days that count for no period: the first and the last of each run.

    Days before the scheduler first ran count. Whoever computes many periods loads it once.
    """

    dates: Dates
    lost: tuple[tuple[datetime.date, datetime.date], ...]

    def add_days(self, since: datetime.datetime, days: float) -> datetime.datetime:
        """Return the moment at which `days` days that count will have passed."""
        at, first_day = since + days * ONE_DAY, timezone.localdate(since)
        for first, last in self.lost:
            first = max(first, first_day)
            if first <= last and first <= timezone.localdate(at):
                at += last - first + ONE_DAY
        return at

    def subtract_days(self, until: datetime.datetime, days: float) -> datetime.datetime:
        """Return the moment since which `days` days that count have passed."""
        at = until - days * ONE_DAY
        for first, last in reversed(self.lost):
            if timezone.localdate(at) <= last and first <= timezone.localdate(until):
                at -= last - first + ONE_DAY
        return at

    def count_days(self, since: datetime.datetime, until: datetime.datetime) -> int:
        """Return how many whole days that count passed between two moments."""
        first_day, last_day = timezone.localdate(since), timezone.localdate(until)
        lost = sum(
            max(0, (min(last, last_day) - max(first, first_day)).days + 1)
            for first, last in self.lost
        )
        return max(0, (until - since).days - lost)


def load_calendar() -> Calendar:
    """Return the dates, and which days are lost by today; two queries.

    Today counts as long as the scheduler can still run.
    """
    today = timezone.localdate()
    ran = SchedulerDay.objects.filter(day__lte=today)
    last_run = ran.order_by("-day").values("day")[:1]
    rows = list(ran.filter(models.Q(lost_before__gt=0) | models.Q(day=models.Subquery(last_run))))
    lost = [(row.day - row.lost_before * ONE_DAY, row.day - ONE_DAY) for row in rows]
    if rows:
        lost.append((rows[-1].day + ONE_DAY, today - ONE_DAY))
    return Calendar(load_dates(), tuple((first, last) for first, last in lost if first <= last))


def load_dates() -> Dates:
    """Return how many days each period takes now."""
    return Dates.objects.first() or Dates()


def count_days(since: datetime.datetime, until: datetime.datetime) -> int:
    """Return how many whole days passed, without those on which the scheduler did not run."""
    return load_calendar().count_days(since, until)


def add_days(since: datetime.datetime, days: float) -> datetime.datetime:
    """Return the moment at which `days` days will have passed, without those lost by today."""
    return load_calendar().add_days(since, days)

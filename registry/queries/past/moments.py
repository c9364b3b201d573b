"""Moments that are asked about, and dates that are known in part.

A day, month or year that is asked about means its end, in UTC; one that is not over means now. A
namespace registered in "2004" was so at the end of 2004 for certain, within 2004 perhaps, and
before it not.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from registry.models import Event, Namespace
from registry.validators import PARTIAL_DATE

MONTHS: Final = 12


class NoSuchMoment(Exception):
    """The text is no moment, or one of which nothing is known; the words are fit to show."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The instant up to which everything counts that had happened, itself left out."""

    at: datetime.datetime

    def is_after(self, date: str) -> bool:
        """Whether a date known in part was over."""
        return span(date)[1] <= self.at

    def is_before(self, date: str) -> bool:
        """Whether a date known in part had not begun."""
        return self.at <= span(date)[0]


def moment_of(text: str, now: datetime.datetime | None = None) -> Moment:
    """Return the moment that `text` names; raise `NoSuchMoment` where it names none."""
    present = now or timezone.now()
    begins, ends = read(text)
    if begins > present:
        raise NoSuchMoment(_("“%(text)s” has not come yet.") % {"text": text})
    moment, first = Moment(min(ends, present)), first_fact()
    if first is None or moment.is_before(first):
        words = _("The registry knows of nothing before %(first)s.")
        raise NoSuchMoment(words % {"first": first or _("today")})
    return moment


def read(text: str) -> tuple[datetime.datetime, datetime.datetime]:
    """Return when what `text` names begins, and when it is over."""
    if PARTIAL_DATE.fullmatch(text):
        try:
            return span(text)
        except (ValueError, OverflowError):
            raise no_date(text) from None
    try:
        instant = parse_datetime(re.sub(r"(?<=\d)[tT ](?=\d)", "T", text))
    except ValueError:
        raise no_date(text) from None
    if instant is None or instant.tzinfo is None:
        raise no_date(text)
    try:
        return (exact := instant.astimezone(datetime.UTC)), exact
    except OverflowError:
        raise no_date(text) from None


def no_date(text: str) -> NoSuchMoment:
    """Return what is said of a text that is no date."""
    words = _("“%(text)s” is no date. Write 2026-11-20, 2026-11, 2026 or 2026-11-20T12:00:00Z.")
    return NoSuchMoment(words % {"text": text})


def span(date: str) -> tuple[datetime.datetime, datetime.datetime]:
    """Return when a year, month or day begins in UTC, and when it is over."""
    parts = [int(part) for part in date.split("-")]
    year, month, day = (*parts, 1, 1)[:3]
    first = datetime.datetime(year, month, day, tzinfo=datetime.UTC)
    if len(parts) == 1:
        return first, first.replace(year=year + 1)
    if len(parts) == 2:
        later = (year + 1, 1) if month == MONTHS else (year, month + 1)
        return first, first.replace(year=later[0], month=later[1])
    return first, first + datetime.timedelta(1)


def first_fact() -> str | None:
    """Return the day, month or year of the oldest thing that the registry knows of."""
    dated = Namespace.objects.exclude(registered_on="").order_by("registered_on")
    oldest = dated.values_list("registered_on", flat=True).first()
    line = Event.objects.order_by("number").values_list("at", flat=True).first()
    known = [each for each in (oldest, line and f"{line:%Y-%m-%d}") if each]
    return min(known, default=None)

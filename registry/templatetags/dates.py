"""Dates and ages in the words of pages; the year is left out within the current year."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final

from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _, ngettext

from registry.selectors.turns import DatedSentence

_PARTIAL_DATE_PATTERN: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


def human_date(value: date | str | None) -> str:
    """ "4 December", "4 December 2018", and at the precision it has: "October 2018", "2018".

    An empty value is "not known"; a text that is no date is shown as it is.
    """
    if not value:
        return _("not known")
    if isinstance(value, str):
        return _format_partial_date(value)
    day = _convert_to_day(value)
    return date_format(day, "j F" if day.year == timezone.localdate().year else "j F Y")


def human_time(value: datetime | None) -> str:
    """ "4 December, 14:32 UTC": public pages say which clock they go by."""
    if not value:
        return _("not known")
    return _("%(day)s, %(time)s UTC") % {
        "day": human_date(value),
        "time": f"{_convert_to_utc(value):%H:%M}",
    }


def age(value: date | None) -> str:
    """How long ago, or in how long, in days: "today", "1 day", "3 days", "in 3 days"."""
    if not value:
        return ""
    days = (timezone.localdate() - _convert_to_day(value)).days
    if days == 0:
        return _("today")
    if days < 0:
        return ngettext("in %(days)d day", "in %(days)d days", -days) % {"days": -days}
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}


def dated(sentence: DatedSentence) -> str:
    """The sentence with its day in it."""
    return str(sentence.words) % {"day": human_date(sentence.day)}


def _format_partial_date(text: str) -> str:
    match = _PARTIAL_DATE_PATTERN.fullmatch(text)
    if not match:
        return text
    year, month, day = match.groups()
    try:
        if day:
            return human_date(date.fromisoformat(text))
        return date_format(date(int(year), int(month), 1), "F Y") if month else year
    except ValueError:
        return text


def _convert_to_day(value: date) -> date:
    return timezone.localdate(value) if isinstance(value, datetime) else value


def _convert_to_utc(value: datetime) -> datetime:
    return value.astimezone(UTC)

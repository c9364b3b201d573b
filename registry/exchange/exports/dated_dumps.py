"""Dumps of earlier days, each at an address of its own whose content never changes.

The last dump of a day is kept for a configured number of days. Its address has the day of its last
change and the beginning of its digest, so it stands for exactly these octets. If something in it
has since been hidden from readers, it is refused, and removed with the next build.
"""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.utils import timezone

from registry.models import BuiltExport, Event
from registry.models.export import DUMP_NAME

DIGEST_DIGITS: Final = 12
HIDING_VERBS: Final = ("hide_message", "admin.forget")
"""Events after which a file with people's words and names may contain too much."""


def find_dated_name(built: BuiltExport) -> str:
    """Return day and digest for the address, or empty for a file that is not kept by day."""
    if built.name != DUMP_NAME or built.changed_at is None:
        return ""
    day = built.changed_at.astimezone(datetime.UTC).date()
    return f"{day.isoformat()}-{built.sha256[:DIGEST_DIGITS]}"


def find_dated_build(dated: str) -> BuiltExport | None:
    """Return the dump of this day and digest, or None if it is no longer kept."""
    builds = BuiltExport.objects.newest_first(DUMP_NAME)
    return next((each for each in builds if find_dated_name(each) == dated), None)


def has_hidden_since(built: BuiltExport) -> bool:
    """Whether something was hidden from readers after the file was built."""
    return Event.objects.filter(number__gt=built.line, verb__in=HIDING_VERBS).exists()


def list_dated_builds(now: datetime.datetime | None = None) -> list[BuiltExport]:
    """Return the last dump of each day that is kept, newest first."""
    first = (now or timezone.now()) - datetime.timedelta(days=settings.REGISTRY_DATED_DUMPS)
    by_day: dict[datetime.date, BuiltExport] = {}
    for built in BuiltExport.objects.newest_first(DUMP_NAME):
        if built.changed_at and built.built_at > first and not has_hidden_since(built):
            by_day.setdefault(built.changed_at.astimezone(datetime.UTC).date(), built)
    return list(by_day.values())

"""Which requests the scheduler looks at: those with something due, or with new events.

For each request it has looked at, it records when something is due next if nothing happens. What
happens is in the journal, or recorded by the scheduler itself (`RequestCheck.objects.schedule`): so
a tick reads what is due and what was done since the last one, however many requests are live.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from django.conf import settings
from django.db import transaction
from django.forms.models import model_to_dict

from registry import journal
from registry.batches import batched
from registry.models import (
    ClockPosition,
    Event,
    RegistrationRequest,
    RequestCheck,
)
from registry.models.dates import load_calendar
from registry.selectors.deadlines import (
    Deadline,
    find_next_time,
    is_rota_due,
    list_due_deadlines,
)
from registry.selectors.request_clock import RequestClock, read_request_clocks

BATCH_SIZE: Final = 100
"""How many requests are read together; nobody acts on them meanwhile."""
ONLY_POSITION: Final = 1


def iterate_due_requests(
    now: datetime.datetime,
) -> Iterator[tuple[RequestClock, list[Deadline]]]:
    """Yield the requests for which something is due, with what has not been done yet.

    They stay due until it is done. An interrupted tick skips nothing: how far the scheduler has
    looked is recorded only at the end.
    """
    last_line = journal.find_last_number()
    keys = list_keys_to_look_at(now, last_line)
    for some in batched(keys, BATCH_SIZE):
        yield from look_at_requests(some, now)
    facts = {"last_line": last_line, "settings_sha256": digest_calendar()}
    ClockPosition.objects.update_or_create(pk=ONLY_POSITION, defaults=facts)


def list_keys_to_look_at(now: datetime.datetime, last_line: int) -> list[int]:
    """Return the keys of requests that are due, or have events up to `last_line`.

    If the scheduler has never looked, or did so with other dates, those of all live requests.
    """
    position = ClockPosition.objects.filter(settings_sha256=digest_calendar()).first()
    if position is None:
        return list(RegistrationRequest.objects.live().order_by("pk").values_list("pk", flat=True))
    told = Event.objects.filter(
        number__gt=position.last_line,
        number__lte=last_line,
        registration_request__isnull=False,
    )
    due = RequestCheck.objects.filter(due_at__lte=now).values_list("pk", flat=True)
    moved = told.order_by().values_list("registration_request", flat=True).distinct()
    return sorted({*due.iterator(), *moved.iterator()})


def look_at_requests(
    keys: Sequence[int], now: datetime.datetime
) -> list[tuple[RequestClock, list[Deadline]]]:
    """Return the requests for which something is due; record when to look at each again."""
    due, times = [], {}
    with transaction.atomic():
        # The lock keeps anybody from scheduling an earlier look while the old state is being read.
        held = RegistrationRequest.objects.live().select_for_update(no_key=True)
        requests = list(held.filter(pk__in=keys).order_by("pk"))
        for standing in read_request_clocks(requests):
            key = standing.registration_request.pk
            left = list(list_due_deadlines(standing, now))
            if left or is_rota_due(standing, now):
                due.append((standing, left))
                times[key] = now
            elif following := find_next_time(standing, now):
                times[key] = following
        RequestCheck.objects.filter(pk__in=set(keys) - times.keys()).delete()
        RequestCheck.objects.schedule(times)
    return due


def digest_calendar() -> str:
    """Return the digest of what deadlines are computed from: dates, lost days and the time zone."""
    calendar = load_calendar()
    text = repr((settings.TIME_ZONE, model_to_dict(calendar.dates), calendar.lost))
    return hashlib.sha256(text.encode()).hexdigest()

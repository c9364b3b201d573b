"""Which requests the clock looks at: whose time has come, and of which the journal tells more.

Of each request that was looked at it is noted when something is due next, if nothing happens. What
happens stands in the journal, or is noted by the clock itself (`RequestCheck.objects.schedule`): so
a tick reads what is due and what was done since the last one, however many requests are live.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from django.conf import settings
from django.db import transaction

from registry import journal
from registry.models import (
    ClockPosition,
    Event,
    RegistrationRequest,
    Reminder,
    RequestCheck,
)
from registry.selectors.deadlines import (
    Deadline,
    find_next_time,
    is_rota_due,
    list_due_deadlines,
)
from registry.selectors.request_clock import RequestClock, read_request_clocks

BATCH_SIZE: Final = 100
"""So many requests are read together; nobody acts on them meanwhile."""
ONLY_POSITION: Final = 1
DEADLINE_SETTINGS: Final = (
    "TIME_ZONE",
    "REGISTRY_DECISION_DAYS",
    "REGISTRY_PUBLISH_DAYS",
    "REGISTRY_DIRECTION_DAYS",
    "REGISTRY_FIRST_ANSWER_WORKING_DAYS",
    "REGISTRY_ROTA_WORKING_DAYS",
    "REGISTRY_ESCALATION_DAYS",
    "REGISTRY_REMINDER_DAYS",
    "REGISTRY_REPEAT_DAYS",
    "REGISTRY_EXPIRE_DAYS",
)
"""By what deadlines are reckoned: where one has changed, all requests are looked at."""


def iterate_due_requests(
    now: datetime.datetime,
) -> Iterator[tuple[RequestClock, list[Deadline]]]:
    """Yield the requests for which something is due, with what was not done yet.

    Until it is done they are due. Nothing is passed over by a tick that is cut short: up to which
    line the clock has looked is noted at the end.
    """
    last_line = journal.find_last_number()
    keys = list_keys_to_look_at(now, last_line)
    for start in range(0, len(keys), BATCH_SIZE):
        yield from look_at_requests(keys[start : start + BATCH_SIZE], now)
    facts = {"last_line": last_line, "settings_sha256": digest_deadline_settings()}
    ClockPosition.objects.update_or_create(pk=ONLY_POSITION, defaults=facts)


def list_keys_to_look_at(now: datetime.datetime, last_line: int) -> list[int]:
    """Return the keys of requests that are due, or that lines until the last one tell of.

    Of all that are live where the clock has never looked, or by other settings.
    """
    position = ClockPosition.objects.filter(settings_sha256=digest_deadline_settings()).first()
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
    """Return those of the requests for which something is due; note when to look at each again."""
    due, times = [], {}
    with transaction.atomic():
        # Nobody notes that one is to be looked at sooner while it is read as it was before.
        held = RegistrationRequest.objects.live().select_for_update(no_key=True)
        requests = list(held.filter(pk__in=keys).order_by("pk"))
        given = list_given_reminders(requests)
        for standing in read_request_clocks(requests):
            key = standing.registration_request.pk
            left = [
                each
                for each in list_due_deadlines(standing, now)
                if (key, each.kind, each.since) not in given
            ]
            if left or is_rota_due(standing, now):
                due.append((standing, left))
                times[key] = now
            elif following := find_next_time(standing, now):
                times[key] = following
        RequestCheck.objects.filter(pk__in=set(keys) - times.keys()).delete()
        RequestCheck.objects.schedule(times)
    return due


def list_given_reminders(
    requests: Sequence[RegistrationRequest],
) -> set[tuple[int, str, datetime.datetime]]:
    """Return what was reminded of these requests, each by its key: of what, and since when."""
    given = Reminder.objects.filter(registration_request__in=requests)
    return set(given.values_list("registration_request_id", "kind", "since"))


def digest_deadline_settings() -> str:
    """Return the digest of the settings by which deadlines are reckoned."""
    said = repr([(name, getattr(settings, name)) for name in DEADLINE_SETTINGS])
    return hashlib.sha256(said.encode()).hexdigest()

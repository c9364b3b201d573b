"""What a person has seen of each request and the queue."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.db.models import Max
from django.utils import timezone

from registry.database import left_out_if_read_only
from registry.models import (
    ReadMarker,
    RegistrationRequest,
    User,
)

SESSION_GAP: Final = datetime.timedelta(minutes=30)
"""Someone who returns to the queue sooner has not been away."""


def mark_request_read(person: User, registration_request: RegistrationRequest) -> None:
    """Record that `person` has seen all events of the request up to now."""
    last = registration_request.events.aggregate(last=Max("number"))["last"]
    seen = {"at": timezone.now(), "last_event": last or 0}
    who_and_what: dict[str, Any] = {"person": person, "registration_request": registration_request}
    with left_out_if_read_only():
        # The row nearly always exists, and updating it takes one statement.
        if not ReadMarker.objects.filter(**who_and_what).update(**seen):
            ReadMarker.objects.update_or_create(**who_and_what, defaults=seen)


def mark_queue_read(person: User) -> datetime.datetime | None:
    """Record that `person` looks at the queue now; return when they last did."""
    before = person.queue_seen_at
    person.queue_seen_at = timezone.now()
    with left_out_if_read_only():
        person.save(update_fields=["queue_seen_at"])
    return before


def is_new_session(before: datetime.datetime | None) -> bool:
    """Whether somebody who last looked at `before` has been away since."""
    return before is None or timezone.now() - before > SESSION_GAP

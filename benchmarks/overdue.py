"""A registry whose clock has looked at all requests, so that some of them alone are due."""

from __future__ import annotations

import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from registry import journal
from registry.due_requests import ONLY_POSITION, digest_deadline_settings
from registry.enums import State
from registry.models import ClockPosition, RegistrationRequest, RequestCheck

LONGER_THAN_PROMISED: Final = datetime.timedelta(31)
LATER: Final = datetime.timedelta(1)
BATCH: Final = 5_000


@transaction.atomic
def leave_overdue(count: int) -> None:
    """Have the clock look at so many requests of which a reminder is due, and at no others today.

    As where it was called lately: all live requests are known to it.
    """
    now = timezone.now()
    live = RegistrationRequest.objects.live().order_by("pk")
    overdue = live.filter(state=State.IN_REVIEW, state_since__lt=now - LONGER_THAN_PROMISED)
    due = set(overdue.values_list("pk", flat=True)[:count])
    RequestCheck.objects.all().delete()
    RequestCheck.objects.bulk_create(
        (
            RequestCheck(registration_request_id=key, due_at=now if key in due else now + LATER)
            for key in live.values_list("pk", flat=True).iterator()
        ),
        batch_size=BATCH,
    )
    facts = {
        "last_line": journal.find_last_number(),
        "settings_sha256": digest_deadline_settings(),
    }
    ClockPosition.objects.update_or_create(pk=ONLY_POSITION, defaults=facts)
    print(f"Requests left overdue: {len(due)}.")

"""A registry whose scheduler has looked at all requests, so that only some are due."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from itertools import islice
from typing import Final

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from registry import journal
from registry.due_requests import ONLY_POSITION, digest_deadline_settings
from registry.enums import Role
from registry.models import ClockPosition, RegistrationRequest, RequestCheck, User
from registry.selectors.deadlines import list_due_deadlines
from registry.selectors.request_clock import read_request_clocks

LATER: Final = datetime.timedelta(1)
BATCH: Final = 5_000
READ_TOGETHER: Final = 500


@transaction.atomic
def leave_overdue(count: int) -> None:
    """Make `count` requests due for a reminder from the scheduler, and no others today.

    As if it ran recently: it knows all live requests. Somebody holds each office that is notified
    of late requests.
    """
    now = timezone.now()
    for role in (Role.LEAD, Role.STANDARDS_BODY):
        add_officer(role)
    live = RegistrationRequest.objects.live().order_by("pk")
    due = set(islice(iterate_overdue(now), count))
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


def iterate_overdue(now: datetime.datetime) -> Iterator[int]:
    """Yield the keys of requests due for a reminder, without those that would expire."""
    keys = RegistrationRequest.objects.live().order_by("pk").values_list("pk", flat=True)
    every = list(keys)
    for start in range(0, len(every), READ_TOGETHER):
        together = RegistrationRequest.objects.filter(pk__in=every[start : start + READ_TOGETHER])
        for standing in read_request_clocks(list(together.order_by("pk"))):
            due = list(list_due_deadlines(standing, now))
            if due and not any(each.is_expiry for each in due):
                yield standing.registration_request.pk


def add_officer(role: Role) -> None:
    """Give one more person an office."""
    address = f"{role}@people.example"
    person = User.objects.create_user(address, name=role.label)
    person.emailaddress_set.create(email=address, verified=True, primary=True)
    person.groups.add(Group.objects.get_or_create(name=role)[0])
    Authenticator.objects.create(user=person, type=Authenticator.Type.WEBAUTHN, data={})

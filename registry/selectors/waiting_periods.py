"""How long a change waits before it takes effect, so that whoever loses by it can object first."""

from __future__ import annotations

import datetime
from typing import Final

from django.db.models import Q
from django.utils import timezone

from registry.models import Namespace, Organization, Speaker
from registry.models.dates import load_dates

ONE_YEAR: Final = datetime.timedelta(365)


def find_waiting_days(subject: Organization | Namespace) -> int:
    """Return how many days a change waits that a body, or the holder of a namespace, loses by.

    None for a body that holds nothing, is not recognised and has nobody yet; few where somebody on
    record has signed in or answered a letter within a year; else many, and there is a public
    notice.
    """
    body = subject if isinstance(subject, Organization) else subject.registrant
    about = Speaker.objects.about(body) if body else Speaker.objects.filter(namespace=subject.pk)
    acting = about.in_effect().filter(person__is_active=True)
    held = Namespace.objects.filter(Q(registrant=body) if body else Q(pk=subject.pk))
    if body and not body.is_recognised and not held.exists() and not acting.exists():
        return 0
    year_ago = timezone.now() - ONE_YEAR
    is_there = acting.filter(Q(person__last_login__gte=year_ago) | Q(confirmed_at__gte=year_ago))
    dates = load_dates()
    if is_there.exists() or held.filter(contact_confirmed_on__gte=year_ago.date()).exists():
        return int(dates.waiting_days)
    return int(dates.long_waiting_days)

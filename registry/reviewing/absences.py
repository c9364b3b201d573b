"""Days on which experts are away.

They are a person's own affair: kept while they matter, and not written into the journal.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from registry.models import Absence, User


def ahead(expert: User) -> QuerySet[Absence]:
    """Return the absences of `expert` that are not over, the next one first."""
    return expert.absences.filter(last_day__gte=timezone.localdate())


def away_today() -> Mapping[int, datetime.date]:
    """Return until when each expert who is away today stays so, by their key."""
    today = timezone.localdate()
    now = Absence.objects.filter(first_day__lte=today, last_day__gte=today)
    return dict(now.order_by("expert").values_list("expert").annotate(until=Max("last_day")))


@transaction.atomic
def add(expert: User, first_day: datetime.date, last_day: datetime.date) -> Absence:
    """Note that `expert` is away from one day to another, both included.

    What these days overlap becomes one with them, so that a second click changes nothing.
    """
    same = expert.absences.filter(first_day__lte=last_day, last_day__gte=first_day)
    known = list(same)
    same.delete()
    return Absence.objects.create(
        expert=expert,
        first_day=min([first_day, *(each.first_day for each in known)]),
        last_day=max([last_day, *(each.last_day for each in known)]),
    )

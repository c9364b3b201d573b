"""Experts' absences, and the rota that assigns the next of them to a request."""

from __future__ import annotations

import datetime

from django.db import transaction

from registry import permissions
from registry.models import (
    Absence,
    Event,
    RegistrationRequest,
    User,
)
from registry.permissions import Person
from registry.selectors.experts import find_next_expert
from registry.workflow import perform

# Absences are private: kept while they matter, and not in the journal.


@transaction.atomic
def add_absence(expert: User, first_day: datetime.date, last_day: datetime.date) -> Absence:
    """Record that `expert` is away from one day to another, both included.

    Overlapping absences are merged, so a second click changes nothing.
    """
    same = expert.absences.filter(first_day__lte=last_day, last_day__gte=first_day)
    known = list(same)
    same.delete()
    return Absence.objects.create(
        expert=expert,
        first_day=min([first_day, *(each.first_day for each in known)]),
        last_day=max([last_day, *(each.last_day for each in known)]),
    )


def assign_next_expert(
    registration_request: RegistrationRequest,
    *,
    actor: Person = permissions.CLOCK,
    seen: int | None = None,
) -> Event | None:
    """Assign the next expert on the rota; return None, having done nothing, if there is none."""
    expert = find_next_expert(registration_request)
    if expert is None:
        return None
    return perform(registration_request, "assign", actor=actor, seen=seen, expert=expert)

"""Days on which experts are away, and the rota that puts the next of them on a request."""

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

# They are a person's own affair: kept while they matter, and not written into the journal.


@transaction.atomic
def add_absence(expert: User, first_day: datetime.date, last_day: datetime.date) -> Absence:
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


def assign_next_expert(
    registration_request: RegistrationRequest,
    *,
    actor: Person = permissions.CLOCK,
    seen: int | None = None,
) -> Event | None:
    """Put the next expert of the rota on the request; None, and nothing done, without one."""
    expert = find_next_expert(registration_request)
    if expert is None:
        return None
    return perform(registration_request, "assign", actor=actor, seen=seen, expert=expert)

"""The rota: whose turn it is to be put on a request."""

from __future__ import annotations

from django.db.models import F, Q

from registry import rules
from registry.choices import Role
from registry.models import Event, RegistrationRequest, User
from registry.reviewing.candidates import candidates
from registry.rules import Person
from registry.workflow import perform


def next_expert(registration_request: RegistrationRequest) -> User | None:
    """Return the designated expert whose turn it is; None where nobody is free to judge.

    Of those who may join and are not away: whoever has the fewest open requests, then whoever
    was put on one the longest ago, then whoever has been here longest. The lead hands work
    out, and is in the rota only as a designated expert too.
    """
    free = candidates(registration_request, Role.EXPERT).filter(Q(barrier="", away_until=None))
    turn = (F("open_assignments"), F("last_assigned_at").asc(nulls_first=True), "pk")
    return free.order_by(*turn).first()


def assign(
    registration_request: RegistrationRequest,
    *,
    actor: Person = rules.CLOCK,
    seen: int | None = None,
) -> Event | None:
    """Put the next expert of the rota on the request; None, and nothing done, without one."""
    expert = next_expert(registration_request)
    if expert is None:
        return None
    return perform(registration_request, "assign", actor=actor, seen=seen, expert=expert)

"""How the course of a request is told: its stages, and for whom it waits."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _, ngettext

from registry import queries
from registry.choices import ENDS, Path, State, Turn
from registry.models import RegistrationRequest, Round
from registry.queries.waiting import Waiting, approved_at, days_late, lateness

DECIDING = frozenset({State.REPORTED, State.APPEALED, State.DECLINED})
"""The last round is read and spoken of; what is open, or was said, is the decision."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage on the way: when it was or is promised for, and whether it is over or now."""

    name: str
    note: str = ""
    since: datetime.datetime | datetime.date | None = None
    until: datetime.datetime | None = None
    promised: datetime.date | None = None
    late: str = ""
    done: bool = False
    current: bool = False


def stages(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: Waiting
) -> list[Stage]:
    """Return the stages of a request whose rounds sent are `rounds`, oldest first."""
    return [
        *past(rounds),
        present(registration_request, rounds, waiting),
        *ahead(registration_request, rounds, waiting),
    ]


def past(rounds: Sequence[Round]) -> list[Stage]:
    """Return what is over: the first arrival, and the rounds before the last two as one."""
    if not rounds:
        return []
    over = [Stage(_("Received"), since=rounds[0].submitted_at, done=True)]
    if len(rounds) > 2:
        name = _("Rounds 1 to %(last)d") % {"last": len(rounds) - 2}
        until = rounds[-2].submitted_at
        over.append(Stage(name, since=rounds[0].submitted_at, until=until, done=True))
    if len(rounds) > 1:
        earlier = rounds[-2]
        name = _("Round %(number)d") % {"number": earlier.number}
        until = rounds[-1].submitted_at
        over.append(Stage(name, since=earlier.submitted_at, until=until, done=True))
    return over


def present(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: Waiting
) -> Stage:
    """Return the last round sent, or the draft where none was."""
    state = State(registration_request.state)
    is_over = state in ENDS | DECIDING | {State.APPROVED}
    if not rounds:
        return Stage(
            _("Draft"),
            since=registration_request.created_at,
            done=is_over,
            current=not is_over,
        )
    last = rounds[-1]
    name = _("Round %(number)d") % {"number": last.number}
    if is_over:
        return Stage(name, since=last.submitted_at, done=True)
    return Stage(
        f"{name}, {state.label.lower()}",
        waits_for(waiting),
        since=waiting.since,
        late=waiting.late if waiting.turn == Turn.LEAD else "",
        current=True,
    )


def ahead(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: Waiting
) -> list[Stage]:
    """Return decision and registration, each with its own clock, or the end without them."""
    about = registration_request, rounds, waiting
    state, since = State(registration_request.state), registration_request.state_since
    if state in ENDS - {State.REGISTERED}:
        return [Stage(str(state.label), since=since, current=True)]
    decided = [] if registration_request.changes_facts else [decision(*about)]
    if state == State.DECLINED:
        return decided
    if state == State.REGISTERED:
        return [*decided, Stage(_("Registered"), since=since, current=True)]
    if state == State.APPROVED:
        return [*decided, registration(waiting)]
    return [*decided, Stage(_("Registration"), _("By the registrar"))]


def decision(
    registration_request: RegistrationRequest, rounds: Sequence[Round], waiting: Waiting
) -> Stage:
    """Return the decision: what it was, or who takes it by when."""
    state = State(registration_request.state)
    if state in {State.APPROVED, State.REGISTERED}:
        at = approved_at(registration_request)
        return Stage(_("Decision"), approved_after(rounds, at), since=at, done=True)
    if state in DECIDING:
        return Stage(
            _("Decision"),
            str(state.label),
            since=registration_request.state_since,
            promised=waiting.promised_by,
            late=waiting.late,
            current=True,
        )
    if registration_request.path == Path.FAST_TRACK:
        return Stage(_("Decision"), _("By the organization that asks"))
    promised = registration_request.promised_by
    return Stage(_("Decision"), promised=promised, late=lateness(days_late(promised)))


def registration(waiting: Waiting) -> Stage:
    """Return the registration of what was approved: its clock begins with the approval."""
    return Stage(
        _("Registration"),
        waits_for(waiting),
        since=waiting.since,
        promised=waiting.promised_by,
        late=waiting.late,
        current=True,
    )


def approved_after(rounds: Sequence[Round], at: datetime.datetime | None) -> str:
    """Say that it was approved, and how long that took since the first round."""
    first = rounds[0].submitted_at if rounds else None
    days = (at.date() - first.date()).days if at and first else 0
    if not days:
        return _("Approved")
    return ngettext("Approved after %(days)d day", "Approved after %(days)d days", days) % {
        "days": days
    }


def waits_for(waiting: Waiting) -> str:
    """Say whose turn it is; nothing where it is nobody's."""
    return "" if waiting.is_over else _("Waiting for %(who)s") % {"who": waiting.who}


def with_waiting(
    requests: Sequence[RegistrationRequest],
) -> list[tuple[RegistrationRequest, Waiting]]:
    """Return each request with for whom it waits; the database is asked once for all."""
    found = queries.waiting_for_all(requests)
    return [(each, found[each.pk]) for each in requests]


def with_turns(
    requests: Sequence[RegistrationRequest],
) -> list[tuple[RegistrationRequest, Turn]]:
    """Return each request with whose turn it is; the database is asked once for all."""
    return [(each, waiting.turn) for each, waiting in with_waiting(requests)]

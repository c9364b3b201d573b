"""How the course of a request is told: its stages, whose turn it is, and what happens then."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from registry.choices import ENDS, TURNS, State, Turn
from registry.models import Assignment, RegistrationRequest, Round

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage on the way: when it was or is promised for, and whether it is over or now."""

    name: str
    note: str = ""
    since: datetime.datetime | datetime.date | None = None
    until: datetime.datetime | None = None
    promised: datetime.date | None = None
    done: bool = False
    current: bool = False


def stages(registration_request: RegistrationRequest, rounds: Sequence[Round]) -> list[Stage]:
    """Return the stages of a request whose rounds sent are `rounds`, oldest first."""
    return [*past(rounds), *present(registration_request, rounds), *ahead(registration_request)]


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


def present(registration_request: RegistrationRequest, rounds: Sequence[Round]) -> list[Stage]:
    """Return the last round, or the draft, and the end where it came to one without decision."""
    state = State(registration_request.state)
    over = state in ENDS or state == State.APPROVED
    if rounds:
        last = rounds[-1]
        name = _("Round %(number)d") % {"number": last.number}
        now = f"{name}, {registration_request.get_state_display().lower()}"
        stage = (
            Stage(name, since=last.submitted_at, done=True)
            if over
            else Stage(
                now,
                waiting_for(registration_request),
                registration_request.state_since,
                current=True,
            )
        )
        shown = [stage]
    else:
        shown = [
            Stage(
                _("Draft"),
                since=registration_request.created_at,
                done=over,
                current=not over,
            )
        ]
    if state in ENDS - {State.REGISTERED}:
        shown.append(
            Stage(
                registration_request.get_state_display(),
                since=registration_request.state_since,
                current=True,
            )
        )
    return shown


def ahead(registration_request: RegistrationRequest) -> list[Stage]:
    """Return decision and registration, where the request did not end without them."""
    state = State(registration_request.state)
    since, promised = registration_request.state_since, registration_request.promised_by
    if state == State.REGISTERED:
        return [
            Stage(_("Decision"), _("Approved"), done=True),
            Stage(_("Registered"), since=since, current=True),
        ]
    if state == State.APPROVED:
        return [
            Stage(_("Decision"), _("Approved"), since=since, done=True),
            Stage(
                _("Registration"),
                waiting_for(registration_request),
                promised=promised,
                current=True,
            ),
        ]
    if state in ENDS:
        return []
    return [
        Stage(_("Decision"), promised=promised if state == State.IN_REVIEW else None),
        Stage(_("Registration"), _("By the registrar")),
    ]


def waiting_for(registration_request: RegistrationRequest) -> str:
    """Say whose turn it is; nothing where it is nobody's."""
    turn = registration_request.turn
    if turn == Turn.NOBODY:
        return ""
    return _("Waiting for %(who)s") % {"who": turn.label}


def with_turns(
    registration_requests: Sequence[RegistrationRequest],
) -> list[tuple[RegistrationRequest, Turn]]:
    """Return each request with whose turn it is, asking the database once for all."""
    taken = set(
        Assignment.objects.active()
        .filter(registration_request__in=[each.pk for each in registration_requests])
        .values_list("registration_request_id", flat=True)
    )
    return [
        (
            each,
            Turn.LEAD
            if each.state == State.IN_REVIEW and each.pk not in taken
            else TURNS[State(each.state)],
        )
        for each in registration_requests
    ]

"""Where requests stand: the facts that all their clocks go by, read for many at once."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, Max, OuterRef, Q

from registry.choices import BEFORE_EXPERTS, State, Turn, whose_turn
from registry.models import Assignment, Event, RegistrationRequest, Round

LEADING: Final = ("assign", "reassign", "extend")
"""What begins a review anew, whoever did it: another person, or another day."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one request stands.

    `experts` are those whose turn a review is. `since` is when it became this turn, `manned_since`
    when experts last came to the request or had all left it, `quiet_since` when those who review
    it last did something, `idle_since` when those who write it did.
    """

    registration_request: RegistrationRequest
    turn: Turn
    experts: tuple[Assignment, ...]
    since: datetime.datetime
    manned_since: datetime.datetime
    quiet_since: datetime.datetime
    idle_since: datetime.datetime

    @property
    def is_untaken(self) -> bool:
        """Whether experts are to look at it, and none is there to do so."""
        return self.registration_request.state in BEFORE_EXPERTS and not self.experts


def standings(requests: Sequence[RegistrationRequest]) -> Iterator[Standing]:
    """Yield where each of `requests` stands; three queries, however many they are."""
    reviewed = [each.pk for each in requests if each.state in BEFORE_EXPERTS]
    came = assignments_on(reviewed) if reviewed else {}
    acted = last_acts_on(reviewed) if came else {}
    saved = last_savings_of([each.pk for each in requests])
    for each in requests:
        yield standing(each, came.get(each.pk, []), acted.get(each.pk), saved.get(each.pk))


def idle_since(registration_request: RegistrationRequest) -> datetime.datetime:
    """Return when somebody touched the request last: a step, a saved text or a prepared answer."""
    return next(standings([registration_request])).idle_since


def standing(
    registration_request: RegistrationRequest,
    assignments: Sequence[Assignment],
    acted_at: datetime.datetime | None,
    saved_at: datetime.datetime | None,
) -> Standing:
    """Return where one request stands, by those who came to it and what was done last."""
    state, state_since = State(registration_request.state), registration_request.state_since
    experts = tuple(each for each in assignments if left_at(each) is None)
    turn = whose_turn(state, is_taken=bool(experts))
    manned_since = latest(state_since, changed_hands_at(assignments))
    return Standing(
        registration_request=registration_request,
        turn=turn,
        experts=experts,
        since=manned_since if state == State.IN_REVIEW else state_since,
        manned_since=manned_since,
        quiet_since=latest(manned_since, acted_at),
        idle_since=latest(state_since, saved_at),
    )


def assignments_on(ids: Sequence[int]) -> dict[int, list[Assignment]]:
    """Return who came to each request, those who left it too."""
    came: dict[int, list[Assignment]] = {}
    every = Assignment.objects.filter(registration_request__in=ids).with_approval()
    for each in every.select_related("expert"):
        came.setdefault(each.registration_request_id, []).append(each)
    return came


def last_acts_on(ids: Sequence[int]) -> dict[int, datetime.datetime]:
    """Return when somebody who reviews each request last did anything; the clock is nobody."""
    on_it = Assignment.objects.active().filter(
        registration_request=OuterRef("registration_request"), expert=OuterRef("actor")
    )
    acts = Event.objects.filter(Q(Exists(on_it)) | Q(verb__in=LEADING))
    return dict(
        acts.filter(registration_request__in=ids)
        .order_by()
        .values("registration_request")
        .annotate(last=Max("at"))
        .values_list("registration_request", "last")
    )


def last_savings_of(ids: Sequence[int]) -> dict[int, datetime.datetime]:
    """Return when the text of each request was last saved."""
    rounds = Round.objects.filter(registration_request__in=ids).order_by()
    return dict(
        rounds.values("registration_request")
        .annotate(last=Max("saved_at"))
        .values_list("registration_request", "last")
    )


def left_at(assignment: Assignment) -> datetime.datetime | None:
    """Return when a review was no longer this expert's turn: stepped back, or approved it.

    `assignment` comes from `with_approval`.
    """
    ends = [at for at in (assignment.recused_at, vars(assignment)["approved_at"]) if at is not None]
    return min(ends) if ends else None


def changed_hands_at(assignments: Iterable[Assignment]) -> datetime.datetime | None:
    """Return when the request last got experts where it had none, or lost the last of them."""
    stays = [(each.assigned_at, left_at(each)) for each in assignments]
    stays = [(came, left) for came, left in stays if came != left]
    steps = sorted(
        [(came, 1) for came, _left in stays]
        + [(left, -1) for _came, left in stays if left is not None],
        key=lambda step: (step[0], -step[1]),
    )
    on_it, changed = 0, None
    for at, step in steps:
        if on_it == 0 or on_it + step == 0:
            changed = at
        on_it += step
    return changed


def latest(moment: datetime.datetime, other: datetime.datetime | None) -> datetime.datetime:
    """Return the later of two moments, the first where there is no second."""
    return moment if other is None else max(moment, other)

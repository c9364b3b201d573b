"""The course of each public request, divided by state and by whose turn it was.

The journal tells it. A course begins with the first round: what lies before it is not public. A
stay in a state ends with the state; a turn ends when somebody else must act, or with the state.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db.models import F, Q

from registry.choices import ENDS, State, Turn, whose_turn
from registry.models import Event

BY_STATE: Final = "state"
BY_TURN: Final = "turn"
WHOLE: Final = "whole"

Track = tuple[str, str]
"""What a stay is counted under: one of the three above, and a state or a turn within it."""


class Step(NamedTuple):
    """A line of the journal after which somebody else may have to act."""

    request: int
    number: int
    verb: str
    source: str
    target: str
    at: datetime.datetime
    actor: int | None


@dataclass(frozen=True, slots=True)
class Spell:
    """A time in which one request was in one state and waited for one party."""

    state: State
    turn: Turn
    since: datetime.datetime
    until: datetime.datetime | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """How long one request stayed; `until` is none while it does."""

    track: Track
    since: datetime.datetime
    until: datetime.datetime | None = None


def stays_of_all() -> Iterator[Stay]:
    """Yield all stays of all public requests."""
    people = named_in_steps()
    for _request, steps in groupby(steps_of_all(), key=attrgetter("request")):
        course = Course(people)
        course.follow(steps)
        yield from course.stays()


def steps_of_all() -> Iterator[Step]:
    """Yield what changed a state or who is on a request, request by request, in order."""
    moves = ~Q(source=F("target")) | Q(verb__in=["assign", "reassign", "recuse", "approve"])
    events = Event.objects.filter(moves, registration_request__isnull=False).exclude(target="")
    rows = events.order_by("registration_request", "number").values_list(
        "registration_request", "number", "verb", "source", "target", "at", "actor"
    )
    return (Step(*row) for row in rows.iterator(chunk_size=2000))


def named_in_steps() -> dict[int, dict[str, Any]]:
    """Return what the journal says of each assignment, by the number of its line."""
    events = Event.objects.filter(verb__in=["assign", "reassign"])
    return dict(events.order_by().values_list("number", "data"))


class Course:
    """Follows one request through its steps."""

    def __init__(self, people: dict[int, dict[str, Any]]) -> None:
        self.people = people
        self.on_it: set[int | None] = set()
        self.approved: set[int | None] = set()
        self.spells: list[Spell] = []
        self.state = State.DRAFT

    def follow(self, steps: Iterable[Step]) -> None:
        """Divide the time since the first round into spells."""
        for step in steps:
            self.note_people(step)
            self.state = State(step.target)
            if self.state != State.DRAFT:
                self.move(step.at)

    def note_people(self, step: Step) -> None:
        """Follow who is on the request, and who approved the round."""
        named = self.people.get(step.number, {})
        if step.verb in {"assign", "reassign"}:
            self.on_it.add(named.get("expert_id"))
            self.on_it.discard(named.get("leaver_id"))
        elif step.verb == "recuse":
            self.on_it.discard(step.actor)
        elif step.verb == "approve":
            self.approved.add(step.actor)
        elif step.verb == "submit":
            self.approved.clear()

    def move(self, at: datetime.datetime) -> None:
        """End the spell that went on until now, and begin the one that follows."""
        turn = whose_turn(self.state, is_taken=bool(self.on_it - self.approved))
        last = self.spells[-1] if self.spells else None
        if last and last.until is None:
            if (last.state, last.turn) == (self.state, turn):
                return
            self.spells[-1] = replace(last, until=at)
        if self.state not in ENDS:
            self.spells.append(Spell(self.state, turn, at))

    def stays(self) -> Iterator[Stay]:
        """Yield how long it was whose turn, how long each state lasted, and how long all did."""
        for spell in self.spells:
            yield Stay((BY_TURN, spell.turn), spell.since, spell.until)
        for state, together in groupby(self.spells, key=attrgetter("state")):
            run = list(together)
            yield Stay((BY_STATE, state), run[0].since, run[-1].until)
        if self.spells and (self.state == State.REGISTERED or self.state not in ENDS):
            yield Stay((WHOLE, ""), self.spells[0].since, self.spells[-1].until)

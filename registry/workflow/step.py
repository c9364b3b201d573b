"""What a step in the workflow is made of, and how one is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

from registry.choices import State
from registry.models import RegistrationRequest, User
from registry.rules import Person

Words = str | Promise


class Refused(Exception):
    """A step cannot be taken. The text is fit to show: a form error, a 409 in the API."""


class Superseded(Refused):
    """Somebody acted first: what the person saw is no longer so."""


@dataclass(frozen=True, slots=True)
class Step:
    """One attempt: who wants to act on what, saying what."""

    registration_request: RegistrationRequest
    actor: User
    comment: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


Condition = Callable[[Step], Words]
"""Says what stands in the way, or nothing when the step may be taken."""

Effect = Callable[[Step], dict[str, Any]]
"""Does what the step is for, and returns what the journal should remember of it."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One verb: from where, to where, by whom, on what conditions, with what consequence.

    `target` is a state, a function of the step where the path decides, or None to stay.
    `role` and `consequence` are the words that refusals and pages use; `comment` says what
    the person is asked for, and `explains` whether they must answer.
    """

    verb: str
    label: Words
    sources: frozenset[State]
    target: State | Callable[[Step], State | None] | None
    by: Callable[[Person, RegistrationRequest], bool]
    role: Words
    consequence: Words
    needs: tuple[Condition, ...] = ()
    effect: Effect | None = None
    comment: Words = ""
    explains: bool = False

    def obstacle(self, step: Step) -> Words:
        """Return the first thing that stands in the way of `step`, nothing if none does."""
        return next((words for need in self.needs if (words := need(step))), "")

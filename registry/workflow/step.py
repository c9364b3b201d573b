"""What a step in the workflow is made of, and how one is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _

from registry.enums import State
from registry.errors import RegistryError
from registry.models import RegistrationRequest, User
from registry.permissions import Person
from registry.workflow.verb_labels import (
    ROLE_LABELS,
    VERB_LABELS,
    Words,
)


class ActionRefused(RegistryError):
    """A step cannot be taken. The text is fit to show: a form error, a 409 in the API."""


class ConcurrentChange(ActionRefused):
    """Somebody acted first: what the person saw is no longer so."""

    status = HTTPStatus.PRECONDITION_FAILED


@dataclass(frozen=True, slots=True)
class Step:
    """One attempt: who wants to act on what, saying what.

    Effects put into `rows` which rows they change, as `journal.append` takes them.
    """

    registration_request: RegistrationRequest
    actor: Person
    comment: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    rows: dict[str, str | None] = field(default_factory=dict)

    @property
    def person(self) -> User:
        """The actor as somebody with an account; only the clock has none."""
        if not isinstance(self.actor, User):
            raise ActionRefused(_("Only a person can do this."))
        return self.actor


Condition = Callable[[Step], Words]
"""Says what stands in the way, or nothing when the step may be taken."""

Effect = Callable[[Step], dict[str, Any]]
"""Does what the step is for, and returns what the journal should remember of it."""


def reasons_given(step: Step) -> Words:
    """Reasons are given: every decision has a public reason."""
    return "" if step.comment.strip() else _("Give your reasons; they are public.")


@dataclass(frozen=True, slots=True)
class Transition:
    """One verb: from where, to where, by whom, on what conditions, with what consequence.

    `target` is a state, a function of the step where the path decides, or None to stay.
    Its words stand in `registry.workflow.verb_labels`, so that the table reads as a table.
    """

    verb: str
    sources: frozenset[State]
    target: State | Callable[[Step], State | None] | None
    by: Callable[[Person, RegistrationRequest], bool]
    needs: tuple[Condition, ...] = ()
    effect: Effect | None = None

    @property
    def label(self) -> Words:
        """What the button says."""
        return VERB_LABELS[self.verb].label

    @property
    def consequence(self) -> Words:
        """What follows from it, in a sentence."""
        return VERB_LABELS[self.verb].consequence

    @property
    def comment(self) -> Words:
        """What the person is asked to say with it; nothing where they are not asked."""
        return VERB_LABELS[self.verb].comment

    @property
    def explains(self) -> bool:
        """Whether the person has to give reasons."""
        return reasons_given in self.needs

    @property
    def role(self) -> Words:
        """Who may take it, as refusals say it."""
        return ROLE_LABELS[self.by.__name__]

    def obstacle(self, step: Step) -> Words:
        """Return the first thing that stands in the way of `step`, nothing if none does."""
        return next((words for need in self.needs if (words := need(step))), "")

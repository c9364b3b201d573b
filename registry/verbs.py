"""What is known of a verb wherever the journal is read: how it is told, and of what kind it is.

The verbs of the workflow are declared in `registry.workflow.transitions`, which stands above most
of those who ask; it registers them here as the application starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from django.utils.functional import Promise

Words = str | Promise


class VerbKind(Enum):
    """What a step is to those who read of it; a verb may be of several kinds."""

    SENDS_ROUND = auto()
    ASKS_FOR_ROUND = auto()
    """Whoever takes it stands behind the round that it names."""
    BEGINS_REVIEW = auto()
    """Another person, or another day: the time of a review runs anew."""
    BRINGS_EXPERT = auto()
    TAKES_EXPERT_OFF = auto()
    EXPERT_DECISION = auto()
    RULING = auto()
    """What the standards body decides."""
    APPEAL_OUTCOME = auto()
    FAVOURABLE = auto()
    """It brings the text nearer to the registrar."""
    ASKS_FOR_CHANGES = auto()
    APPROVAL = auto()
    REPORT = auto()
    DIRECTION = auto()
    APPEAL = auto()
    HOLDER_WORD = auto()
    """The registrar verified that the holder agrees."""
    PATH_CHANGE = auto()
    PUBLICATION = auto()
    EXPIRY = auto()
    """The clock takes it when nobody has written on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb of the journal; `done` is read after the name of who did it.

    It is a function of the event where the same verb is told in several ways.
    """

    verb: str
    done: Words | Callable[[Any], Words]
    kinds: frozenset[VerbKind] = frozenset()

    def describe(self, event: Any) -> Words:
        """Return what is told of `event`, with places for its data."""
        return self.done(event) if callable(self.done) else self.done


_REGISTERED: dict[str, Verb] = {}


def register(verbs: Iterable[Verb]) -> None:
    """Make verbs known to all who read the journal."""
    _REGISTERED.update({each.verb: each for each in verbs})


def find(verb: str) -> Verb | None:
    """Return what is known of a verb; nothing of acts that are no steps of the workflow."""
    return _REGISTERED.get(verb)


def of_kind(*kinds: VerbKind) -> list[str]:
    """Return the verbs that are of one of these kinds, in the order of the table."""
    found = [each.verb for each in _REGISTERED.values() if not each.kinds.isdisjoint(kinds)]
    if not found:
        raise LookupError(f"No verb of {kinds} is registered: is the workflow loaded?")
    return found


def only_of_kind(kind: VerbKind) -> str:
    """Return the verb of a kind of which there is one."""
    (verb,) = of_kind(kind)
    return verb


def is_of_kind(verb: str, *kinds: VerbKind) -> bool:
    """Whether the journal's `verb` is of one of these kinds."""
    known = find(verb)
    return known is not None and not known.kinds.isdisjoint(kinds)

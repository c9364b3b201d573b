"""The letters that an act would write, shown before it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction

from registry.enums import LetterReason
from registry.models import Event, Letter

REASON_ORDER = {reason.value: place for place, reason in enumerate(LetterReason)}


@dataclass(frozen=True, slots=True)
class LetterPreview:
    """How many letters an act would write, and the one that says most about it.

    Whom else they reach is their own business: followers are counted, never named.
    """

    count: int
    subject: str
    text: str


def preview_letters(act: Callable[[], Event]) -> LetterPreview:
    """Do `act`, read the letters that it writes, and undo all of it.

    So the letter shown is the letter sent, word for word. Raises what `act` raises.
    """
    with transaction.atomic():
        event = act()
        letters = list(Letter.objects.filter(event=event))
        transaction.set_rollback(True)
    return summarize_letters(letters)


def preview_keyed_letter(act: Callable[[], object], key: str) -> LetterPreview:
    """Do `act`, read the letter that it writes under `key`, and undo all of it.

    For acts that have no line in the journal. Raises what `act` raises.
    """
    with transaction.atomic():
        act()
        letters = list(Letter.objects.filter(key=key))
        transaction.set_rollback(True)
    return summarize_letters(letters)


def summarize_letters(letters: Iterable[Letter]) -> LetterPreview:
    """Return how many `letters` there are, and the one that says most."""
    ranked = sorted(letters, key=lambda each: REASON_ORDER[each.reason])
    first = ranked[0] if ranked else None
    # What comes after the mark is for its reader alone: why they get it, and how to stop it.
    text = first.text.partition("\n-- \n")[0].strip() if first else ""
    return LetterPreview(len(ranked), first.subject if first else "", text)

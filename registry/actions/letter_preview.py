"""Previews of the letters that an action would write."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction

from registry.enums import LetterReason
from registry.models import Event, Letter

REASON_ORDER = {reason.value: place for place, reason in enumerate(LetterReason)}


@dataclass(frozen=True, slots=True)
class LetterPreview:
    """How many letters an action would write, and the most detailed of them.

    The other recipients are private: followers are counted, never named.
    """

    count: int
    subject: str
    text: str


def preview_letters(act: Callable[[], Event]) -> LetterPreview:
    """Do `act`, read the letters that it writes, and roll everything back.

    So the letter shown is word for word the letter sent. Raises what `act` raises.
    """
    with transaction.atomic():
        event = act()
        letters = list(Letter.objects.filter(event=event))
        transaction.set_rollback(True)
    return summarize_letters(letters)


def preview_keyed_letter(act: Callable[[], object], key: str) -> LetterPreview:
    """Do `act`, read the letter that it writes under `key`, and roll everything back.

    For actions without an event in the journal. Raises what `act` raises.
    """
    with transaction.atomic():
        act()
        letters = list(Letter.objects.filter(key=key))
        transaction.set_rollback(True)
    return summarize_letters(letters)


def summarize_letters(letters: Iterable[Letter]) -> LetterPreview:
    """Return how many `letters` there are, and the most detailed one."""
    ranked = sorted(letters, key=lambda each: REASON_ORDER[each.reason])
    first = ranked[0] if ranked else None
    # What follows the mark is for its reader only: why they get it, and how to unsubscribe.
    text = first.text.partition("\n-- \n")[0].strip() if first else ""
    return LetterPreview(len(ranked), first.subject if first else "", text)

"""Telling those whom an act concerns, in the transaction of the act."""

from __future__ import annotations

from registry.choices import Delivery
from registry.models import Event, Letter
from registry.notices.concerned import concerned
from registry.notices.sending import enqueue
from registry.notices.writing import letters


def tell(event: Event) -> None:
    """Write the letters about `event`, and a task for each that goes at once.

    To be called in the transaction of the act: letters and tasks stand or fall with it.
    """
    written = Letter.objects.bulk_create(letters(event, concerned(event)))
    for letter in written:
        if letter.delivery == Delivery.AT_ONCE:
            enqueue(letter)

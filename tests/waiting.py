"""The waiting period of who speaks for a body: its letters leave, and then its days pass."""

from __future__ import annotations

from django.utils import timezone

from registry.actions.speakers import tick_speakers
from registry.enums import LetterDelivery
from registry.models import Letter
from registry.notifications.outbox import send_letter
from tests.days import days_later


def let_letters_leave() -> None:
    """Send the letters that wait, and let the scheduler see it."""
    waiting = Letter.objects.waiting().filter(delivery=LetterDelivery.AT_ONCE)
    for key in list(waiting.order_by("pk").values_list("pk", flat=True)):
        send_letter.call(key)
    tick_speakers(timezone.now())


def let_wait(days: float) -> None:
    """Let the letters leave, and some days pass after that."""
    let_letters_leave()
    with days_later(days):
        tick_speakers(timezone.now())

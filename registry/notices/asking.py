"""Asking again, before a letter is sent, whether it still goes to its recipient."""

from __future__ import annotations

import datetime

from allauth.account import app_settings
from django.conf import settings
from django.utils import timezone

from registry.choices import Reason
from registry.models import Letter
from registry.notices.concerned import carried
from registry.notices.reasons import holds, reachable


def still_goes(letter: Letter) -> bool:
    """Whether the recipient is still what the letter was written to them for, and may read it."""
    if tells_what_was_hidden(letter):
        return False
    if letter.reason == Reason.LIST:
        return letter.address == settings.REGISTRY_LIST_ADDRESS
    if letter.reason == Reason.ACCOUNT:
        return timezone.now() < letter.written_at + longest_link()
    person = letter.recipient
    if person is None:
        return True
    if not reachable().filter(pk=person.pk).exists():
        return False
    if letter.reason == Reason.WATCHER:
        return letter.watch_id is not None
    return holds(person, Reason(letter.reason), letter.registration_request)


def longest_link() -> datetime.timedelta:
    """Return how long a link in a letter about an account can be followed at most."""
    return max(
        datetime.timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT),
        datetime.timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS),
    )


def tells_what_was_hidden(letter: Letter) -> bool:
    """Whether the letter carries a message that a moderator has hidden since."""
    message = carried(letter.event) if letter.event else None
    return message is not None and message.hidden_at is not None

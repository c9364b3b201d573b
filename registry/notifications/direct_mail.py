"""Letters in words of their own to one address: about an account, with a key, or to strangers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation

from registry.enums import LetterReason
from registry.models import Event, Letter, User
from registry.notifications import letters
from registry.notifications.letters import shorten_subject, wrap_letter
from registry.notifications.outbox import enqueue_letter


def write_direct_letter(
    template: str,
    context: Mapping[str, Any],
    *,
    why: str,
    key: str,
    address: str,
    person: User | None = None,
    event: Event | None = None,
) -> Letter:
    """Write a letter to `address`, and the task to send it, in the transaction at hand.

    The first line of `templates/mail/<template>.txt` is its subject. `why` says why this reader
    gets it, `key` what it is about: written twice, it is a mistake that the database refuses.
    """
    with translation.override(settings.LANGUAGE_CODE):
        given = {"site": settings.SITE, **context}
        subject, _line, text = render_to_string(f"mail/{template}.txt", given).partition("\n")
        words = {"text": text.strip(), "why": why}
        letter = Letter.objects.create(
            key=key,
            recipient=person,
            address=address,
            reason=LetterReason.NAMED,
            event=event,
            subject=shorten_subject(subject),
            text=wrap_letter(f"{text.strip()}\n\n-- \n{why}"),
            html=render_to_string("mail/own.html", words),
            headers=letters.build_general_headers(),
            written_at=timezone.now(),
        )
    enqueue_letter(letter)
    return letter


# The pages ask for them while somebody waits, so they are written here and sent by the worker: a
# mail server that hangs or is away delays the letter and never the page.


def write_account_letter(address: str, subject: str, text: str) -> Letter:
    """Write a letter to that very address, and the task to send it.

    It has no recipient: it may be for an address that its account has no longer, or not yet.
    """
    mark = secrets.token_hex(16)
    with transaction.atomic():
        letter = Letter.objects.create(
            key=f"account:{mark}",
            address=address,
            reason=LetterReason.ACCOUNT,
            subject=shorten_subject(subject),
            text=text,
            headers={"Message-ID": f"<account.{mark}@{letters.find_letter_host()}>"},
            written_at=timezone.now(),
        )
        enqueue_letter(letter)
    return letter

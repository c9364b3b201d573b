"""Letters in words of their own, to one address: those that carry a key, or go to strangers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from registry.choices import Reason
from registry.models import Event, Letter, User
from registry.notices import headers
from registry.notices.layout import shortened, wrapped
from registry.notices.sending import enqueue


def write(
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
            reason=Reason.NAMED,
            event=event,
            subject=shortened(subject),
            text=wrapped(f"{text.strip()}\n\n-- \n{why}"),
            html=render_to_string("mail/own.html", words),
            headers=headers.general(),
            written_at=timezone.now(),
        )
    enqueue(letter)
    return letter

"""Writing the letters about an event: one to each of those concerned."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from registry import queries
from registry.models import Event, Letter, Message
from registry.notices import headers, reasons
from registry.notices.concerned import Concern
from registry.notices.layout import wrapped
from registry.notices.words import said, subject, why

LONGEST_KEY: Final = 200


class Writer:
    """Writes the letters about one event, and each wording once, however many get it."""

    def __init__(self, event: Event) -> None:
        self.event = event
        asked = event.registration_request
        self.said: dict[str, Any] = said(event)
        self.said["waiting"] = queries.waiting_for(asked) if asked else None
        self.wordings: dict[tuple[str, bool], tuple[str, str]] = {}
        # Stands for the address at which one reader ends the letters; nobody can have typed it.
        self.leave = secrets.token_hex(16)

    def letter(self, concern: Concern) -> Letter:
        """Return the letter to one of those concerned, not saved."""
        leave = headers.end_of(concern.watch) if concern.watch else ""
        text, html = (part.replace(self.leave, leave) for part in self.wording(concern))
        return Letter(
            key=key(self.event, concern.address),
            recipient=concern.person,
            address=concern.address,
            reason=concern.reason,
            event=self.event,
            registration_request=concern.registration_request or self.event.registration_request,
            watch=concern.watch,
            delivery=concern.delivery(self.event),
            subject=subject(self.event, self.said["sentence"]),
            text=text,
            html=html,
            headers=heading(self.event, concern, self.said["message"], leave),
            written_at=self.event.at,
        )

    def wording(self, concern: Concern) -> tuple[str, str]:
        """Return text and HTML, the same for all who get it for the same reason."""
        waiting, reason = self.said["waiting"], why(concern)
        is_your_turn = bool(waiting) and reasons.TURNS.get(waiting.turn) == concern.reason
        if (reason, is_your_turn) not in self.wordings:
            own = {
                "is_your_turn": is_your_turn,
                "why": reason,
                "leave": self.leave if concern.watch else "",
                "follows": settings.SITE + reverse("following:index"),
            }
            self.wordings[reason, is_your_turn] = drawn("letter", self.said | own)
        return self.wordings[reason, is_your_turn]


def letters(event: Event, concerns: Sequence[Concern]) -> list[Letter]:
    """Return a letter to each of those concerned, not saved, in the language of the site."""
    if not concerns:
        return []
    with translation.override(settings.LANGUAGE_CODE):
        writer = Writer(event)
        return [writer.letter(concern) for concern in concerns]


def drawn(template: str, context: dict[str, Any]) -> tuple[str, str]:
    """Return a letter as plain text and as HTML."""
    text = render_to_string(f"mail/{template}.txt", context)
    return wrapped(text), render_to_string(f"mail/{template}.html", context)


def key(event: Event, address: str) -> str:
    """Return what a letter is about and for whom; no two letters have the same."""
    spelled = f"{event.number}:{address.lower()}"
    if len(spelled) <= LONGEST_KEY:
        return spelled
    return f"{event.number}:{hashlib.sha256(spelled.encode()).hexdigest()}"


def heading(event: Event, concern: Concern, message: Message | None, leave: str) -> dict[str, str]:
    """Return the headers of a letter beside those every mail has."""
    place = headers.of_message(message) if message else headers.threading(event, concern.address)
    return headers.general() | place | (headers.leaving(leave) if leave else {})

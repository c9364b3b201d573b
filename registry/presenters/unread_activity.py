"""What others did while an expert was away from the queue."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from registry import verbs
from registry.journal.event_messages import describe_event
from registry.models import Event, RegistrationRequest, User
from registry.selectors.events import list_events_of_others
from registry.verbs import VerbKind

MAX_UNREAD_EVENTS: Final = 8


@dataclass(frozen=True, slots=True)
class UnreadEvent:
    """One act of somebody else: who did what to which request, and where to read it."""

    event: Event
    registration_request: RegistrationRequest
    words: str
    url: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class UnreadActivity:
    """What happened after `moment`: on the requests of the reader first, the latest first."""

    moment: datetime.datetime
    news: list[UnreadEvent]
    more: bool


def find_unread_activity(person: User, moment: datetime.datetime) -> UnreadActivity:
    """Return what others did to public requests after `moment`, in one query."""
    found = [
        UnreadEvent(
            event,
            asked,
            describe_event(event),
            get_unread_event_url(event, asked),
            vars(event)["is_mine"],
        )
        for event in list_events_of_others(person, moment)[: MAX_UNREAD_EVENTS + 1]
        if (asked := event.registration_request)
    ]
    return UnreadActivity(moment, found[:MAX_UNREAD_EVENTS], len(found) > MAX_UNREAD_EVENTS)


def get_unread_event_url(event: Event, asked: RegistrationRequest) -> str:
    """Return where an event is read: the message, the text that was sent, or the history."""
    if verbs.is_of_kind(event.verb, VerbKind.SENDS_ROUND):
        return reverse("review:detail", args=[asked.slug])
    if message := event.data.get("message"):
        return reverse("requests:detail", args=[asked.slug]) + f"#c{message}"
    return reverse("requests:history", args=[asked.slug]) + f"#e{event.number}"

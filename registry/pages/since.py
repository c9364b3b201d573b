"""What others did while an expert was away from the queue."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef
from django.urls import reverse

from registry import queries
from registry.models import Event, RegistrationRequest, User
from registry.telling import what

MOST: Final = 8
BEFORE_IT_WAS_PUBLIC: Final = "start"
ON_THE_REVIEW_PAGE: Final = frozenset({"submit", "revise"})


@dataclass(frozen=True, slots=True)
class News:
    """One act of somebody else: who did what to which request, and where to read it."""

    event: Event
    registration_request: RegistrationRequest
    words: str
    url: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Since:
    """What happened after `moment`: on the requests of the reader first, the latest first."""

    moment: datetime.datetime
    news: list[News]
    more: bool


def since(person: User, moment: datetime.datetime) -> Since:
    """Return what others did to public requests after `moment`, in one query."""
    own = queries.assigned_to(person).filter(pk=OuterRef("registration_request"))
    public = RegistrationRequest.objects.public()
    events = (
        Event.objects.filter(at__gt=moment, registration_request__in=public)
        .exclude(actor=person)
        .exclude(verb=BEFORE_IT_WAS_PUBLIC)
        .select_related("registration_request")
        .annotate(is_mine=Exists(own))
        .order_by("-is_mine", "-number")
    )
    found = [
        News(event, asked, what(event), place(event, asked), vars(event)["is_mine"])
        for event in events[: MOST + 1]
        if (asked := event.registration_request)
    ]
    return Since(moment, found[:MOST], len(found) > MOST)


def place(event: Event, asked: RegistrationRequest) -> str:
    """Return where an event is read: the message, the text that was sent, or the history."""
    if event.verb in ON_THE_REVIEW_PAGE:
        return reverse("review:detail", args=[asked.slug])
    if message := event.data.get("message"):
        return reverse("requests:detail", args=[asked.slug]) + f"#c{message}"
    return reverse("requests:history", args=[asked.slug]) + f"#e{event.number}"

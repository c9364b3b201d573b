"""The acts of the registry as entries of feeds: public, each with an id that stays."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string

from registry.exports.markup import printable
from registry.models import Event, Message
from registry.queries.acts import messages_of, path_of, place_of, tag_of
from registry.telling import Line, told

MOST: Final = 50
"""So many entries a feed has, the newest first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One act as a feed reader keeps it; `id` names it for ever (RFC 4151)."""

    id: str
    title: str
    url: str
    at: datetime.datetime
    author: str
    content: str


def entries(events: QuerySet[Event]) -> list[Entry]:
    """Return the newest of `events` as entries; two queries, however many they are."""
    lines = told(events[:MOST])
    said = messages_of(line.event for line in lines)
    return [entry(line, said.get(place_of(line.event))) for line in lines]


def entry(line: Line, message: Message | None) -> Entry:
    """Return one act as an entry."""
    event = line.event
    context = {"line": line, "event": event, "message": message, "site": settings.SITE}
    return Entry(
        id=tag_of(event),
        title=printable(f"{about(event)}: {event.actor_name} {line.words}"),
        url=settings.SITE + path_of(event, message),
        at=event.at,
        author=printable(event.actor_name),
        content=printable(render_to_string("feeds/act.html", context).strip()),
    )


def about(event: Event) -> str:
    """Return what the act is on, as titles begin."""
    registration_request = event.registration_request
    return str(registration_request) if registration_request else f"urn:{event.namespace}"

"""The acts of the registry as entries of feeds: public, each with an id that stays."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string

from registry.exports.markup import printable
from registry.models import Event, Message, Namespace, Registration, RegistrationRequest
from registry.telling import Line, told

MOST: Final = 50
"""So many entries a feed has, the newest first."""

AMONG_WRITERS: Final = frozenset({"invite", "take_invitation_back", "join", "remove_co_editor"})
"""Acts that are news to nobody but those who write the request."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One act as a feed reader keeps it; `id` names it for ever (RFC 4151)."""

    id: str
    title: str
    url: str
    at: datetime.datetime
    author: str
    content: str


def acts_on_requests() -> QuerySet[Event]:
    """Return the public acts on requests, the newest first: those since the first round."""
    sent = Event.objects.filter(
        registration_request=OuterRef("registration_request"),
        verb="submit",
        number__lte=OuterRef("number"),
    )
    public = RegistrationRequest.objects.public()
    acts = Event.objects.filter(Exists(sent), registration_request__in=public)
    return newest(acts.exclude(verb__in=AMONG_WRITERS))


def acts_on_namespaces() -> QuerySet[Event]:
    """Return the acts that changed what the registry says of a namespace, the newest first."""
    changed = Q(registration_request__isnull=True) | Q(verb="register")
    return newest(Event.objects.filter(changed, namespace__isnull=False))


def acts_about(namespace: Namespace) -> QuerySet[Event]:
    """Return all public acts about one namespace, those on requests that would change it too."""
    own = Event.objects.filter(namespace=namespace, registration_request__isnull=True)
    asked = acts_on_requests().filter(registration_request__namespace=namespace)
    return newest(Event.objects.filter(Q(pk__in=own.values("pk")) | Q(pk__in=asked.values("pk"))))


def acts_since(registration: Registration) -> QuerySet[Event]:
    """Return the publication of a version and of those that came after it."""
    published = Event.objects.filter(
        verb="register",
        namespace=registration.namespace,
        data__version__gte=registration.number,
    )
    return newest(published)


def newest(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return events with what entries tell of them, the newest first."""
    return events.select_related(
        "registration_request__organization", "registration_request__namespace", "namespace"
    ).order_by("-number")


def entries(events: QuerySet[Event]) -> list[Entry]:
    """Return the newest of `events` as entries; two queries, however many they are."""
    lines = told(events[:MOST])
    said = messages_of(line.event for line in lines)
    return [entry(line, said.get(place_of(line.event))) for line in lines]


def messages_of(events: Iterable[Event]) -> dict[tuple[int, int], Message]:
    """Return the messages that events are about, as far as readers may read them."""
    places = [place_of(event) for event in events if "message" in event.data]
    found = Message.objects.public().filter(
        hidden_at__isnull=True,
        registration_request__in={request for request, _number in places},
        number__in={number for _request, number in places},
    )
    return {(message.registration_request_id, message.number): message for message in found}


def place_of(event: Event) -> tuple[int, int]:
    """Return the keys by which the message is found that an event is about."""
    return event.registration_request_id or 0, event.data.get("message") or 0


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


def path_of(event: Event, message: Message | None) -> str:
    """Return the address of the page that an act is read on."""
    if event.verb == "register" and event.namespace:
        return event.namespace.get_absolute_url()
    if event.registration_request:
        fragment = f"#{message.anchor}" if message else ""
        return event.registration_request.get_absolute_url() + fragment
    return event.namespace.get_absolute_url() if event.namespace else "/"


def tag_of(event: Event) -> str:
    """Return the id of an act: the journal numbers them once for ever."""
    host = urlsplit(settings.SITE).hostname or "localhost"
    return f"tag:{host},{event.at:%Y-%m-%d}:event/{event.number}"

"""What a hook is told: the same as the feed's entry of the act says."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.utils import timezone, translation

from registry.models import Event, HookDelivery
from registry.queries.acts import messages_of, path_of, place_of, tag_of
from registry.telling import what


def id_of(delivery: HookDelivery) -> str:
    """Return by what a receiver knows a message again; without a full stop, as the standard asks.

    An act has the same however often and to how many hooks it is told.
    """
    return f"event-{delivery.event.number}" if delivery.event else f"trial-{delivery.pk}"


def body(delivery: HookDelivery) -> bytes:
    """Return the message as it is posted, in the language of the site."""
    with translation.override(settings.LANGUAGE_CODE):
        told = act(delivery.event) if delivery.event else trial(delivery)
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")


def act(event: Event) -> dict[str, Any]:
    """Return what is told of an act; of a message hidden from readers, only that there is one."""
    message = messages_of([event]).get(place_of(event))
    asked, namespace = event.registration_request, event.namespace
    return {
        "type": event.verb,
        "timestamp": event.at.isoformat(),
        "data": {
            "id": tag_of(event),
            "number": event.number,
            "actor": event.actor_name,
            "words": what(event),
            "comment": event.comment or None,
            "message": message.text if message else None,
            "is_sender_verified": message.is_sender_verified if message else None,
            "state": event.target or None,
            "request": asked and place(asked.reference, asked.get_absolute_url()),
            "namespace": namespace and place(namespace.nid, namespace.get_absolute_url()),
            "link": settings.SITE + path_of(event, message),
        },
    }


def trial(delivery: HookDelivery) -> dict[str, Any]:
    """Return what is told by a trial."""
    return {
        "type": "trial",
        "timestamp": timezone.now().isoformat(),
        "data": {
            "hook": delivery.hook.name,
            "link": settings.SITE + delivery.hook.get_absolute_url(),
        },
    }


def place(name: str, path: str) -> dict[str, str]:
    """Return what something is called, and its page."""
    return {"name": name, "url": settings.SITE + path}

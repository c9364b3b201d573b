"""What programs are told of an act: one line of the journal."""

from __future__ import annotations

from registry.models import Event
from registry.pages.told.written import Told, moment
from registry.telling import what


def act_told(event: Event) -> Told:
    """Return a line of the journal as the page of its request tells it."""
    return {
        "number": event.number,
        "at": moment(event.at),
        "actor": event.actor_name,
        "verb": event.verb,
        "what": what(event),
        "source": event.source or None,
        "target": event.target or None,
        "comment": event.comment or None,
        "round": event.data.get("round"),
        "sha256": event.data.get("sha256"),
        "checklist": dict(event.data.get("checklist", {})),
        "digest": event.digest,
    }

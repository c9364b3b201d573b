"""What programs are told of an act: one line of the journal."""

from __future__ import annotations

from typing import Final

from registry import journal
from registry.models import Event
from registry.pages.told.written import Told, moment
from registry.telling import what

SAID: Final = (
    "line",
    "at",
    "actor",
    "verb",
    "what",
    "subject",
    "request",
    "nid",
    "source",
    "target",
    "comment",
    "data",
)
"""What a line says that everybody may read."""


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


def line_told(event: Event) -> Told:
    """Return a line of the whole journal, by which outsiders verify the chain of digests.

    Of a line that is not for everybody only its place in the chain is told.
    """
    chain = {
        "number": event.number,
        "previous": event.previous or None,
        "digest": event.digest,
    }
    if not vars(event)["is_open"]:
        return chain | dict.fromkeys(SAID)
    asked, namespace = event.registration_request, event.namespace
    said = {
        "line": journal.line(event),
        "at": moment(event.at),
        "actor": event.actor_name,
        "verb": event.verb,
        "what": what(event),
        "subject": event.subject,
        "request": asked.reference if asked else None,
        "nid": namespace.nid if namespace else None,
        "source": event.source or None,
        "target": event.target or None,
        "comment": event.comment or None,
        "data": event.data,
    }
    return chain | {name: said[name] for name in SAID}

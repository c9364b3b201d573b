"""The chain of events: append, verify.

Every line names the digest of the line before it, so that whoever holds the last digest can
tell whether an older line was changed, added or taken out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

from django.db import models, transaction
from django.utils import timezone

from registry.models import Counter, Event, Namespace, RegistrationRequest, User

WITHHELD: Final = "withheld"
"""The verb of a line that is known by its number and its digest alone, from a public dump."""


def append(
    subject: models.Model,
    *,
    actor: User | None,
    verb: str,
    comment: str = "",
    source: str = "",
    target: str = "",
    data: dict[str, Any] | None = None,
) -> Event:
    """Write one line about `subject` and return it; `actor` is None for the clock.

    Call it in the transaction of the change it tells of: both are saved, or neither is.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An event is written in the transaction of the change it tells of.")
    number = Counter.objects.take(Counter.EVENT)
    event = Event(
        number=number,
        at=timezone.now(),
        actor=actor,
        actor_name=str(actor or "The registry"),
        verb=verb,
        subject=str(subject)[:200],
        registration_request=subject if isinstance(subject, RegistrationRequest) else None,
        namespace=namespace_of(subject),
        source=source,
        target=target,
        comment=comment,
        data=data or {},
        previous=last_digest(),
    )
    event.digest = digest(event)
    event.save(force_insert=True)
    return event


def namespace_of(subject: models.Model) -> Namespace | None:
    """Return the namespace that an event about `subject` also concerns."""
    if isinstance(subject, Namespace):
        return subject
    return subject.namespace if isinstance(subject, RegistrationRequest) else None


def last_digest() -> str:
    """Return the digest of the last line, empty before the first."""
    return Event.objects.order_by("-number").values_list("digest", flat=True).first() or ""


def digest(event: Event) -> str:
    """Return the SHA-256, in hexadecimal, of all that `event` says and of the line before."""
    return hashlib.sha256(line(event).encode("utf-8", "surrogatepass")).hexdigest()


def line(event: Event) -> str:
    """Return all that `event` says as the one text whose digest it carries: JSON, keys sorted."""
    told = {
        "number": event.number,
        "at": event.at.isoformat(),
        "actor": event.actor_id,
        "actor_name": event.actor_name,
        "verb": event.verb,
        "subject": event.subject,
        "request": event.registration_request_id,
        "namespace": event.namespace_id,
        "source": event.source,
        "target": event.target,
        "comment": event.comment,
        "data": event.data,
        "previous": event.previous,
    }
    return json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def verify(*, withheld: bool = False) -> Iterator[str]:
    """Yield one sentence for each line that does not follow from the line before it.

    Where lines may be `withheld`, those stand in the chain by what they say their digest is.
    """
    previous, expected = "", 1
    for event in Event.objects.order_by("number").iterator():
        if event.number != expected:
            yield f"Line {expected} is missing."
        if event.previous != previous:
            yield f"Line {event.number} does not follow line {event.number - 1}."
        if event.verb == WITHHELD and not withheld:
            yield f"Line {event.number} is known by its digest alone."
        if event.verb != WITHHELD and event.digest != digest(event):
            yield f"Line {event.number} was changed."
        previous, expected = event.digest, event.number + 1

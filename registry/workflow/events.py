"""One line of the journal, and whom it is told: what every act ends with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models

from registry import journal, notifications
from registry.models import Event, User
from registry.notifications import webhooks
from registry.permissions import Person


def record_event(
    subject: models.Model,
    *,
    actor: Person,
    verb: str,
    comment: str = "",
    source: str = "",
    target: str = "",
    data: dict[str, Any] | None = None,
    rows: Mapping[str, str | None] | None = None,
) -> Event:
    """Write the event of an act, letters about it and what webhooks are told, in its transaction.

    `actor` may be `permissions.CLOCK`. What `data` may say to the letters: see
    `registry.notifications`, `rows` see `registry.journal`.
    """
    event = journal.append(
        subject,
        actor=actor if isinstance(actor, User) else None,
        verb=verb,
        comment=comment,
        source=source,
        target=target,
        data=data,
        rows=rows,
    )
    notifications.notify_recipients(event)
    webhooks.enqueue_webhooks(event)
    return event

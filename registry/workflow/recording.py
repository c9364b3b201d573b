"""One line of the journal, and whom it is told: what every act ends with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models

from registry import hooks, journal, notices
from registry.models import Event, User
from registry.rules import Person


def record(
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

    `actor` may be `rules.CLOCK`. What `data` may say to the letters: see `registry.notices`, `rows`
    see `registry.journal`.
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
    notices.tell(event)
    hooks.tell(event)
    return event

"""One line of the journal, and the letters about it: what every act ends with."""

from __future__ import annotations

from typing import Any

from django.db import models

from registry import journal
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
) -> Event:
    """Write the event of an act in its transaction; `actor` may be `rules.CLOCK`."""
    return journal.append(
        subject,
        actor=actor if isinstance(actor, User) else None,
        verb=verb,
        comment=comment,
        source=source,
        target=target,
        data=data,
    )

"""One line of the journal, and whom it is told: what every act ends with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db import models

from registry import enums, journal, notifications, search
from registry.enums import VerbKind
from registry.models import Event, User
from registry.notifications import webhooks
from registry.notifications.recipients import Recipient
from registry.permissions import Person, PublishedContact

VERBS_THAT_MOVE_NOTHING: Final = frozenset({"comment"})
"""Acts after which it is whose turn it was, so that letters about them do not depend on their line.
They are written before the number is taken, which everybody else who acts waits for."""


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
    in_name_of: str = "",
    before: Iterable[Recipient] = (),
    is_reminder: bool = False,
) -> Event:
    """Write the event of an act, letters about it and what webhooks are told, in its transaction.

    The search index follows: what the act changed is found from then on. A reminder changes nothing
    that is found or that the discussion list is sent, so that neither is looked at.

    `before` are the parties as they were before the act. `actor` may be `permissions.CLOCK`. What
    `data` may say to the letters: see `registry.notifications`, `rows` and `in_name_of` see
    `registry.journal`.
    """
    # Asked before the number is ours: while it is, nobody else can act. A publication makes names
    # of former registrants known, which its own line tells.
    is_indexed = is_reminder or (
        search.is_subject_indexed(subject) and not enums.is_verb_of_kind(verb, VerbKind.PUBLICATION)
    )
    event = journal.compose_line(
        subject,
        actor=actor if isinstance(actor, User) else None,
        verb=verb,
        comment=comment,
        source=source,
        target=target,
        data=data,
        in_name_of=str(actor) if isinstance(actor, PublishedContact) else in_name_of,
    )
    prepared = notifications.prepare_letters(event) if verb in VERBS_THAT_MOVE_NOTHING else None
    journal.write_line(event, rows)
    notifications.notify_recipients(event, before, is_reminder=is_reminder, prepared=prepared)
    webhooks.enqueue_webhooks(event)
    if not is_indexed:
        search.refresh_subject(subject)
    return event

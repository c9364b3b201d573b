"""One event of the journal, and who is notified of it: the end of every action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import models

from registry import journal, notifications, permissions, search
from registry.models import Event, User
from registry.notifications import webhooks
from registry.notifications.recipients import Recipient
from registry.notifications.reminders import ReminderLetter
from registry.permissions import Person, PublishedContact
from registry.workflow.step import ActionRefused


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
    """Write the event of an action, the letters and the webhook deliveries, in its transaction.

    The search index is updated with what the action changed. A reminder changes nothing that is
    indexed or sent to the discussion list, so both are skipped.

    Raises `ActionRefused` if it changes more than a log entry can hold.

    `before` are the parties as they were before the action. `actor` may be `permissions.CLOCK`. For
    what `data` may tell the letters see `registry.notifications`; for `rows` and `in_name_of`,
    `registry.journal`.
    """
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
    # Everything is computed before the number is assigned, since nobody else can act after that.
    # The journal works out whose turn it is, and who may read the event, with the event in it.
    with journal.try_lines([event]):
        is_indexed = is_reminder or search.is_subject_indexed(subject)
        letters = notifications.prepare_letters(event, before, is_reminder=is_reminder)
        hooks = webhooks.find_concerned_webhooks([event])
    try:
        journal.write_line(event, rows)
    except journal.ActTooLarge as refusal:
        # Pages show a refused action next to its form.
        raise ActionRefused(str(refusal)) from None
    notifications.write_letters([letters])
    webhooks.write_deliveries([event], hooks)
    if not is_indexed:
        search.refresh_subject(subject)
    return event


def record_reminders(events: Sequence[Event], others: Sequence[ReminderLetter] = ()) -> None:
    """Write the composed events of reminders, with letters and deliveries, in bulk.

    Does what `record_event` does one by one with `is_reminder`: in the transaction in which they
    are due, all or none. `others` are letters about the events in words of their own.
    """
    if not events:
        return
    with permissions.ask_each_fact_once(), journal.try_lines(events):
        notifications.preload_recipients(events)
        batches = [notifications.prepare_letters(each, is_reminder=True) for each in events]
        hooks = webhooks.find_concerned_webhooks(events)
    journal.write_lines(events)
    notifications.write_letters(batches)
    notifications.write_reminder_letters(others)
    webhooks.write_deliveries(events, hooks)

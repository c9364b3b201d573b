"""The events of an action, and who is notified of them: the end of every action.

Events are numbered without gaps, so whoever has numbered one makes everybody else wait until their
transaction ends. `write_events_last` puts that at the end: within its block an action only composes
its events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import models

from registry import journal, notifications, permissions, search
from registry.models import Event, User, Webhook
from registry.notifications import webhooks
from registry.notifications.letters import LetterBatch
from registry.notifications.recipients import Recipient
from registry.notifications.reminders import ReminderLetter
from registry.permissions import Person, PublishedContact
from registry.workflow.step import ActionRefused


class EventBatch:
    """Composed events of one transaction, with everything that is written with them."""

    def __init__(self, outer: EventBatch | None = None) -> None:
        self.outer = outer
        self.events: list[Event] = []
        self.rows: list[Mapping[str, str | None]] = []
        self.hooks: list[list[Webhook]] = []
        self.letters: list[LetterBatch] = []
        self.other_letters: list[ReminderLetter] = []
        self.index = search.IndexUpdate()

    def list_composed(self) -> list[Event]:
        """Return all events that the transaction has composed and not written, in order."""
        return [*(self.outer.list_composed() if self.outer else ()), *self.events]

    def compose(
        self,
        events: Sequence[Event],
        *,
        rows: Mapping[str, str | None] | None = None,
        before: Iterable[Recipient] = (),
        subject: models.Model | None = None,
        is_reminder: bool = False,
        is_silent: bool = False,
    ) -> None:
        """Add events with their letters, deliveries and the index entry of their `subject`.

        `rows` are those of each event. Silent events are told nobody.
        """
        if subject is not None:
            self.index.begin()
        # The journal works out whose turn it is, and who may read an event, with the event in it.
        with (
            permissions.ask_each_fact_once(),
            journal.try_lines([*self.list_composed(), *events]),
        ):
            if subject is not None:
                self.index.add(subject)
            if is_silent:
                self.hooks += [[] for _each in events]
            else:
                if len(events) > 1:
                    notifications.preload_recipients(events)
                self.letters += [
                    notifications.prepare_letters(each, before, is_reminder=is_reminder)
                    for each in events
                ]
                self.hooks += webhooks.find_concerned_webhooks(events)
        self.events += events
        self.rows += [rows or {}] * len(events)

    def absorb(self, inner: EventBatch) -> None:
        """Add what an inner block composed."""
        self.events += inner.events
        self.rows += inner.rows
        self.hooks += inner.hooks
        self.letters += inner.letters
        self.other_letters += inner.other_letters
        self.index.absorb(inner.index)

    def write(self) -> None:
        """Number the events, and write everything: the end of the transaction.

        Raises `ActionRefused` if an event changes more than a log entry can hold.
        """
        if not self.events:
            return
        try:
            journal.write_lines(self.events, self.rows)
        except journal.ActTooLarge as refusal:
            # Pages show a refused action next to its form.
            raise ActionRefused(str(refusal)) from None
        notifications.write_letters(self.letters)
        notifications.write_reminder_letters(self.other_letters)
        webhooks.write_deliveries(self.events, self.hooks)
        self.index.write(self.events[0].number)


_current_batch: ContextVar[EventBatch | None] = ContextVar("event_batch", default=None)


@contextmanager
def write_events_last() -> Iterator[EventBatch]:
    """Compose the events of the block, and number and write them together at its end.

    Call it as the last manager of the action's transaction: `with transaction.atomic(),
    write_events_last():`. A nested block leaves the writing to the outer one; if it raises, its
    events are forgotten, as its transaction is rolled back.

    Within the block events have no number and are not in the journal. Letters and the index find
    those composed so far; other code that asks the journal does so in `show_composed_events`.
    """
    journal.refuse_outside_transaction()
    outer = _current_batch.get()
    batch = EventBatch(outer)
    token = _current_batch.set(batch)
    try:
        yield batch
    finally:
        _current_batch.reset(token)
    if outer is None:
        batch.write()
    else:
        outer.absorb(batch)


@contextmanager
def show_composed_events() -> Iterator[None]:
    """Within the block, queries find the events composed so far; whatever it writes is undone."""
    batch = _current_batch.get()
    if batch is None or not (events := batch.list_composed()):
        yield
        return
    with journal.try_lines(events):
        yield


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
    is_silent: bool = False,
) -> Event:
    """Write the event of an action, the letters and the webhook deliveries, in its transaction.

    Within `write_events_last` it is written at the end of that block. The search index is updated
    with what the action changed. A reminder changes nothing that is indexed or sent to the
    discussion list, so both are skipped. What `is_silent` is told nobody.

    Raises `ActionRefused` if it changes more than a log entry can hold, at the end of that block.

    `before` are the parties as they were before the action. `actor` may be `permissions.CLOCK`. For
    what `data` may tell the letters see `registry.notifications`; for `rows` and `in_name_of`,
    `registry.journal`.
    """
    is_unindexed = is_reminder or verb in search.UNINDEXED_VERBS
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
    with write_events_last() as batch:
        batch.compose(
            [event],
            rows=rows,
            before=before,
            subject=None if is_unindexed else subject,
            is_reminder=is_reminder,
            is_silent=is_silent,
        )
    return event


def record_events(
    events: Sequence[Event], others: Sequence[ReminderLetter] = (), *, is_reminder: bool = False
) -> None:
    """Write the composed events of actions that change nothing indexed, in bulk.

    Does for all of them what `record_event` does for one, with as many statements as for few: in
    the transaction in which they happen, all or none. `others` are letters about the events in
    words of their own.
    """
    if not events:
        return
    with write_events_last() as batch:
        batch.compose(events, is_reminder=is_reminder)
        batch.other_letters += others

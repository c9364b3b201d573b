"""The letters we send: written together with the event they are about, sent by a worker.

`registry.workflow.events.record_event` calls `prepare_letters(event)` and `write_letters(batch)` in
the transaction of the action. They write one `Letter` for each person the event concerns, for the
strongest reason that applies, and one task per letter. So a rolled-back action leaves no letter,
and a committed one always has its letters, whatever crashes.

What an event says about its readers is in `event.data`:

- `to`: a list of "registrant", "expert", "lead", "registrar" and "standards_body". The letter
  then goes to exactly those, and not to followers or the list. The scheduler's verbs ("remind",
  "alarm") always set it; they may add `kind`, for the journal. "expert"
  means those on the request; the roles mean everyone who holds them without a stake in it, or for
  an event not about a request, everyone who holds them. About a draft that was never sent, only
  the registrant is written to, no matter who is named; if the registrant has nobody left, the
  administrators get a letter of their own, which quotes none of the text.
- `people`: a list of primary keys of accounts that get it as well, or alone if there is no other
  reader (such as the person who asked for a recognition that was decided).
- `message`: the number of the message within the request that the event is about; the letter
  then carries its text and its Message-ID, and goes to those who may read it.

The scheduler calls `requeue_letters()`, `send_digests(now)` and `send_weekly_letters(now)`. They
can be called at any time and any number of times: nothing is sent twice.
"""

from registry.notifications.digests import send_digests
from registry.notifications.letter_facts import preload_letter_facts, preload_recipients
from registry.notifications.outbox import (
    prepare_letters,
    requeue_letters,
    send_letter,
    write_letters,
)
from registry.notifications.reminders import (
    ask_contacts_to_keep,
    send_weekly_letters,
    tell_administrators_of_draft,
    write_reminder_letters,
)

__all__ = [
    "ask_contacts_to_keep",
    "preload_letter_facts",
    "preload_recipients",
    "prepare_letters",
    "requeue_letters",
    "send_digests",
    "send_letter",
    "send_weekly_letters",
    "tell_administrators_of_draft",
    "write_letters",
    "write_reminder_letters",
]

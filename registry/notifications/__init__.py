"""The letters we send: written with the event they tell of, sent by a worker.

`prepare_letters(event)` and `write_letters(batch)` are called by
`registry.workflow.events.record_event`, in the transaction of the act. They write one `Letter` for
each person the event concerns, for the strongest reason they have, and one task for each letter: an
act that is rolled back leaves neither, and after one that stands both are there, whatever crashes.

What an event says about its readers stands in `event.data`:

- `to`: a list of "registrant", "expert", "lead", "registrar" and "standards_body". The letter
  then goes to exactly those, and not to watchers or the list. The clock's verbs ("nudge",
  "remind", "escalate", "alarm") always say it; they may add `kind`, for the journal. "expert"
  means those on the request; the roles mean all who hold them and have no stake in it; of an
  event that is about no request, all who hold the role. About a draft that was never sent, only
  the registrant is written to, whoever is named; where nobody is left of the registrant, the
  administrators get a letter of their own, without a word of the text.
- `people`: a list of the primary keys of accounts that get it too, or alone where there is no
  other reader (such as who asked for a recognition that was decided).
- `message`: the number of the message within the request that the event is about; the letter
  then carries its text and its Message-ID, and goes to those who may read it.

`requeue_letters()`, `send_digests(now)` and `send_weekly_letters(now)` are for the clock. They may
be called at any moment and any number of times: nothing is sent twice.
"""

from registry.notifications.digests import send_digests
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
)

__all__ = [
    "ask_contacts_to_keep",
    "prepare_letters",
    "requeue_letters",
    "send_digests",
    "send_letter",
    "send_weekly_letters",
    "tell_administrators_of_draft",
    "write_letters",
]

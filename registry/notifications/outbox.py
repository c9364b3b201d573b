"""The outbox: letters, each written to one address and sent once, by a worker.

Who gets a letter is fixed when the event is written. People who have lost a role, a request or a
namespace by the time it is sent still get it: nobody hears of a loss from others.
"""

from __future__ import annotations

import datetime
import secrets
import smtplib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from allauth.account import app_settings
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry import permissions
from registry.background import enqueue_for_each
from registry.enums import LetterDelivery, LetterReason
from registry.models import Event, Letter, User
from registry.notifications import letters
from registry.notifications.bounces import (
    MARK_HEADER,
    is_dead_by_answer,
    mark_dead_address,
    sign_letter,
)
from registry.notifications.letters import (
    LetterBatch,
    compose_letters,
    shorten_subject,
    wrap_letter,
)
from registry.notifications.list_letters import (
    compose_text_for_list,
    is_text_still_due,
    save_text_for_list,
)
from registry.notifications.recipients import (
    Recipient,
    find_carried_message,
    find_recipients,
    reachable_people,
)
from registry.selectors import is_replayed, requests_visible_to


def is_letter_still_due(letter: Letter) -> bool:
    """Whether the letter is sent: it is even if the recipient has since lost a role or a part.

    But not to an inactive account, to one whose address is in doubt, or about something the
    recipient no longer follows.
    """
    if has_hidden_message(letter):
        return False
    if letter.reason == LetterReason.LIST:
        is_wanted = letter.round is None or is_text_still_due(letter)
        return is_wanted and letter.address == settings.REGISTRY_LIST_ADDRESS
    if letter.reason == LetterReason.ACCOUNT:
        return timezone.now() < letter.written_at + find_longest_link_lifetime()
    person = letter.recipient
    if person is None:
        return True
    if not reachable_people().filter(pk=person.pk).exists():
        return False
    return letter.reason != LetterReason.WATCHER or letter.follow_id is not None


def may_read_letter(letter: Letter) -> bool:
    """Whether the recipient may still read what the letter is about; strangers get only public
    facts.

    People removed from a draft get to know what happened, but not the text.
    """
    asked = letter.event.registration_request if letter.event else None
    if asked is None or letter.recipient is None:
        return True
    return requests_visible_to(letter.recipient).filter(pk=asked.pk).exists()


def find_longest_link_lifetime() -> datetime.timedelta:
    """Return how long links in letters about an account are valid at most."""
    return max(
        datetime.timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT),
        datetime.timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS),
    )


def has_hidden_message(letter: Letter) -> bool:
    """Whether the letter carries a message that a moderator has hidden since."""
    message = find_carried_message(letter.event) if letter.event else None
    return message is not None and message.hidden_at is not None


# The guarantees. A letter is in the database from the moment of the action it is about until a mail
# server has accepted it or its recipient turns out to be gone. A worker claims a letter by one
# update that only one worker can win, and keeps it for `LETTER_LEASE`. If the server is down, the
# letter is put back for a while that doubles each time. A worker that is killed leaves the letter
# claimed; once the lease is over, `requeue_letters` creates a new task for it. So no letter is
# lost. One is sent twice only if a worker dies between the server's accepting it and our recording
# that; it then has the same Message-ID, by which mail programs recognise it.

LETTER_LEASE: Final = datetime.timedelta(minutes=10)
"""Longer than sending can take: every wait for the mail server ends after `EMAIL_TIMEOUT`."""

MIN_LETTER_DELAY: Final = datetime.timedelta(minutes=1)
MAX_LETTER_DELAY: Final = datetime.timedelta(hours=6)

REPLAY_PAUSE: Final = datetime.timedelta(seconds=1)
"""How long a letter waits before we check again whether the replicas have its event."""

ACCOUNT_LETTER_PRIORITY: Final = 10
"""Somebody is waiting at a page for a letter about their account: it goes first."""


@task()
def send_letter(letter_id: int) -> str:
    """Send one letter; return what became of it. Run twice, or by two workers, it is sent once."""
    if is_letter_early(letter_id):
        return "waits for replicas"
    letter = claim_letter(letter_id)
    if letter is None:
        return "left alone"
    if not is_letter_still_due(letter):
        finish_letter(letter, dropped_at=timezone.now())
        return "dropped"
    try:
        build_mail(letter).send()
    # Whatever stops a letter is recorded and tried again: none may be lost or stop the others.
    except Exception as error:
        return postpone_letter(letter, error)
    finish_letter(letter, sent_at=timezone.now(), last_error="")
    return "sent"


def is_letter_early(letter_id: int) -> bool:
    """Whether a page linked from the letter may lag behind it; creates a task for later if so."""
    if not settings.REGISTRY_REPLICAS:
        return False
    letter = Letter.objects.select_related("event").filter(pk=letter_id).first()
    if letter is None or letter.event is None or is_replayed(letter.event):
        return False
    enqueue_letter(letter, run_after=timezone.now() + REPLAY_PAUSE)
    return True


def enqueue_letter(letter: Letter, run_after: datetime.datetime | None = None) -> None:
    """Create the task to send a letter, in the current transaction."""
    priority = ACCOUNT_LETTER_PRIORITY if letter.reason == LetterReason.ACCOUNT else None
    send_letter.using(priority=priority, run_after=run_after).enqueue(letter.pk)


def claim_letter(letter_id: int) -> Letter | None:
    """Return the letter, claimed for this worker; None if it is not to be sent now."""
    now = timezone.now()
    if not Letter.objects.take(letter_id, now, now + LETTER_LEASE):
        return None
    return Letter.objects.select_related(
        "recipient", "event__registration_request", "registration_request", "round"
    ).get(pk=letter_id)


def build_mail(letter: Letter) -> EmailMultiAlternatives:
    """Return the letter as a mail, to its recipient's current address.

    What the recipient may no longer read is left out; what happened stays.
    """
    address = letter.recipient.email if letter.recipient else letter.address
    headers = letter.headers | letters.build_thread_headers(letter)
    headers[MARK_HEADER] = sign_letter(letter)
    readable = may_read_letter(letter)
    message = EmailMultiAlternatives(
        subject=letter.subject,
        body=letter.text if readable else letters.write_withheld_text(letter),
        to=[address],
        headers=headers,
    )
    if letter.html and readable:
        message.attach_alternative(letter.html, "text/html")
    return message


def finish_letter(letter: Letter, **facts: object) -> None:
    """Record what became of the letter.

    A letter about an account may carry a link that opens it, so its text is stored no longer than
    needed.
    """
    if letter.reason == LetterReason.ACCOUNT:
        facts |= {"text": "", "html": ""}
    Letter.objects.filter(pk=letter.pk).update(not_before=None, **facts)


def postpone_letter(letter: Letter, error: Exception) -> str:
    """Record why it could not be sent, and retry after a pause; give up only on a dead address."""
    told = f"{type(error).__name__}: {error}"
    if is_permanent_refusal(error):
        if is_dead_by_answer(told):
            mark_dead_address(letter.recipient.email if letter.recipient else letter.address, told)
        finish_letter(letter, dropped_at=timezone.now(), last_error=told)
        return "refused"
    rest = min(MIN_LETTER_DELAY * 2 ** min(letter.attempts - 1, 10), MAX_LETTER_DELAY)
    again_at = timezone.now() + rest
    with transaction.atomic():
        Letter.objects.filter(pk=letter.pk).update(not_before=again_at, last_error=told)
        enqueue_letter(letter, run_after=again_at)
    return "put off"


def is_permanent_refusal(error: Exception) -> bool:
    """Whether the mail server said that this address does not exist (RFC 5321, section 4.2.1)."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(
        code >= 500 for code, _said in error.recipients.values()
    )


def requeue_letters() -> int:
    """Create a task for each letter that waits without one; return how many did.

    A letter has none if its worker was killed, or the tasks were deleted.
    """
    with transaction.atomic():
        ripe = Letter.objects.ripe(timezone.now()).filter(delivery=LetterDelivery.AT_ONCE)
        tasks = DBTaskResult.objects.filter(
            task_path=send_letter.module_path, status=TaskResultStatus.READY
        )
        expected = {given["args"][0] for given in tasks.values_list("args_kwargs", flat=True)}
        forgotten = [each for each in ripe.only("pk", "reason") if each.pk not in expected]
        for letter in forgotten:
            enqueue_letter(letter)
    return len(forgotten)


def prepare_letters(
    event: Event, before: Iterable[Recipient] = (), *, is_reminder: bool = False
) -> LetterBatch:
    """Return the letters about `event` for `write_letters`; call it within `journal.try_lines`.

    `before` are the parties before the step. If the discussion list is due to get the text of the
    request, that is the list's letter; reminders never cause it.
    """
    with permissions.ask_each_fact_once():
        text = None if is_reminder else compose_text_for_list(event)
        if text:
            # Who else is written to depends on it, which is queried each time. It is rolled back
            # with the event.
            save_text_for_list(event, text)
        return compose_letters(event, find_recipients(event, before), text)


def write_letters(batches: Sequence[LetterBatch]) -> None:
    """Save the letters about saved events, and a task for each that is sent at once.

    Call it in the transaction of the action, so that letters and tasks are saved with it or not at
    all.
    """
    for batch in batches:
        if text := batch.text:
            text.pk = None
            save_text_for_list(batch.event, text)
            enqueue_letter(text, run_after=text.not_before)
    write_together([letter for batch in batches for letter in batch.number_letters()])


def write_together(composed: Sequence[Letter]) -> None:
    """Save composed letters, and a task for each that is sent at once."""
    if not composed:
        return
    written = Letter.objects.bulk_create(composed)
    at_once = [each.pk for each in written if each.delivery == LetterDelivery.AT_ONCE]
    enqueue_for_each(send_letter, at_once)


def write_direct_letter(
    template: str,
    context: Mapping[str, Any],
    *,
    why: str,
    key: str,
    address: str,
    person: User | None = None,
    event: Event | None = None,
) -> Letter:
    """Write a letter to `address`, and the task to send it, in the current transaction.

    The first line of `templates/mail/<template>.txt` is its subject. `why` says why this reader
    gets it, `key` what it is about: writing it twice is an error that the database refuses.
    """
    letter = compose_direct_letter(template, context, why=why, address=address, person=person)
    letter.key, letter.event = key, event
    letter.save(force_insert=True)
    enqueue_letter(letter)
    return letter


def write_copy(composed: Letter, *, key: str, person: User) -> Letter:
    """Write a letter composed once for several people to one of them, with its task."""
    letter = Letter(
        key=key,
        recipient=person,
        address=person.email,
        reason=composed.reason,
        subject=composed.subject,
        text=composed.text,
        html=composed.html,
        headers=composed.headers,
        written_at=timezone.now(),
    )
    letter.save(force_insert=True)
    enqueue_letter(letter)
    return letter


def compose_direct_letter(
    template: str,
    context: Mapping[str, Any],
    *,
    why: str,
    address: str,
    person: User | None = None,
) -> Letter:
    """Return the letter that `write_direct_letter` writes, without its key and unsaved."""
    with translation.override(settings.LANGUAGE_CODE):
        given = {"site": settings.SITE, **context}
        subject, _line, text = render_to_string(f"mail/{template}.txt", given).partition("\n")
        words = {"text": text.strip(), "why": why}
        return Letter(
            recipient=person,
            address=address,
            reason=LetterReason.NAMED,
            subject=shorten_subject(subject),
            text=wrap_letter(f"{text.strip()}\n\n-- \n{why}"),
            html=render_to_string("mail/own.html", words),
            headers=letters.build_general_headers(),
            written_at=timezone.now(),
        )


# Pages request them while somebody waits, so they are written here and sent by the worker: a mail
# server that hangs or is down delays the letter but never the page.


def write_account_letter(address: str, subject: str, text: str) -> Letter:
    """Write a letter to exactly that address, and the task to send it.

    It has no recipient: it may be for an address that the account no longer has, or does not have
    yet.
    """
    mark = secrets.token_hex(16)
    with transaction.atomic():
        letter = Letter.objects.create(
            key=f"account:{mark}",
            address=address,
            reason=LetterReason.ACCOUNT,
            subject=shorten_subject(subject),
            text=text,
            headers={"Message-ID": f"<account.{mark}@{letters.find_letter_host()}>"},
            written_at=timezone.now(),
        )
        enqueue_letter(letter)
    return letter

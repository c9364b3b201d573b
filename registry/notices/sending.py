"""Sending the letters that were written: by a worker, each once, whatever fails in between.

What is guaranteed. A letter stands in the database from the moment of the act it tells of, until
a mail server has taken it or its recipient turns out to have left. A worker takes a letter in
hand by one update that only one worker can win, and has it to itself for `IN_HAND`. A server
that is down gives the letter back for a while that doubles each time. A worker that is killed
leaves the letter in hand; once that is over, `sweep` makes a new task for it. So no letter is
lost. One is sent twice only where a worker dies between the server's taking it and our noting
so; it then carries the same Message-ID, by which mail programs know it again.
"""

from __future__ import annotations

import datetime
import smtplib
from typing import Final

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.utils import timezone
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry.choices import Delivery, Reason
from registry.models import Letter
from registry.notices.asking import still_goes

IN_HAND: Final = datetime.timedelta(minutes=10)
"""Longer than sending takes at worst: every wait for the mail server ends by `EMAIL_TIMEOUT`."""

SHORTEST_REST: Final = datetime.timedelta(minutes=1)
LONGEST_REST: Final = datetime.timedelta(hours=6)

ACCOUNT_PRIORITY: Final = 10
"""Somebody sits before a page and waits for a letter about their account: it goes first."""


@task()
def send_letter(letter_id: int) -> str:
    """Send one letter; return what became of it. Run twice, or by two workers, it is sent once."""
    letter = take_in_hand(letter_id)
    if letter is None:
        return "left alone"
    if not still_goes(letter):
        finish(letter, dropped_at=timezone.now())
        return "dropped"
    try:
        mail(letter).send()
    # Whatever stops one letter is noted and tried again: none may be lost, none stop the others.
    except Exception as error:
        return put_off(letter, error)
    finish(letter, sent_at=timezone.now(), last_error="")
    return "sent"


def enqueue(letter: Letter, run_after: datetime.datetime | None = None) -> None:
    """Make the task to send a letter, in the transaction at hand."""
    priority = ACCOUNT_PRIORITY if letter.reason == Reason.ACCOUNT else None
    send_letter.using(priority=priority, run_after=run_after).enqueue(letter.pk)


def take_in_hand(letter_id: int) -> Letter | None:
    """Return the letter, for this worker alone; none where it is not to be sent now."""
    now = timezone.now()
    if not Letter.objects.take(letter_id, now, now + IN_HAND):
        return None
    return Letter.objects.select_related("recipient", "event", "registration_request").get(
        pk=letter_id
    )


def mail(letter: Letter) -> EmailMultiAlternatives:
    """Return the letter as a mail, to the address its recipient has now."""
    address = letter.recipient.email if letter.recipient else letter.address
    message = EmailMultiAlternatives(
        subject=letter.subject, body=letter.text, to=[address], headers=letter.headers
    )
    if letter.html:
        message.attach_alternative(letter.html, "text/html")
    return message


def finish(letter: Letter, **facts: object) -> None:
    """Note what became of the letter.

    One about an account may carry a link that opens it, so its text is kept no longer than needed.
    """
    if letter.reason == Reason.ACCOUNT:
        facts |= {"text": "", "html": ""}
    Letter.objects.filter(pk=letter.pk).update(not_before=None, **facts)


def put_off(letter: Letter, error: Exception) -> str:
    """Note why it could not be sent, and try again after a rest; give up only on a dead address."""
    told = f"{type(error).__name__}: {error}"
    if is_refused_for_good(error):
        finish(letter, dropped_at=timezone.now(), last_error=told)
        return "refused"
    rest = min(SHORTEST_REST * 2 ** min(letter.attempts - 1, 10), LONGEST_REST)
    again_at = timezone.now() + rest
    with transaction.atomic():
        Letter.objects.filter(pk=letter.pk).update(not_before=again_at, last_error=told)
        enqueue(letter, run_after=again_at)
    return "put off"


def is_refused_for_good(error: Exception) -> bool:
    """Whether the mail server said that this address does not exist (RFC 5321, section 4.2.1)."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(
        code >= 500 for code, _said in error.recipients.values()
    )


def sweep() -> int:
    """Make a task for each letter that waits and has none; return how many that were.

    A letter has none where its worker was killed, or the tasks were cleared away.
    """
    with transaction.atomic():
        ripe = Letter.objects.ripe(timezone.now()).filter(delivery=Delivery.AT_ONCE)
        tasks = DBTaskResult.objects.filter(
            task_path=send_letter.module_path, status=TaskResultStatus.READY
        )
        expected = {given["args"][0] for given in tasks.values_list("args_kwargs", flat=True)}
        forgotten = [each for each in ripe.only("pk", "reason") if each.pk not in expected]
        for letter in forgotten:
            enqueue(letter)
    return len(forgotten)

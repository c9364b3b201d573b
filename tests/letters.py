"""Letters about accounts, as people get them who sign up or forgot a password."""

from __future__ import annotations

import re

from django.core import mail
from django.template.loader import render_to_string
from django.test import Client

from registry.enums import LetterReason
from registry.models import Letter
from registry.notifications.outbox import send_letter

LINK = re.compile(r"https?://\S+")


def send_account_letters() -> None:
    """Send what is waiting, as the worker does."""
    waiting = Letter.objects.waiting().filter(reason=LetterReason.ACCOUNT)
    for key in waiting.values_list("pk", flat=True):
        send_letter.call(key)


def link_in_last_letter(to: str) -> str:
    """Return the link in the last letter about an account, sent to that address."""
    send_account_letters()
    letter = mail.outbox[-1]
    assert letter.to == [to]
    [link] = LINK.findall(str(letter.body))
    return str(link)


def subject_of(name: str) -> str:
    """Return the subject of the letter about an account whose templates have that name."""
    return render_to_string(f"account/email/{name}_subject.txt").strip()


def go_on_from_reset_link(client: Client, link: str) -> str:
    """Open a link that chooses a new password, and go on; return the address of the form."""
    page = client.get(re.sub(r"https?://[^/]+", "", link))
    form_address = page.headers["Location"]
    client.post(form_address)
    return form_address

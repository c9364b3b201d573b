"""The mailing list in the discussion: one letter becomes one message, or is told why not."""

from __future__ import annotations

import re
from email.utils import parseaddr
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from registry.choices import LIVE, Audience, Channel
from registry.discussion.messages import add, hold, host, top_of
from registry.discussion.reading import Letter, read
from registry.models import Message, RegistrationRequest, User
from registry.rules import CLOCK
from registry.validators import without_unseen
from registry.workflow.recording import record

LONGEST: Final = 50_000
_REFERENCE: Final = re.compile(r"\bR-\d{4}-\d{4,6}\b", re.ASCII | re.IGNORECASE)
_OURS: Final = re.compile(r"<(R-\d{4}-\d{4,6})\.[^@]*@([^@>]+)>", re.ASCII)


class Unwanted(Exception):
    """A letter that is rightly left out: from a machine, or known already. Nobody is told."""


class NoPlace(Exception):
    """A letter for which there is no discussion."""


class TooLong(Exception):
    """A letter that nobody would read to its end."""


def receive(raw: bytes) -> Message:
    """Return the message that a letter has become, its line written into the journal.

    Raises `Unwanted`, `NoPlace`, `TooLong`, or `reading.Unreadable`; nothing is kept then.
    """
    letter = read(raw)
    if letter.is_automatic or is_our_own(letter):
        raise Unwanted("A machine wrote this letter.")
    if len(letter.text) > LONGEST:
        raise TooLong(f"The text has more than {LONGEST:,} characters.")
    with transaction.atomic():
        answered, registration_request = place_of(letter)
        held = hold(registration_request)
        if Message.objects.filter(message_id=letter.message_id).exists():
            raise Unwanted("The discussion has this letter already.")
        if held.state not in LIVE:
            raise NoPlace(f"{held.reference} has ended, and its discussion with it.")
        author = account_of(letter.address)
        message = add(
            held,
            author=author,
            author_name=str(author) if author else name_in(letter),
            text=letter.text,
            channel=Channel.LIST,
            message_id=letter.message_id,
            answers=top_of(answered),
        )
        # Whoever the letter says it is from has not acted here: the registry took it in.
        data = {"message": message.number, "channel": Channel.LIST.value}
        record(held, actor=CLOCK, verb="comment", data=data)
    return message


def name_in(letter: Letter) -> str:
    """Return whom the letter says it is from, without what would be refused in a name."""
    return without_unseen(letter.name) or _("Somebody without a name")


def is_our_own(letter: Letter) -> bool:
    """Whether the registry sent it, and the list brought it back."""
    ours = _OURS.fullmatch(letter.message_id)
    sent_by_us = bool(ours and ours[2] == host())
    return sent_by_us or letter.address.lower() == parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()


def place_of(letter: Letter) -> tuple[Message | None, RegistrationRequest]:
    """Return the message that is answered, if it is known, and the request that is talked of."""
    known = Message.objects.in_bulk(letter.refers_to, field_name="message_id")
    if any(each.audience == Audience.EXPERTS for each in known.values()):
        raise NoPlace("The letter answers a note among experts, which is not for the list.")
    for message_id in letter.refers_to:
        if answered := known.get(message_id):
            return answered, answered.registration_request
    for reference in references(letter):
        found = RegistrationRequest.objects.public().filter(reference=reference).first()
        if found:
            return None, found
    raise NoPlace("The letter names no request: write its reference, such as R-2026-0012.")


def references(letter: Letter) -> list[str]:
    """Return the references of requests in a letter: of letters of ours, then in the subject."""
    ours = [found for each in letter.refers_to if (found := _OURS.fullmatch(each))]
    named = [found[1] for found in ours if found[2] == host()]
    return named + [each.upper() for each in _REFERENCE.findall(letter.subject)]


def account_of(address: str) -> User | None:
    """Return whose confirmed address this is, to show the name; it proves nothing."""
    found = EmailAddress.objects.filter(email__iexact=address, verified=True, user__is_active=True)
    confirmed = found.select_related("user").first() if address else None
    return confirmed.user if confirmed else None

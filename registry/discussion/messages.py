"""Writing to the discussion of a request: messages for everybody, and notes among experts."""

from __future__ import annotations

import datetime
import uuid
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from registry import rules
from registry.choices import LIVE, Audience, Channel
from registry.models import Message, RegistrationRequest, User
from registry.rules import Person
from registry.workflow import Refused
from registry.workflow.recording import record

HOUR = datetime.timedelta(hours=1)


def comment(
    registration_request: RegistrationRequest,
    *,
    author: User,
    text: str,
    key: uuid.UUID,
    answers: Message | None = None,
    section: str = "",
) -> Message:
    """Write a public message and its line in the journal; return it.

    `key` names the form it came from: sent twice, the first message is returned. Raises
    `Refused` where nothing can be said, or nothing by this person, or not so soon again.
    """
    with transaction.atomic():
        held = hold(registration_request)
        if said := said_before(author, key, text):
            return said
        refuse_if(why_not(author, held) or why_not_yet(author))
        message = add(
            held,
            author=author,
            author_name=str(author),
            is_sender_verified=True,
            text=text,
            key=free(author, key),
            answers=top_of(answers),
            section=section,
        )
        record(held, actor=author, verb="comment", data={"message": message.number})
    return message


def note(
    registration_request: RegistrationRequest, *, author: User, text: str, key: uuid.UUID
) -> Message:
    """Write a note that only experts read; return it.

    It has no line in the journal, which everybody reads, and nobody gets a letter about it.
    """
    with transaction.atomic():
        held = hold(registration_request)
        if said := said_before(author, key, text):
            return said
        refuse_if("" if rules.may_confer(author, held) else among_experts())
        return add(
            held,
            author=author,
            author_name=str(author),
            is_sender_verified=True,
            text=text,
            key=free(author, key),
            audience=Audience.EXPERTS,
        )


def why_closed(registration_request: RegistrationRequest) -> str:
    """Return why nobody can write to the discussion, nothing where it is open."""
    if not registration_request.rounds.sent().exists():
        return _("The discussion opens with the first round.")
    if registration_request.state not in LIVE:
        return _("The request has ended, and its discussion with it. What was said stays here.")
    return ""


def why_not(person: Person, registration_request: RegistrationRequest) -> str:
    """Return why `person` cannot write to the discussion, nothing where they can."""
    if closed := why_closed(registration_request):
        return closed
    if not rules.may_comment(person, registration_request):
        return _("Only people with a confirmed mail address can comment. Confirm yours first.")
    return ""


def why_not_yet(person: User) -> str:
    """Return that `person` has written much within an hour, and when there is room again."""
    most = settings.REGISTRY_COMMENTS_PER_HOUR
    recent = Message.objects.public().filter(
        author=person, channel=Channel.SITE, posted_at__gt=timezone.now() - HOUR
    )
    times = list(recent.order_by("-posted_at").values_list("posted_at", flat=True)[:most])
    if len(times) < most:
        return ""
    room = times[-1] + HOUR if times else timezone.now() + HOUR
    return ngettext(
        "You have written %(most)d comment within an hour, which is the most that is taken from "
        "one person. Your text is kept on this page: send it after %(time)s UTC.",
        "You have written %(most)d comments within an hour, which is the most that is taken from "
        "one person. Your text is kept on this page: send it after %(time)s UTC.",
        most,
    ) % {"most": most, "time": f"{room.astimezone(datetime.UTC):%H:%M}"}


def among_experts() -> str:
    """Return who writes and reads the notes among experts."""
    return _("Notes are for designated experts who have no stake in the request.")


def refuse_if(obstacle: str) -> None:
    """Raise `Refused` where something stands in the way."""
    if obstacle:
        raise Refused(obstacle)


def hold(registration_request: RegistrationRequest) -> RegistrationRequest:
    """Return the request as it is now; nobody else writes to it until the transaction ends."""
    return RegistrationRequest.objects.select_for_update(no_key=True).get(
        pk=registration_request.pk
    )


def said_before(author: User, key: uuid.UUID, text: str) -> Message | None:
    """Return the message that the first of two clicks made."""
    return Message.objects.filter(author=author, key=key, text=text).first()


def free(author: User, key: uuid.UUID) -> uuid.UUID:
    """Return `key`, or another where an old form was sent again with another text."""
    used = Message.objects.filter(author=author, key=key).exists()
    return uuid.uuid4() if used else key


def top_of(message: Message | None) -> Message | None:
    """Return the message under which an answer to `message` stands: answers go one level deep."""
    return (message.answers or message) if message else None


def add(
    registration_request: RegistrationRequest,
    *,
    audience: Audience = Audience.PUBLIC,
    message_id: str = "",
    **fields: Any,
) -> Message:
    """Save the next message of a request that is held; return it."""
    earlier = registration_request.messages.filter(audience=audience)
    number = (earlier.aggregate(last=Max("number"))["last"] or 0) + 1
    return Message.objects.create(
        registration_request=registration_request,
        number=number,
        audience=audience,
        posted_at=timezone.now(),
        message_id=message_id or message_id_of(registration_request, audience, number),
        **fields,
    )


def message_id_of(
    registration_request: RegistrationRequest, audience: Audience, number: int
) -> str:
    """Return the Message-ID of a message written here (RFC 5322, section 3.6.4)."""
    local = str(number) if audience == Audience.PUBLIC else f"note-{number}"
    return f"<{registration_request.reference}.{local}@{host()}>"


def host() -> str:
    """Return the host name of this site, as Message-IDs end."""
    return urlsplit(settings.SITE).hostname or "localhost"

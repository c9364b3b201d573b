"""The discussion of a request: public messages, notes among experts, moderation."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from registry import journal, permissions
from registry.actions.advisers import is_invited_adviser
from registry.enums import (
    LIVE_STATES,
    MessageAudience,
    MessageChannel,
    MessageMark,
)
from registry.models import Message, PendingComment, RegistrationRequest, User
from registry.permissions import Person
from registry.selectors.challenges import list_able_leads, list_message_marks
from registry.workflow import ActionRefused, LimitReached
from registry.workflow.effects import declare_no_conflict
from registry.workflow.events import record_event, record_events
from registry.workflow.perform import reload_person

MESSAGE_LIMIT_SPAN = datetime.timedelta(hours=1)


def add_comment(
    registration_request: RegistrationRequest,
    *,
    author: User,
    text: str,
    key: uuid.UUID,
    answers: Message | None = None,
    section: str = "",
    mark: str = "",
) -> Message:
    """Write a public message and its event; return it.

    `mark` is one of `list_message_marks`. `key` identifies the form: sent twice, the first message
    is returned. Raises `ActionRefused` if the discussion is closed, this person may not write, or
    has written too often.
    """
    with transaction.atomic():
        held = lock_discussion(registration_request)
        if said := find_earlier_message(author, key, text):
            return said
        refuse_obstacle(explain_no_comment(author, held))
        refuse_many_messages(author)
        message = save_message(
            held,
            author=author,
            author_name=str(author),
            is_sender_verified=True,
            text=text,
            key=find_free_key(author, key),
            section=section,
            **read_message_mark(held, author, mark, answers),
        )
        verb, data = MARKED_VERBS.get(str(message.mark), "comment"), {"message": message.number}
        record_event(held, actor=author, verb=verb, data=data | describe_mark(message))
    return message


MARKED_VERBS: Final[dict[str, str]] = {
    MessageMark.ADVICE: "advise",
    MessageMark.CHALLENGE: "challenge",
    MessageMark.ANSWER: "answer_challenge",
}


def read_message_mark(
    registration_request: RegistrationRequest, author: User, mark: str, answers: Message | None
) -> dict[str, Any]:
    """Return the columns that a mark stands for; refuse one that is not open to the author."""
    if not mark:
        is_invited = is_invited_adviser(author, registration_request)
        own = {"mark": MessageMark.INVITED} if is_invited else {}
        return {"answers": find_thread_start(answers), **own}
    refuse_obstacle(explain_no_mark(registration_request, author, mark))
    kind, _colon, key = mark.partition(":")
    if kind == MessageMark.CHALLENGE:
        return {"mark": kind, "challenged": User.objects.get(pk=key)}
    if kind == MessageMark.ANSWER:
        return {"mark": kind, "answers": registration_request.messages.public().get(number=key)}
    return {"mark": kind, "answers": find_thread_start(answers)}


def explain_no_mark(registration_request: RegistrationRequest, author: User, mark: str) -> str:
    """Say that a message cannot be marked so by its author, empty if it can, or is not marked."""
    if not mark or mark in dict(list_message_marks(author, registration_request)):
        return ""
    return _(
        "You cannot write that here, or somebody did before. Each side challenges each expert "
        "once; the lead or the standards body answers."
    )


def describe_mark(message: Message) -> dict[str, Any]:
    """Return what the journal says about a marked message, and who has to hear of it."""
    registration_request, author = message.registration_request, message.author
    if message.mark == MessageMark.ADVICE and author:
        return declare_no_conflict(registration_request, author)
    challenge = message if message.mark == MessageMark.CHALLENGE else message.answers
    if message.mark not in {MessageMark.CHALLENGE, MessageMark.ANSWER} or challenge is None:
        return {}
    told = [challenge.challenged_id, challenge.author_id]
    told += [each.pk for each in list_able_leads(challenge)]
    return {"expert": str(challenge.challenged), "expert_ids": told}


def add_note(
    registration_request: RegistrationRequest, *, author: User, text: str, key: uuid.UUID
) -> Message:
    """Write a note that only experts can read; return it.

    It has no event in the journal, which is public, and no letter is sent about it.
    """
    with transaction.atomic():
        held = lock_discussion(registration_request)
        if said := find_earlier_message(author, key, text):
            return said
        refuse_obstacle(
            ""
            if permissions.may_read_expert_notes(reload_person(author), held)
            else describe_note_readers()
        )
        return save_message(
            held,
            author=author,
            author_name=str(author),
            is_sender_verified=True,
            text=text,
            key=find_free_key(author, key),
            audience=MessageAudience.EXPERTS,
        )


def explain_closed_discussion(registration_request: RegistrationRequest) -> str:
    """Return why nobody can write to the discussion, or nothing if it is open."""
    if not registration_request.rounds.sent().exists():
        return _("The discussion opens with the first round.")
    if registration_request.state not in LIVE_STATES:
        return _("The request is closed, and so is its discussion. The messages stay here.")
    return ""


def explain_no_comment(person: Person, registration_request: RegistrationRequest) -> str:
    """Return why `person` cannot write to the discussion, or nothing if they can."""
    if closed := explain_closed_discussion(registration_request):
        return closed
    if not permissions.may_comment(person, registration_request):
        return describe_commenters()
    return ""


def describe_commenters() -> str:
    """Say who may write to an open discussion."""
    return _("Only people with a confirmed email address can comment. Confirm yours first.")


def refuse_many_messages(person: User) -> None:
    """Raise `LimitReached` if `person` has written too much within an hour."""
    most = settings.REGISTRY_COMMENTS_PER_HOUR
    recent = Message.objects.public().filter(
        author=person,
        channel=MessageChannel.SITE,
        posted_at__gt=timezone.now() - MESSAGE_LIMIT_SPAN,
    )
    waiting = PendingComment.objects.filter(author=person, refusal="")
    times = [
        *waiting.order_by("-written_at").values_list("written_at", flat=True),
        *recent.order_by("-posted_at").values_list("posted_at", flat=True)[:most],
    ][:most]
    if len(times) < most:
        return
    room = (times[-1] if times else timezone.now()) + MESSAGE_LIMIT_SPAN
    error_text = ngettext(
        "You have reached the limit of %(most)d comment an hour. Send this after %(time)s UTC.",
        "You have reached the limit of %(most)d comments an hour. Send this after %(time)s UTC.",
        most,
    ) % {"most": most, "time": f"{room.astimezone(datetime.UTC):%H:%M}"}
    raise LimitReached(error_text, room)


def describe_note_readers() -> str:
    """Say who writes and reads the notes among experts."""
    return _("Only designated experts who have no stake in the request can read and write notes.")


def refuse_obstacle(obstacle: str) -> None:
    """Raise `ActionRefused` if something prevents it."""
    if obstacle:
        raise ActionRefused(obstacle)


def lock_discussion(registration_request: RegistrationRequest) -> RegistrationRequest:
    """Return the request as it is now, locked against other writers until the transaction ends."""
    return RegistrationRequest.objects.select_for_update(no_key=True).get(
        pk=registration_request.pk
    )


def find_earlier_message(author: User, key: uuid.UUID, text: str) -> Message | None:
    """Return the message that the first of two clicks made."""
    return Message.objects.filter(author=author, key=key, text=text).first()


def find_free_key(author: User, key: uuid.UUID) -> uuid.UUID:
    """Return `key`, or a new one if an old form was sent again with another text."""
    used = Message.objects.filter(author=author, key=key).exists()
    return uuid.uuid4() if used else key


def find_thread_start(message: Message | None) -> Message | None:
    """Return the message at the top of the thread of `message`: answers go one level deep."""
    return (message.answers or message) if message else None


def save_message(
    registration_request: RegistrationRequest,
    *,
    audience: MessageAudience = MessageAudience.PUBLIC,
    message_id: str = "",
    **fields: Any,
) -> Message:
    """Save the next message of a locked request; return it."""
    earlier = registration_request.messages.filter(audience=audience)
    number = (earlier.aggregate(last=Max("number"))["last"] or 0) + 1
    return Message.objects.create(
        registration_request=registration_request,
        number=number,
        audience=audience,
        posted_at=timezone.now(),
        message_id=message_id or build_message_id(registration_request, audience, number),
        **fields,
    )


def build_message_id(
    registration_request: RegistrationRequest, audience: MessageAudience, number: int
) -> str:
    """Return the Message-ID of a message written here (RFC 5322, section 3.6.4)."""
    local = str(number) if audience == MessageAudience.PUBLIC else f"note-{number}"
    return f"<{registration_request.reference}.{local}@{find_message_host()}>"


def find_message_host() -> str:
    """Return this site's host name for Message-IDs."""
    return urlsplit(settings.SITE).hostname or "localhost"


def may_read_message(person: Person, message: Message) -> bool:
    """Whether `person` may read the text: everyone, until it is hidden; then only its author and
    the moderators, so that hiding can be reviewed.
    """
    is_own = isinstance(person, User) and message.author_id == person.pk
    return not message.is_hidden or is_own or permissions.may_moderate(person)


def hide_message(message: Message, *, moderator: User, reason: str) -> None:
    """Hide `message` from readers, who see who hid it, when and why.

    If it is hidden already, nothing changes: the first moderator's name and reason count.
    """
    hide_messages([message.pk], moderator=moderator, reason=reason)


def unhide_message(message: Message, *, moderator: User, reason: str = "") -> None:
    """Show `message` to readers again."""
    unhide_messages([message.pk], moderator=moderator, reason=reason)


def hide_messages(keys: Sequence[int], *, moderator: User, reason: str) -> int:
    """Hide the messages with these keys, all or none; return how many were visible."""
    with transaction.atomic():
        held = lock_moderated_messages(keys, moderator, is_hidden=False)
        for each in held:
            each.hidden_at, each.hidden_by, each.hidden_reason = timezone.now(), moderator, reason
        record_moderation(held, moderator, "hide_message", reason)
    return len(held)


def unhide_messages(keys: Sequence[int], *, moderator: User, reason: str = "") -> int:
    """Show the messages with these keys again, all or none; return how many were hidden."""
    with transaction.atomic():
        held = lock_moderated_messages(keys, moderator, is_hidden=True)
        for each in held:
            each.hidden_at, each.hidden_by, each.hidden_reason = None, None, ""
        record_moderation(held, moderator, "show_message", reason)
    return len(held)


def lock_moderated_messages(
    keys: Sequence[int], moderator: User, *, is_hidden: bool
) -> list[Message]:
    """Return those of the messages that are hidden now, or are not; for moderators only."""
    if not permissions.may_moderate(reload_person(moderator)):
        raise ActionRefused(describe_moderators(), code="not_moderator")
    found = Message.objects.filter(pk__in=keys).select_related("registration_request__namespace")
    held = found.select_for_update(no_key=True, of=("self",)).order_by("pk")
    return [each for each in held if each.is_hidden == is_hidden]


def describe_moderators() -> str:
    """Say who hides messages and shows them again."""
    return _("Only the lead expert and the registrar can hide a message. Write to them about it.")


def record_moderation(messages: Sequence[Message], moderator: User, verb: str, reason: str) -> None:
    """Save the messages, and write an event about each, which never contains the text."""
    Message.objects.bulk_update(messages, ["hidden_at", "hidden_by", "hidden_reason"])
    record_events(
        [
            journal.compose_line(
                each.registration_request,
                actor=moderator,
                verb=verb,
                comment=reason,
                data={"message": each.number},
            )
            for each in messages
        ]
    )

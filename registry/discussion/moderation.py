"""Hiding a message from readers, and showing it again; both with the moderator's name."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.models import Message, User
from registry.rules import Person
from registry.workflow import Refused
from registry.workflow.recording import record


def may_read(person: Person, message: Message) -> bool:
    """Whether `person` may read the text: everybody, until it is hidden; then its author and
    the moderators, so that hiding can be judged."""
    return not message.is_hidden or message.author_id == person.pk or rules.may_moderate(person)


def hide(message: Message, *, moderator: User, reason: str) -> None:
    """Take `message` from the eyes of readers, who see who did so, when and why.

    Hidden already, it stays as it is: the first moderator's name and reason count.
    """
    with transaction.atomic():
        held = hold(message, moderator)
        if held.is_hidden:
            return
        held.hidden_at, held.hidden_by, held.hidden_reason = timezone.now(), moderator, reason
        held.save()
        tell(held, moderator, "hide_message", reason)


def show(message: Message, *, moderator: User, reason: str = "") -> None:
    """Let everybody read `message` again."""
    with transaction.atomic():
        held = hold(message, moderator)
        if not held.is_hidden:
            return
        held.hidden_at, held.hidden_by, held.hidden_reason = None, None, ""
        held.save()
        tell(held, moderator, "show_message", reason)


def hold(message: Message, moderator: User) -> Message:
    """Return the message as it is now, for a moderator alone."""
    if not rules.may_moderate(moderator):
        raise Refused(for_moderators())
    return Message.objects.select_for_update(no_key=True).get(pk=message.pk)


def for_moderators() -> str:
    """Return who hides messages and shows them again."""
    return _("Hiding a message is for the lead expert and the registrar. Write to them about it.")


def tell(message: Message, moderator: User, verb: str, reason: str) -> None:
    """Write the line of the journal; it never holds the text."""
    record(
        message.registration_request,
        actor=moderator,
        verb=verb,
        comment=reason,
        data={"message": message.number},
    )

"""Banning people who abuse the registry, and lifting bans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from registry.actions import discussion
from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    notify_account,
    record_account_event,
)
from registry.actions.roles import OPERATOR_NAME, build_account_data
from registry.batches import batched
from registry.enums import AccountEventKind
from registry.errors import RegistryError
from registry.journal.row_digests import digest_stored_rows
from registry.models import Event, Message, PendingComment, User
from registry.permissions import CLOCK
from registry.workflow.events import record_event, write_events_last


class BanError(RegistryError):
    """An account cannot be banned or unbanned. The message can be shown."""


def ban_account(person: User, *, reason: str, actor: User | None, network: str = "") -> Event:
    """Ban a person: the account cannot sign in, write or ask any more; return the journal's event.

    Sessions and tokens end, pending comments are dropped, and the person is notified by letter.
    `actor` is the administrator, None for a command; `network` is where they act from. The reason
    is in the account log and the letter, but not in the journal, which is public. Raises `BanError`
    without a reason, for one's own account, for a superuser's, and if the account is already
    disabled.
    """
    with transaction.atomic(), write_events_last():
        held = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        refuse_unfit_ban(held, reason, actor)
        if not held.is_active:
            raise BanError(_("The account %s is already disabled.") % held.email)
        event = switch_account(held, reason, actor, network, is_active=False)
        end_sessions(held)
        end_tokens(held, network=network, why=reason, actor=actor)
        PendingComment.objects.filter(author=held).delete()
        notify_account(held, "account_banned", network=network, reason=reason)
    person.refresh_from_db()
    return event


def lift_ban(person: User, *, reason: str, actor: User | None, network: str = "") -> Event:
    """Unban a person, with the roles they had; return the journal's event.

    Ended sessions and tokens stay ended. Raises `BanError` as `ban_account` does, and if there is
    no ban to lift: an account whose name was withdrawn stays closed.
    """
    with transaction.atomic(), write_events_last():
        held = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        refuse_unfit_ban(held, reason, actor)
        if held.is_active:
            raise BanError(_("The account %s is in use.") % held.email)
        if not held.emailaddress_set.exists():
            raise BanError(_("The account no longer has an address, and stays closed."))
        event = switch_account(held, reason, actor, network, is_active=True)
        notify_account(held, "ban_lifted", network=network, reason=reason)
    person.refresh_from_db()
    return event


def refuse_unfit_ban(person: User, reason: str, actor: User | None) -> None:
    """Raise `BanError` if there is no reason or the actor may not do this."""
    if not reason.strip():
        raise BanError(_("Say why: the person is told."))
    if person == actor:
        raise BanError(_("This is your own account. Ask another administrator."))
    if person.is_superuser and not (actor is None or actor.is_superuser):
        raise BanError(_("Only a superuser decides about the account %s.") % person.email)


def switch_account(
    person: User, reason: str, actor: User | None, network: str, *, is_active: bool
) -> Event:
    """Enable or disable an account, recording it in journal and log; return the journal's event."""
    changed = {"is_active": {"from": person.is_active, "to": is_active}}
    rows = digest_stored_rows([person])
    person.is_active = is_active
    person.save(update_fields=["is_active"])
    kind = AccountEventKind.SWITCHED_ON if is_active else AccountEventKind.SWITCHED_OFF
    record_account_event(person, kind, network=network, detail=reason, actor=actor)
    return record_event(
        person,
        actor=actor or CLOCK,
        in_name_of="" if actor else OPERATOR_NAME,
        verb="admin.change",
        data=build_account_data(person, changed),
        rows=rows,
        is_silent=True,
    )


COMMENTS_PER_TRANSACTION: Final = 50
"""While a group is being written, everyone else's actions wait."""


def find_comments(person: User) -> QuerySet[Message]:
    """Return the public messages of a person, also those they mailed without being recognized."""
    public = Message.objects.public()
    return public.filter(author=person) | public.mailed_by(person)


def withhold_comments(
    comments: QuerySet[Message], *, moderator: User, reason: str
) -> Iterator[int]:
    """Hide those of the comments that are visible from readers; yield how many, group by group.

    Each group is hidden in one transaction, all or none, as by `hide_message`, and errors are the
    same. If a group fails, those before it stay hidden: doing it again finishes it.
    """
    if not reason.strip():
        raise BanError(_("Say why: readers are told."))
    for group in divide_messages(comments.filter(hidden_at=None)):
        yield discussion.hide_messages(group, moderator=moderator, reason=reason)


def restore_comments(comments: QuerySet[Message], *, moderator: User, reason: str) -> Iterator[int]:
    """Show again those of the comments that were hidden for `reason`; yield how many, by groups.

    Comments hidden for another reason stay hidden. Raises what `unhide_message` raises.
    """
    for group in divide_messages(comments.filter(hidden_at__isnull=False, hidden_reason=reason)):
        yield discussion.unhide_messages(group, moderator=moderator)


def divide_messages(messages: QuerySet[Message]) -> Iterator[list[int]]:
    """Return the keys of messages, in groups that are written together."""
    keys = list(messages.order_by("pk").values_list("pk", flat=True))
    return batched(keys, COMMENTS_PER_TRANSACTION)

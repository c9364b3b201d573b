"""Keeping somebody out who abuses the registry, and letting them in again."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from registry import journal, search
from registry.actions.account_security import (
    end_sessions,
    end_tokens,
    notify_account,
    record_account_event,
)
from registry.actions.discussion import hide_message, unhide_message
from registry.actions.roles import OPERATOR_NAME, build_account_data
from registry.enums import AccountEventKind
from registry.errors import RegistryError
from registry.models import Event, Message, PendingComment, User


class BanError(RegistryError):
    """An account cannot be banned or let in. The text is fit to show."""


def ban_account(person: User, *, reason: str, actor: User | None, network: str = "") -> Event:
    """Keep a person out: nobody signs in, writes or asks by the account; return the journal's line.

    Sessions and tokens end, comments that wait to be public are dropped, and the person is told by
    letter. `actor` is the administrator, nobody for a command; `network` is where they act from.
    The reason is in the log of accounts and in the letter, not in the journal, which everybody
    reads. Raises `BanError` without a reason, for one's own account, for that of a superuser, and
    where the account is switched off already.
    """
    with transaction.atomic():
        held = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        refuse_unfit_ban(held, reason, actor)
        if not held.is_active:
            raise BanError(_("The account %s is already disabled.") % held.email)
        event = switch_account(held, reason, actor, network, is_active=False)
        end_sessions(held)
        end_tokens(held, network=network, why=reason)
        PendingComment.objects.filter(author=held).delete()
        notify_account(held, "account_banned", network=network, reason=reason)
    person.refresh_from_db()
    return event


def lift_ban(person: User, *, reason: str, actor: User | None, network: str = "") -> Event:
    """Let a person in again, with the roles they had; return the journal's line.

    Sessions and tokens stay ended. Raises `BanError` as `ban_account` does, and where nothing is
    to be lifted: an account whose name was withdrawn stays closed.
    """
    with transaction.atomic():
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
    """Raise `BanError` where nobody says why, or where this is not theirs to do."""
    if not reason.strip():
        raise BanError(_("Say why: the person is told."))
    if person == actor:
        raise BanError(_("This is your own account. Ask another administrator."))
    if person.is_superuser and not (actor is None or actor.is_superuser):
        raise BanError(_("Only a superuser decides about the account %s.") % person.email)


def switch_account(
    person: User, reason: str, actor: User | None, network: str, *, is_active: bool
) -> Event:
    """Switch an account on or off, and write it into journal and log; return the journal's line."""
    changed = {"is_active": {"from": person.is_active, "to": is_active}}
    person.is_active = is_active
    person.save(update_fields=["is_active"])
    kind = AccountEventKind.SWITCHED_ON if is_active else AccountEventKind.SWITCHED_OFF
    record_account_event(person, kind, network=network, detail=reason, actor=actor)
    event = journal.append(
        person,
        actor=actor,
        in_name_of="" if actor else OPERATOR_NAME,
        verb="admin.change",
        data=build_account_data(person, changed),
    )
    search.refresh_subject(person)
    return event


def withhold_comments(person: User, *, moderator: User, reason: str) -> int:
    """Hide from readers all comments of a person that are not hidden; return how many.

    Each is hidden as one is (`hide_message`), all or none, and raises what that raises.
    """
    if not reason.strip():
        raise BanError(_("Say why: readers are told."))
    found = Message.objects.public().filter(author=person, hidden_at=None).order_by("pk")
    with transaction.atomic():
        messages = list(found)
        for message in messages:
            hide_message(message, moderator=moderator, reason=reason)
    return len(messages)


def restore_comments(person: User, *, moderator: User, reason: str) -> int:
    """Let everybody read again what was hidden of a person's comments for `reason`; how many.

    What was hidden for another reason stays hidden. Raises what `unhide_message` raises.
    """
    hidden = Message.objects.public().filter(
        author=person, hidden_at__isnull=False, hidden_reason=reason
    )
    with transaction.atomic():
        messages = list(hidden.order_by("pk"))
        for message in messages:
            unhide_message(message, moderator=moderator)
    return len(messages)

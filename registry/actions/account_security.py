"""Account security: the account log, letters about it, and ending sessions and tokens."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import F, Max
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import assurance
from registry.enums import AccountEventKind, TokenScope
from registry.errors import RegistryError
from registry.models import AccountEvent, Token, User
from registry.models.dates import load_calendar
from registry.notifications import letters
from registry.notifications.outbox import write_account_letter
from registry.rate_limits import ONE_DAY, consume

MAX_LOGGED_FAILURES_PER_DAY: Final = 100
"""Of each kind, per account, and for all addresses without one together.

So a flood cannot fill the table, nor can wrong passwords keep wrong codes out of it.
"""
FAILURES: Final = frozenset(
    {AccountEventKind.SIGN_IN_FAILED, AccountEventKind.LOCKED, AccountEventKind.FACTOR_FAILED}
)
"""Events that anyone can cause without signing in."""


def record_account_event(
    person: User | None,
    kind: AccountEventKind,
    *,
    network: str = "",
    detail: str = "",
    actor: User | None = None,
) -> None:
    """Write one event to the account log.

    `network` is what `rate_limits.find_network_prefix` returns, `actor` the person who did it to
    another's account. Only a limited number of failures of each kind is logged per day.
    """
    if kind in FAILURES:
        key = f"account-log:{person.pk if person else 'nobody'}:{kind}"
        if consume(key, MAX_LOGGED_FAILURES_PER_DAY, ONE_DAY) is None:
            return
    AccountEvent.objects.create(
        user=person,
        actor=actor if actor != person else None,
        kind=kind,
        detail=detail[: AccountEvent._meta.get_field("detail").max_length],
        network=network,
    )


class ResetKeyGenerator(PasswordResetTokenGenerator):
    """Makes keys that choose a new password.

    They die when the password or an address changes, somebody signs in, or one of them is used.
    """

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        assert isinstance(user, User)
        addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
        uses = user.account_events.filter(kind=AccountEventKind.RESET_LINK_USED)
        last_use = uses.aggregate(last=Max("pk"))["last"]
        return "|".join(
            [super()._make_hash_value(user, timestamp), *sorted(addresses), str(last_use)]
        )


def use_reset_link(person: User, *, network: str) -> str:
    """End all links that choose a new password; return the key with which one browser goes on."""
    record_account_event(person, AccountEventKind.RESET_LINK_USED, network=network)
    return ResetKeyGenerator().make_token(person)


def delete_old_account_events(now: datetime.datetime) -> int:
    """Delete log events past their retention; return how many."""
    oldest = load_calendar().subtract_days(now, settings.REGISTRY_ACCOUNT_LOG_DAYS)
    deleted, _by_table = AccountEvent.objects.filter(at__lt=oldest).delete()
    return deleted


def notify_account(
    person: User, template: str, *, network: str = "", to_all: bool = False, **context: Any
) -> None:
    """Write a letter about an account to its main address, or to all confirmed ones.

    The templates are `account/email/<template>_subject.txt` and `…_message.txt`.
    """
    confirmed = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    addresses = list(confirmed.values_list("email", flat=True))
    for address in addresses if to_all else addresses[:1]:
        given = {
            "email": address,
            "host": letters.find_letter_host(),
            "site": settings.SITE,
            "timestamp": timezone.now(),
            "ip": network,
            **context,
        }
        subject = render_to_string(f"account/email/{template}_subject.txt", given)
        text = render_to_string(f"account/email/{template}_message.txt", given).strip()
        prefix = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX
        write_account_letter(address, f"{prefix}{' '.join(subject.split())}", f"{text}\n")


def end_sessions(person: User) -> None:
    """End all sessions of an account, including unlisted ones."""
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(session_epoch=F("session_epoch") + 1)
        person.refresh_from_db(fields=["session_epoch"])
        UserSession.objects.filter(user=person).delete()


def end_tokens(
    person: User, *, network: str = "", why: str = "", actor: User | None = None
) -> None:
    ended, _by_table = Token.objects.filter(user=person).delete()
    if ended:
        record_account_event(
            person, AccountEventKind.TOKENS_ENDED, network=network, detail=why, actor=actor
        )


# Tokens.

MAX_PUBLISHING_LIFETIME: Final = datetime.timedelta(days=90)


class TokenRefused(RegistryError):
    """The token is not created; the message can be shown."""


def make_token(
    person: User,
    *,
    name: str,
    scopes: Iterable[str],
    lifetime: datetime.timedelta,
    form_key: uuid.UUID,
    network: str = "",
) -> str:
    """Create a token, notify its owner by letter, and return it as programs will send it.

    A second click creates another in place of the first, which nobody has seen. Raises
    `ConfirmationNeeded` unless the person recently confirmed who they are, and `TokenRefused` for a
    token that may publish but has no second factor behind it or lasts too long.
    """
    assurance.require_confirmation(person)
    wanted = [str(scope) for scope in TokenScope if scope in set(scopes)]
    if TokenScope.PUBLISH in wanted:
        if not person.has_second_factor:
            raise TokenRefused(_("You need a second factor to create a token that may publish."))
        if lifetime > MAX_PUBLISHING_LIFETIME:
            raise TokenRefused(_("A token that may publish is valid for 90 days at most."))
    with transaction.atomic():
        Token.objects.filter(user=person, form_key=form_key).delete()
        taken = Token.objects.filter(form_key=form_key).exists()
        token, shown = Token.objects.create(
            user=person,
            expiry=lifetime,
            name=name,
            scopes=wanted,
            form_key=uuid.uuid4() if taken else form_key,
        )
        record_account_event(person, AccountEventKind.TOKEN_MADE, network=network, detail=name)
        may = "; ".join(token.scope_labels)
        notify_account(person, "token_made", network=network, token=name, scopes=may)
    return str(shown)


def revoke_token(person: User, form_key: uuid.UUID, *, network: str = "") -> None:
    """Revoke a person's token, if it exists."""
    for token in Token.objects.filter(user=person, form_key=form_key):
        token.delete()
        record_account_event(
            person, AccountEventKind.TOKEN_REVOKED, network=network, detail=token.name
        )

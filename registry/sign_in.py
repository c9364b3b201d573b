"""How often somebody may try to sign in, and from where a password alone is enough.

Wrong passwords keep out whoever enters them, and nobody else: where the limit of an account is
used up, the right password still opens it from where its owner has signed in before, and with a
code by mail from anywhere.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from allauth.account.utils import filter_users_by_email
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from registry import rate_limits
from registry.models import SignInSource, User
from registry.rate_limits import DAY, MINUTE, Usage

MAX_ATTEMPTS_PER_MINUTE: Final = 30
MAX_FAILURES_PER_MINUTE: Final = 10
"""From one address; a browser that the account knows is counted by itself."""
MAX_FAILURES_PER_ACCOUNT: Final = 10
"""In a day, from anywhere, before a password alone is not enough for strangers."""
SOURCE_LIFETIME: Final = datetime.timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Source:
    """From where somebody signs in: the network of the address, and the token of the browser."""

    network: str
    browser: str

    def digest_network(self, user: User) -> str:
        """Return under what an account knows the network."""
        return digest_source(user, "network", self.network)

    def digest_browser(self, user: User) -> str:
        """Return under what an account knows the browser."""
        return digest_source(user, "browser", self.browser)


def digest_source(user: User, kind: str, value: str) -> str:
    """Return a digest that only this site can make, another one for each account."""
    text = f"{user.pk}:{kind}:{value}"
    return salted_hmac("registry.sign_in", text, algorithm="sha256").hexdigest()


def count_attempt(source: Source, email: str) -> list[Usage] | None:
    """Count one attempt as a failure before the password is looked at.

    So of many at once no more come through than one after another. Returns what is given back
    where the password is right, nothing where the password is not to be looked at.
    """
    users: list[User] = filter_users_by_email(email, prefer_verified=True)
    sender = name_sender(source, users)
    with transaction.atomic():
        if not rate_limits.consume(f"sign-in:{sender}", MAX_ATTEMPTS_PER_MINUTE, MINUTE):
            return None
        failure = rate_limits.consume(f"failures:{sender}", MAX_FAILURES_PER_MINUTE, MINUTE)
        if not failure:
            return None
        # Of unknown addresses as many rows are written, so that time does not tell them apart.
        accounts = sorted(str(each.pk) for each in users) or [digest_unknown(email)]
        usages = [
            rate_limits.consume(key, MAX_FAILURES_PER_ACCOUNT, DAY)
            for account in accounts
            for key in (account_key(account), account_key(account, source.network))
        ]
    return [failure, *filter(None, usages)]


def count_success(usages: Sequence[Usage]) -> None:
    """Take back that an attempt was counted as a failure."""
    with transaction.atomic():
        for usage in usages:
            rate_limits.give_back(usage)


def name_sender(source: Source, users: Sequence[User]) -> str:
    """Return whom attempts are counted for: a browser that an account knows, else the network.

    Somebody behind the same address as an attacker gets in by a browser used before. Where two
    accounts claim one email address, neither vouches for attempts on the other.
    """
    if len(users) == 1 and knows_browser(users[0], source):
        return f"browser:{source.digest_browser(users[0])}"
    return f"address:{source.network}"


def needs_code(user: User, source: Source) -> bool:
    """Whether the right password is not enough here.

    A network that many of the failures came from vouches for nobody, though its browsers do.
    """
    if not rate_limits.is_exhausted(account_key(str(user.pk)), MAX_FAILURES_PER_ACCOUNT):
        return False
    if knows_browser(user, source):
        return False
    here = account_key(str(user.pk), source.network)
    return not knows(user, source.digest_network(user)) or rate_limits.is_exhausted(
        here, MAX_FAILURES_PER_ACCOUNT
    )


def knows_browser(user: User, source: Source) -> bool:
    """Whether the account was used by this browser."""
    return bool(source.browser) and knows(user, source.digest_browser(user))


def knows(user: User, digest: str) -> bool:
    """Whether the account was used from there, not too long ago."""
    since = timezone.now() - SOURCE_LIFETIME
    return SignInSource.objects.filter(user=user, digest=digest, used_at__gt=since).exists()


def remember_source(user: User, source: Source) -> None:
    """Remember from where somebody signed in, and forget what is too long ago."""
    now = timezone.now()
    with transaction.atomic():
        SignInSource.objects.filter(user=user, used_at__lte=now - SOURCE_LIFETIME).delete()
        for digest in sorted({source.digest_network(user), source.digest_browser(user)}):
            SignInSource.objects.update_or_create(
                user=user, digest=digest, defaults={"used_at": now}
            )


def account_key(account: str, network: str = "") -> str:
    """Return under what failures for one account are counted, from one network or from all."""
    return f"failures:account:{account}" + (f":{network}" if network else "")


def digest_unknown(email: str) -> str:
    """Return under what failures for an address are counted that has no account."""
    return hashlib.sha256(email.lower().encode()).hexdigest()

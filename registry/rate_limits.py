"""Rate limits by address, sign-in protection, and limits on how much is checked at once."""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from registry.errors import RegistryError
from registry.models import RateLimit, SignInSource, User

# Django's cache cannot count reliably: `incr` of its database backend reads first and writes later.

ONE_MINUTE: Final = datetime.timedelta(minutes=1)
ONE_HOUR: Final = datetime.timedelta(hours=1)
ONE_DAY: Final = datetime.timedelta(days=1)
THIRTY_DAYS: Final = datetime.timedelta(days=30)
RETENTION_AFTER_EXPIRY: Final = datetime.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class LimitUsage:
    """One use of a limit, which can be returned."""

    key: str
    expires_at: datetime.datetime


def consume(key: str, limit: int, span: datetime.timedelta, amount: int = 1) -> LimitUsage | None:
    """Use `amount` of `limit` per period; return None if nothing is left."""
    now = timezone.now()
    own = RateLimit.objects.filter(pk=key)
    fresh = {"expires_at": now + span, "used": 0}
    row, _is_new = RateLimit.objects.get_or_create(pk=key, defaults=fresh)
    if row.expires_at <= now:
        own.filter(expires_at__lte=now).update(**fresh)
        row.expires_at = now + span
    if not own.filter(used__lt=limit).update(used=F("used") + amount):
        return None
    return LimitUsage(key, row.expires_at)


def return_usage(usage: LimitUsage) -> None:
    """Return one use, unless another period has begun since."""
    own = RateLimit.objects.filter(pk=usage.key, expires_at=usage.expires_at, used__gt=0)
    own.update(used=F("used") - 1)


def is_limit_exhausted(key: str, limit: int) -> bool:
    """Whether no use is left."""
    spent = RateLimit.objects.filter(pk=key, used__gte=limit, expires_at__gt=timezone.now())
    return spent.exists()


def find_limit_expiry(key: str) -> datetime.datetime | None:
    """Return when the current period ends."""
    return RateLimit.objects.filter(pk=key).values_list("expires_at", flat=True).first()


@dataclass(frozen=True, slots=True)
class LimitState:
    """How many uses are left, and for how many seconds."""

    left: int
    seconds: int


def read_limit(key: str, limit: int, span: datetime.timedelta) -> LimitState:
    """Return what is left of `limit` uses per period."""
    now = timezone.now()
    row = RateLimit.objects.filter(pk=key, expires_at__gt=now).first()
    if row is None:
        return LimitState(limit, math.ceil(span.total_seconds()))
    seconds = math.ceil((row.expires_at - now).total_seconds())
    return LimitState(max(limit - row.used, 0), max(seconds, 1))


def delete_expired_limits(now: datetime.datetime) -> int:
    """Delete limits of past periods; return how many rows."""
    deleted, _rows = RateLimit.objects.filter(expires_at__lt=now - RETENTION_AFTER_EXPIRY).delete()
    return deleted


IPV6_PREFIX: Final = 64
"""A subscriber has at least this much IPv6, and can have another address for each request."""
UNKNOWN: Final = "unknown"
ClientAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def find_client_address(environ: Mapping[str, Any]) -> str:
    """Return the address of the client from a WSGI environment.

    Each proxy appends the address it was called from to `X-Forwarded-For`, so the client's position
    from the right is the number of our proxies; anything further left is the client's own claim.
    Without an address there, it is the address of the peer.
    """
    trusted = settings.REGISTRY_TRUSTED_PROXIES
    hops = str(environ.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    forwarded = parse_address(hops[-trusted]) if 0 < trusted <= len(hops) else None
    address = forwarded or parse_address(str(environ.get("REMOTE_ADDR", "")))
    return str(address) if address else UNKNOWN


def find_client_network(environ: Mapping[str, Any]) -> str:
    """Return what limits count by: an IPv4 address, or the /64 of an IPv6 address."""
    address = parse_address(find_client_address(environ))
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX), strict=False))
    return str(address) if address else UNKNOWN


LOG_PREFIXES: Final = {4: 24, 6: 48}
"""How much of an address the account log keeps: a provider's network, not a person's."""


def find_network_prefix(environ: Mapping[str, Any]) -> str:
    """Return the network of the client, as coarsely as the account log keeps it."""
    return coarsen_address(find_client_address(environ))


def coarsen_address(text: str) -> str:
    """Return the network of an address, such as `192.0.2.0/24`; empty without an address."""
    address = parse_address(text)
    if address is None:
        return ""
    return str(ipaddress.ip_network(f"{address}/{LOG_PREFIXES[address.version]}", strict=False))


def parse_address(text: str) -> ClientAddress | None:
    """Parse an address, also an IPv4 address mapped into IPv6."""
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


MAX_CHECKED_NAMES: Final = 20_000
"""How many lines, including empty ones: a second of processor time at worst."""
MAX_CHECKED_OCTETS: Final = 2 << 20
MAX_COMPARED_NIDS: Final = 500
"""For how many different unregistered NIDs to look for similar ones.

The time for each depends on how many are registered: a millisecond where there are 10,000.
"""
CHECK_SPAN: Final = datetime.timedelta(minutes=1)


class ListTooLarge(RegistryError):
    """There is more than can be checked at once; the message says the limit, and what to do."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def refuse_oversized_check(octets: int, lines: int = 0) -> None:
    """Raise `ListTooLarge` if there is more than can be checked at once."""
    if octets > MAX_CHECKED_OCTETS:
        raise ListTooLarge(
            _("That is more than the limit of %(most)s bytes. %(advice)s")
            % {"most": f"{MAX_CHECKED_OCTETS:,}", "advice": explain_larger_checks()}
        )
    if lines > MAX_CHECKED_NAMES:
        raise ListTooLarge(
            _("There are %(lines)s lines; the limit is %(most)s. %(advice)s")
            % {
                "lines": f"{lines:,}",
                "most": f"{MAX_CHECKED_NAMES:,}",
                "advice": explain_larger_checks(),
            }
        )


RESERVED_MILLISECONDS: Final = 1_000
"""What a list is counted as until its cost is known: about the most that one takes."""
CHECK_USAGE: Final = "registry.check_usage"
"""Where a request notes that its processor time is counted."""


def make_check_key(environ: Mapping[str, Any], person: int | None = None) -> str:
    """Return the key that counts the caller's processor time."""
    return f"check:{find_client_network(environ) if person is None else f'person:{person}'}"


def compute_check_limit() -> int:
    """Return how many milliseconds of processor time a caller has per period."""
    return round(1_000 * settings.REGISTRY_CHECK_SECONDS_PER_MINUTE)


def begin_check(environ: dict[str, Any], person: int | None = None) -> int | None:
    """Have the processor time of a request counted for the caller.

    If none is left, return in how many seconds to try again. People who are signed in are counted
    as `person`, whatever their address.
    """
    key = make_check_key(environ, person)
    usage = consume(key, compute_check_limit(), CHECK_SPAN, RESERVED_MILLISECONDS)
    if usage is not None:
        environ[CHECK_USAGE] = usage
        return None
    ends = find_limit_expiry(key)
    left = (ends - timezone.now()).total_seconds() if ends else 0.0
    return max(math.ceil(left), 1)


def count_processor_time(usage: LimitUsage, seconds: float) -> None:
    """Count what a check took, a millisecond at least, instead of what was reserved for it."""
    spent = max(math.ceil(1_000 * seconds), 1)
    own = RateLimit.objects.filter(pk=usage.key, expires_at=usage.expires_at)
    own.update(used=F("used") + spent - RESERVED_MILLISECONDS)


def explain_larger_checks() -> str:
    """Say how to check more."""
    return _("Check them in parts, or on your own machine with “python -m registry.urn check”.")


# Wrong passwords lock out only the clients that send them: if an account's limit is used up, the
# correct password still works where its owner has signed in before, and with a code by mail from
# anywhere.

MAX_ATTEMPTS_PER_MINUTE: Final = 30
MAX_FAILURES_PER_MINUTE: Final = 10
"""Per address; a browser that the account knows is counted separately."""
MAX_FAILURES_PER_ACCOUNT: Final = 10
"""Per day, from anywhere, before strangers need more than a password."""
SOURCE_LIFETIME: Final = datetime.timedelta(days=180)


@dataclass(frozen=True, slots=True)
class SignInOrigin:
    """Where somebody signs in from: the network of the address, and the token of the browser."""

    network: str
    browser: str

    def digest_network(self, user: User) -> str:
        """Return the digest under which an account knows the network."""
        return digest_source(user, "network", self.network)

    def digest_browser(self, user: User) -> str:
        """Return the digest under which an account knows the browser."""
        return digest_source(user, "browser", self.browser)


def digest_source(user: User, kind: str, value: str) -> str:
    """Return a keyed digest, different for each account."""
    text = f"{user.pk}:{kind}:{value}"
    return salted_hmac("registry.sign_in", text, algorithm="sha256").hexdigest()


def count_attempt(source: SignInOrigin, email: str) -> list[LimitUsage] | None:
    """Count one attempt as a failure before checking the password.

    Parallel attempts thus get no further than successive ones. Returns what to give back if the
    password is correct, or None if the password must not be checked.
    """
    users: list[User] = filter_users_by_email(email, prefer_verified=True)
    sender = identify_sender(source, users)
    with transaction.atomic():
        if not consume(f"sign-in:{sender}", MAX_ATTEMPTS_PER_MINUTE, ONE_MINUTE):
            return None
        failure = consume(f"failures:{sender}", MAX_FAILURES_PER_MINUTE, ONE_MINUTE)
        if not failure:
            return None
        # Unknown addresses write as many rows, so that timing does not reveal them.
        accounts = sorted(str(each.pk) for each in users) or [digest_unknown(email)]
        usages = [
            consume(key, MAX_FAILURES_PER_ACCOUNT, ONE_DAY)
            for account in accounts
            for key in (build_account_key(account), build_account_key(account, source.network))
        ]
    return [failure, *filter(None, usages)]


def count_success(usages: Sequence[LimitUsage]) -> None:
    """Undo counting an attempt as a failure."""
    with transaction.atomic():
        for usage in usages:
            return_usage(usage)


def identify_sender(source: SignInOrigin, users: Sequence[User]) -> str:
    """Return whom attempts are counted for: a browser that an account knows, else the network.

    Somebody behind the same address as an attacker gets in with a browser used before. If two
    accounts claim one email address, neither vouches for attempts on the other.
    """
    if len(users) == 1 and is_known_browser(users[0], source):
        return f"browser:{source.digest_browser(users[0])}"
    return f"address:{source.network}"


def needs_code(user: User, source: SignInOrigin) -> bool:
    """Whether the correct password is not enough here.

    A network that caused many of the failures is not trusted, though its browsers are.
    """
    if not is_limit_exhausted(build_account_key(str(user.pk)), MAX_FAILURES_PER_ACCOUNT):
        return False
    if is_known_browser(user, source):
        return False
    here = build_account_key(str(user.pk), source.network)
    return not is_known_source(user, source.digest_network(user)) or is_limit_exhausted(
        here, MAX_FAILURES_PER_ACCOUNT
    )


def was_used_before(user: User) -> bool:
    """Whether anybody has signed in to the account before, from anywhere."""
    return SignInSource.objects.filter(user=user).exists()


def is_known_browser(user: User, source: SignInOrigin) -> bool:
    """Whether the account was used with this browser."""
    return bool(source.browser) and is_known_source(user, source.digest_browser(user))


def is_known_source(user: User, digest: str) -> bool:
    """Whether the account was used from there, not too long ago."""
    since = timezone.now() - SOURCE_LIFETIME
    return SignInSource.objects.filter(user=user, digest=digest, used_at__gt=since).exists()


def remember_source(user: User, source: SignInOrigin) -> None:
    """Remember where somebody signed in from, and delete old entries."""
    now = timezone.now()
    with transaction.atomic():
        SignInSource.objects.filter(user=user, used_at__lte=now - SOURCE_LIFETIME).delete()
        for digest in sorted({source.digest_network(user), source.digest_browser(user)}):
            SignInSource.objects.update_or_create(
                user=user, digest=digest, defaults={"used_at": now}
            )


def forget_other_sources(user: User, source: SignInOrigin) -> None:
    """Forget where somebody signed in from, except here."""
    with transaction.atomic():
        SignInSource.objects.filter(user=user).delete()
        remember_source(user, source)


def build_account_key(account: str, network: str = "") -> str:
    """Return the key that counts an account's failures, from one network or from all."""
    return f"failures:account:{account}" + (f":{network}" if network else "")


def digest_unknown(email: str) -> str:
    """Return the key that counts failures for an address without an account."""
    return hashlib.sha256(email.lower().encode()).hexdigest()


# Codes of second factors are counted for the account, since whoever is asked for one can open any
# number of sessions. Browsers that the account knows are counted separately: someone who has the
# password cannot lock the owner out of them. Nobody counts passkeys, which cannot be guessed.
#
# Valid at a time are three codes of six digits and ten recovery codes of eight: one guess is right
# in 320,000, and fifty guesses are right in one case of 6,500.

FACTOR_LIMITS: Final = ((10, datetime.timedelta(minutes=15)), (50, THIRTY_DAYS))
"""How many wrong codes in which time."""


def list_factor_limits(
    user: User, source: SignInOrigin
) -> list[tuple[str, int, datetime.timedelta]]:
    """Return the key, the limit and the period of each count of wrong codes."""
    if is_known_browser(user, source):
        sender = f"browser:{source.digest_browser(user)}"
    else:
        sender = f"account:{user.pk}"
    return [(f"factors:{sender}:{limit}", limit, span) for limit, span in FACTOR_LIMITS]


def count_factor_attempt(user: User, source: SignInOrigin) -> list[LimitUsage] | None:
    """Count one code as wrong before checking it, as `count_attempt` does for passwords.

    Returns what to give back if the code is right, or None if it must not be checked.
    """
    usages = []
    with transaction.atomic():
        for limit in list_factor_limits(user, source):
            usage = consume(*limit)
            if usage is None:
                return None
            usages.append(usage)
    return usages


def find_factor_lock(user: User, source: SignInOrigin) -> datetime.datetime | None:
    """Return until when no code is checked from there; None if codes are checked."""
    ends = [
        find_limit_expiry(key)
        for key, limit, _span in list_factor_limits(user, source)
        if is_limit_exhausted(key, limit)
    ]
    return max(filter(None, ends), default=None)


def use_factor_code(user: User, code: str) -> bool:
    """Mark a right code as used; return False if it was used before.

    `code` is without spaces. allauth remembers an app's code for half a minute, but accepts its
    neighbours too (`MFA_TOTP_TOLERANCE`), and each of them for as long as it is one.
    """
    digest = digest_source(user, "code", code)
    valid = datetime.timedelta(seconds=30 * (2 * settings.MFA_TOTP_TOLERANCE + 1))
    return consume(f"factors-used:{digest}", 1, valid) is not None


def forget_factor_failures(user: User) -> None:
    """Forget the wrong codes entered in unknown browsers; the account has a new factor."""
    RateLimit.objects.filter(pk__startswith=f"factors:account:{user.pk}:").delete()


def forget_factor_failures_seldom(user: User) -> None:
    """Forget them once in 30 days: the account has a new password.

    Only once, since whoever reads the owner's mail can choose passwords as often as they like.
    """
    if consume(f"factors-forgotten:{user.pk}", 1, THIRTY_DAYS):
        forget_factor_failures(user)


MAX_CODE_ATTEMPTS: Final = 5
"""How often a code from a letter can be typed before another letter is needed."""


def count_code_attempt(sent: str) -> bool:
    """Count one attempt at a code from a letter; return whether it may be checked.

    `sent` is the code, or whatever identifies it. A session's own count is not enough: requests at
    the same time all read the same one.
    """
    digest = salted_hmac("registry.code", sent, algorithm="sha256").hexdigest()
    return consume(f"codes:{digest}", MAX_CODE_ATTEMPTS, ONE_HOUR) is not None

"""How test users sign in: officers with a second factor, everyone just now.

Signing in without the page (`Client.force_login`) stands for having done so a moment ago, with
everything required. Tests of signing in itself use the pages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from registry.enums import TokenScope
from registry.models import User
from tools.sign_in import TOTP_SECRET, record_sign_in

ALL_SCOPES = [str(scope) for scope in TokenScope]


def remove_factors(person: User) -> None:
    """Remove every second factor of somebody."""
    Authenticator.objects.filter(user=person).delete()
    person.forget_factor()


def make_totp_code(steps: int = 0) -> str:
    """Return what the app shows now, or in this many half minutes."""
    return format_hotp_value(hotp_value(TOTP_SECRET, int(time.time()) // 30 + steps))


@contextmanager
def confirming_forced_logins() -> Iterator[None]:
    """Let `Client.force_login` leave the sign-in page's marks in the session."""
    plain = Client.force_login

    def force_login(client: Client, user: User, backend: str | None = None) -> None:
        plain(client, user, backend)
        record_sign_in(client, user)

    with mock.patch.object(Client, "force_login", force_login):
        yield

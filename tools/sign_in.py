"""Signing in for our own programs, with everything that the pages require.

`Client.force_login` bypasses the sign-in page, and leaves out both the marks and the second factor
without which an officer is sent away. A served registry uses none of this.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

    from registry.models import User

TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def give_factor(person: User) -> None:
    """Give a person an authenticator app, unless they have a second factor."""
    from allauth.mfa.totp.internal.auth import TOTP

    if not person.has_second_factor:
        TOTP.activate(person, TOTP_SECRET)
    person.forget_factor()


def record_sign_in(client: Client, person: User, *, ago: float = 0.0) -> None:
    """Record in a client's session that its person signed in `ago` seconds ago.

    It counts as used since then, so that it has not expired.
    """
    from allauth.account.internal.flows import login
    from allauth.account.internal.userkit import user_id_to_str

    from registry.http.session_limits import SEEN_KEY

    session = client.session
    at = time.time() - ago
    records: list[dict[str, Any]] = [{"method": "password", "at": at}]
    if person.has_second_factor:
        records.append({"method": "mfa", "type": "totp", "at": at})
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = records
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = user_id_to_str(person)
    session[SEEN_KEY] = time.time()
    session.save()


def sign_in(client: Client, person: User) -> None:
    """Sign somebody in; holders of a role then have a second factor, and have used it."""
    if person.granted_roles or person.is_superuser:
        give_factor(person)
    client.force_login(person)
    record_sign_in(client, person)

"""Sessions and their people, as Django stores them, looked up by prepared queries.

Building the SQL of a look-up takes longer than the database needs for it, and both are looked up
for every request of a signed-in reader.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import SuspiciousOperation
from django.utils import timezone

from registry.models import User
from registry.selectors import PreparedQuery

SESSION_QUERY: Final = PreparedQuery(lambda key: Session.objects.filter(session_key=key))
ACCOUNT_QUERY: Final = PreparedQuery(lambda key: User.objects.filter(pk=key))


class AuthenticationBackend(AllauthBackend):
    """allauth's backend; only looking up the account of a session differs."""

    def get_user(self, user_id: int) -> User | None:
        """Return the account with that key if it may sign in."""
        person = ACCOUNT_QUERY.first(user_id)
        return person if person and self.user_can_authenticate(person) else None


BACKEND_PATH: Final = f"{AuthenticationBackend.__module__}.{AuthenticationBackend.__qualname__}"
FORMER_BACKEND_PATH: Final = f"{AllauthBackend.__module__}.{AllauthBackend.__qualname__}"
"""The backend in sessions that began before we had our own; they remain valid."""


class SessionStore(DatabaseSessionStore):
    """Django's own store. Its name is part of the signature, so earlier sessions remain valid."""

    def load(self) -> dict[str, Any]:
        """Return the content of the session."""
        held: dict[str, Any] = super().load()
        if held.get(BACKEND_SESSION_KEY) == FORMER_BACKEND_PATH:
            held[BACKEND_SESSION_KEY] = BACKEND_PATH
        return held

    def _get_session_from_db(self) -> Session | None:
        session = None
        # A key with characters that no column can hold is nobody's.
        with suppress(SuspiciousOperation):
            session = SESSION_QUERY.first(self.session_key) if self.session_key else None
        if session is None or session.expire_date <= timezone.now():
            self._session_key = None
            return None
        return session

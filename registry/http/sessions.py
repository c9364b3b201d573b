"""Sessions and whose they are, as Django keeps them, looked up by prepared queries.

Writing the SQL of a look-up anew would take longer than the database needs for it, and both are
looked up with every request of a signed-in reader.
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
    """The backend of allauth; only finding whose session it is differs."""

    def get_user(self, user_id: int) -> User | None:
        """Return the account of that key if it may sign in."""
        person = ACCOUNT_QUERY.first(user_id)
        return person if person and self.user_can_authenticate(person) else None


BACKEND_PATH: Final = f"{AuthenticationBackend.__module__}.{AuthenticationBackend.__qualname__}"
FORMER_BACKEND_PATH: Final = f"{AllauthBackend.__module__}.{AllauthBackend.__qualname__}"
"""What sessions say that began before we had a backend of our own; they remain valid."""


class SessionStore(DatabaseSessionStore):
    """Django's own store. Its name is part of the signature, so earlier sessions remain valid."""

    def load(self) -> dict[str, Any]:
        """Return what the session holds."""
        held: dict[str, Any] = super().load()
        if held.get(BACKEND_SESSION_KEY) == FORMER_BACKEND_PATH:
            held[BACKEND_SESSION_KEY] = BACKEND_PATH
        return held

    def _get_session_from_db(self) -> Session | None:
        session = None
        # A key with characters that no column holds is nobody's.
        with suppress(SuspiciousOperation):
            session = SESSION_QUERY.first(self.session_key) if self.session_key else None
        if session is None or session.expire_date <= timezone.now():
            self._session_key = None
            return None
        return session

"""Sessions in the database, as Django keeps them, looked up by a prepared query."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import SuspiciousOperation
from django.utils import timezone

from registry.selectors import PreparedQuery

SESSION_QUERY: Final = PreparedQuery(lambda key: Session.objects.filter(session_key=key))


class SessionStore(DatabaseSessionStore):
    """Django's own store: its name is part of the signature, so that sessions outlive the change.

    Writing the SQL of the look-up anew would take longer than the database needs for it.
    """

    def _get_session_from_db(self) -> Session | None:
        session = None
        # A key with characters that no column holds is nobody's.
        with suppress(SuspiciousOperation):
            session = SESSION_QUERY.first(self.session_key) if self.session_key else None
        if session is None or session.expire_date <= timezone.now():
            self._session_key = None
            return None
        return session

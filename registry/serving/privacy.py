"""Whose an answer is: decided here alone, after Django has answered."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest

from registry.serving.addresses import CREDENTIALS, PERSONAL


def is_personal(request: HttpRequest) -> bool:
    """Whether the answer may belong to a person: nobody keeps it then, not their browser either.

    It is enough that the request says for whom it is made, be it true or not. Nothing is asked
    of the database for it: without a session the person is known, with one it does not matter.
    """
    return (
        PERSONAL.match(request.path_info) is not None
        or any(header in request.META for header in CREDENTIALS)
        or settings.SESSION_COOKIE_NAME in request.COOKIES
        or has_session(request)
        or is_signed_in(request)
    )


def is_anonymous(request: HttpRequest) -> bool:
    """Whether Django found nobody while it answered: no session, person, token or message.

    A request that was answered before anybody looked for a person is not known to be anonymous.
    """
    return (
        hasattr(request, "session")
        and hasattr(request, "user")
        and not is_personal(request)
        and "CSRF_COOKIE" not in request.META
        and not get_messages(request)
    )


def has_session(request: HttpRequest) -> bool:
    """Whether there is a session, be it that it was begun by this very answer."""
    session = getattr(request, "session", None)
    return session is not None and not (session.is_empty() and not session.modified)


def is_signed_in(request: HttpRequest) -> bool:
    """Whether somebody is signed in, by whatever means."""
    user = getattr(request, "user", None)
    return user is not None and bool(user.is_authenticated)

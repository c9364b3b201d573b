"""How long a session lasts: idle and in total, shorter for people who act for the registry."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from allauth.account.internal.flows.login import get_authentication_records
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from registry.actions.account_security import record_account_event
from registry.database import left_out_if_read_only
from registry.enums import AccountEventKind
from registry.models import User
from registry.permissions import judges_one_request
from registry.rate_limits import find_network_prefix

BEGAN_KEY: Final = "registry.began"
SEEN_KEY: Final = "registry.seen"
SECONDS_BETWEEN_NOTES: Final = 60
"""A session is written no more often than this, whatever its person does."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """After how long without a request, and after how long in total, a session ends."""

    idle: datetime.timedelta
    absolute: datetime.timedelta

    def are_over(self, idle: float, age: float) -> bool:
        """Whether they end a session that has been idle, and has lasted, this many seconds."""
        return idle > self.idle.total_seconds() or age > self.absolute.total_seconds()


def read_session_limits(holder: str) -> SessionLimits:
    """Return the limits of an "officer", or of any other "person"."""
    idle, absolute = settings.REGISTRY_SESSION_LIMITS[holder]
    return SessionLimits(idle, absolute)


def find_session_limits(person: User) -> SessionLimits:
    """Return the limits of the sessions of a person.

    They are shorter for officers, and for temporary experts.
    """
    is_officer = bool(person.granted_roles) or person.is_superuser or judges_one_request(person)
    return read_session_limits("officer" if is_officer else "person")


def is_time_up(person: User, idle: float, age: float) -> bool:
    """Whether a session of a person that was idle, and has lasted, this long ends.

    Finding out whose it is may cost a query, and is done only if it matters.
    """
    officer, other = read_session_limits("officer"), read_session_limits("person")
    if officer.are_over(idle, age) == other.are_over(idle, age):
        return other.are_over(idle, age)
    return find_session_limits(person).are_over(idle, age)


class SessionLimitsMiddleware:
    """Ends sessions whose time is up, and notes when each was last used.

    It does so once something asks who the person is: files and other public responses never do.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request; without a session nobody is looked up."""
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            find_person = partial(find_person_within_limits, request, request.user)
            request.user = SimpleLazyObject(find_person)  # type: ignore[assignment]
        return self.get_response(request)


def find_person_within_limits(request: HttpRequest, person: User | AnonymousUser) -> object:
    """Return the person of the session, or nobody if its time is up."""
    request.user = person
    if isinstance(person, User):
        keep_or_end_session(request, person)
    return request.user


def keep_or_end_session(request: HttpRequest, person: User) -> None:
    """End the session of a request if its time is up, else note that it was used."""
    now = time.time()
    began = find_session_start(request, person)
    seen = request.session.get(SEEN_KEY, began)
    if is_time_up(person, idle=now - seen, age=now - began):
        UserSession.objects.filter(session_key=request.session.session_key).delete()
        logout(request)
        network = find_network_prefix(request.META)
        record_account_event(person, AccountEventKind.SESSION_EXPIRED, network=network)
        messages.info(request, _("Your session expired, so you were signed out."))
    elif now - seen >= SECONDS_BETWEEN_NOTES:
        used = UserSession.objects.filter(session_key=request.session.session_key)
        with left_out_if_read_only():
            used.update(last_seen_at=timezone.now())
            request.session[SEEN_KEY] = now


def find_session_start(request: HttpRequest, person: User) -> float:
    """Return when the person signed in; a session that does not say so begins now."""
    shown = [float(each["at"]) for each in get_authentication_records(request, person)]
    if not shown and BEGAN_KEY not in request.session:
        request.session[BEGAN_KEY] = time.time()
    return min(shown, default=0.0) or float(request.session[BEGAN_KEY])

"""The first of the middleware: public answers come from memory, others from the application.

An answer is known by the version of the registry and the day, so that a publication, by another
process too, is visible with the next request, and pages that speak of days are right.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.handlers.wsgi import WSGIRequest
from django.db import DEFAULT_DB_ALIAS, Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase, UnreadablePostError

from registry import selectors
from registry.database import (
    is_database_unavailable,
    is_lock_error,
    outage,
)
from registry.http.cache import (
    CacheEpoch,
    ResponseCache,
    ServedResponse,
    choose_cache_epoch,
    is_cacheable_response,
)
from registry.http.cache_policy import (
    NO_STORE,
    PRIVATE,
    is_cacheable_request,
    is_personal_request,
)
from registry.http.checks import UNTRUSTED_PROXY, note_forwarded_for
from registry.http.conditional_requests import apply_removed_conditions, remove_conditions
from registry.replicas import reading_from

LOOK_UP_KEY: Final = "registry.looked"
"""Where a request says that it was looked for already, and in which epoch: none in an outage."""
DATABASE_KEY: Final = "registry.database"
"""Where it says from which database a stranger is read."""
CARRIED_ATTRIBUTES: Final = frozenset({"public_memory", "registry_version"})
"""What this middleware tells a view, a second time too."""
MAX_DRAINED_OCTETS: Final = 100_000_000
DRAIN_CHUNK_OCTETS: Final = 1 << 16
WRITER_COOKIE: Final = "wrote"
WRITER_SECONDS: Final = 30
"""For so long whoever wrote is read from where they wrote."""


class PublicCacheMiddleware:
    """Answers what is public and was asked before; has it answered where it was not.

    Says of every other answer who may keep it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        room = settings.REGISTRY_CACHE_BYTES
        self.memory = ResponseCache(room) if room else None

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        sent = request.META
        if self.memory is not None:
            vars(request)["public_memory"] = self.memory
        if not is_cacheable_request(sent):
            selectors.note_reading_of_primary()
            response = limit_storage(request, self.get_response(request))
            return mark_writer(request, response)
        if self.memory is None:
            request, response = self.answer_stranger(request, choose_database())
            is_kept = is_cacheable_response(request, response)
            return response if is_kept else limit_storage(request, response)
        return self.remember(request, sent, self.memory)

    def remember(
        self, request: HttpRequest, sent: dict[str, Any], memory: ResponseCache
    ) -> HttpResponseBase:
        """Answer a public request from memory, and keep there what is not in it."""
        if LOOK_UP_KEY not in sent:
            given = find_cached_response(memory, sent)
            if given is not None:
                return given.response
        epoch: CacheEpoch | None = sent[LOOK_UP_KEY]
        before = dict(sent)
        remove_conditions(request)
        if epoch is not None:
            vars(request)["registry_version"] = epoch[0]
        request, response = self.answer_stranger(request, sent[DATABASE_KEY])
        if (
            epoch
            and isinstance(response, HttpResponse)
            and is_cacheable_response(request, response)
        ):
            return memory.keep(epoch, before, response).response
        return apply_removed_conditions(before, limit_storage(request, response))

    def answer_stranger(
        self, request: HttpRequest, alias: str
    ) -> tuple[HttpRequest, HttpResponseBase]:
        """Have a public request answered from one database, by the primary where that fails.

        Returns the request as well that was answered: a second attempt is another.
        """
        with reading_from(alias):
            response = self.get_response(request)
        is_outage = response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        if alias == DEFAULT_DB_ALIAS or not is_outage or not isinstance(request, WSGIRequest):
            return request, response
        response.close()
        again = type(request)(request.environ)
        vars(again).update(
            (name, value) for name, value in vars(request).items() if name in CARRIED_ATTRIBUTES
        )
        return again, self.get_response(again)


def choose_database() -> str:
    """Return the database that a stranger is read from, the primary where none can be asked."""
    if not settings.REGISTRY_REPLICAS:
        return DEFAULT_DB_ALIAS
    try:
        alias, _version = selectors.choose_database()
    except Error:
        return DEFAULT_DB_ALIAS
    return alias


def mark_writer(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Have whoever wrote be read from the primary for a while, where they would be a stranger.

    The cookie says nothing and is for nobody's memory. Whoever signed in, or has a token, is read
    from the primary anyway.
    """
    if settings.REGISTRY_REPLICAS and request.method not in ("GET", "HEAD", "OPTIONS"):
        response.set_cookie(
            WRITER_COOKIE,
            "1",
            max_age=WRITER_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def find_cached_response(memory: ResponseCache, sent: dict[str, Any]) -> ServedResponse | None:
    """Return what is in memory for a request, and note in it in which epoch was looked.

    Where the database cannot be asked, that is what it said last.
    """
    try:
        sent[DATABASE_KEY], epoch = choose_cache_epoch()
        sent[LOOK_UP_KEY] = epoch
    except Error as error:
        if not (is_database_unavailable(error) or is_lock_error(error)):
            raise
        outage.record_error(error)
        sent[LOOK_UP_KEY], sent[DATABASE_KEY] = None, DEFAULT_DB_ALIAS
        return memory.find_stale(sent)
    outage.record_answer()
    return memory.find(epoch, sent)


def limit_storage(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Have nobody keep what belongs to a person, and no network what may not be for others."""
    if is_personal_request(request):
        response.headers["Cache-Control"] = NO_STORE
    else:
        response.headers.setdefault("Cache-Control", PRIVATE)
    return response


logger = logging.getLogger(__name__)


class ForwardedForMiddleware:
    """Writes once into the log, and down for `manage.py check`, that `X-Forwarded-For` was seen."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if settings.REGISTRY_TRUSTED_PROXIES:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.is_noted = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered."""
        if not self.is_noted and "HTTP_X_FORWARDED_FOR" in request.META:
            self.is_noted = True
            logger.warning(UNTRUSTED_PROXY)
            note_forwarded_for()
        return self.get_response(request)


class UnreadBodyMiddleware:
    """Reads what is left of a body that was answered before all of it was read.

    A browser listens once it has sent all. A server that closes the connection while octets are on
    their way resets it, and the proxy before it then answers 502 in place of us (RFC 9112, 9.6).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered, and take in the rest of what was sent with it."""
        response = self.get_response(request)
        # An answer in parts may still be reading what it answers.
        if not response.streaming:
            drain_request_body(request)
        return response


def drain_request_body(request: HttpRequest) -> None:
    """Read the rest of a body and forget it, within reason."""
    left = MAX_DRAINED_OCTETS
    with suppress(UnreadablePostError):
        while left > 0 and (piece := request.read(DRAIN_CHUNK_OCTETS)):
            left -= len(piece)


class SecurityPolicyMiddleware:
    """Says the policy of the settings.

    The middleware of django-csp writes it anew for each answer, its directives in any order.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(sorted(build_policy().split("; ")))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered, and say the policy beside the answer."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        return response

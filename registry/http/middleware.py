"""The first middleware: public responses come from the cache, others from the application.

Responses are identified by the version of the registry and the day, so that a publication is
visible to the next request, even if another process made it, and pages that mention days are right.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.handlers.wsgi import WSGIRequest
from django.db import DEFAULT_DB_ALIAS, Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase, UnreadablePostError

from registry import selectors
from registry.database import (
    cache_outage,
    is_database_unavailable,
    is_lock_error,
    lock_outage,
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
    is_uncached_request,
)
from registry.http.checks import UNTRUSTED_PROXY, note_forwarded_for
from registry.http.conditional_requests import apply_removed_conditions, remove_conditions
from registry.http.health import OPEN_PATHS
from registry.key_paths import KEY_PATHS
from registry.replicas import reading_from

LOOK_UP_KEY: Final = "registry.looked"
"""Where a request notes that the cache was searched, and in which epoch: None in an outage."""
DATABASE_KEY: Final = "registry.database"
"""Where it notes which database an anonymous reader is served from."""
CARRIED_ATTRIBUTES: Final = frozenset({"public_memory", "registry_version"})
"""What this middleware tells a view, also at a second attempt."""
MAX_DRAINED_OCTETS: Final = 100_000_000
DRAIN_CHUNK_OCTETS: Final = 1 << 16
# Nothing is loaded from other hosts. Pages are cached, so there are no nonces.
CONTENT_SECURITY_POLICY: Final = (
    "base-uri 'none'; connect-src 'self'; default-src 'none'; font-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; manifest-src 'self'; "
    "script-src 'self'; style-src 'self'"
)
PERMISSIONS_POLICY: Final = (
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
)
"""No page asks for any of these, nor may a script that got into one."""
WRITER_COOKIE: Final = "wrote"
WRITER_SECONDS: Final = 30
"""How long people who just wrote are served from the primary."""


class PublicCacheMiddleware:
    """Answers public requests from the cache, or has them answered.

    Sets who may store every other response.
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
        if is_uncached_request(sent):
            request, response = self.answer_stranger(request, choose_database())
            return limit_storage(request, response)
        if not is_cacheable_request(sent):
            # A health check shows no version, and must not wait for a database that hangs.
            if request.path_info not in OPEN_PATHS:
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
        """Answer a public request from the cache, and cache what is missing."""
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
        """Have a public request answered from one database, or by the primary if that fails.

        Also returns the request that was answered: a second attempt uses a new one.
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
    """Return the database to read for an anonymous reader; the primary if none can be asked."""
    if not settings.REGISTRY_REPLICAS:
        return DEFAULT_DB_ALIAS
    try:
        alias, _version = selectors.choose_database()
    except Error:
        return DEFAULT_DB_ALIAS
    return alias


def mark_writer(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Read people who just wrote from the primary for a while, where they would count as anonymous.

    The cookie says nothing, and nothing is cached for it. People who signed in, or have a token,
    are read from the primary anyway.
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
    """Return what is cached for a request, and note in it which epoch was searched.

    If the database cannot be asked, that is what it said last.
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
    for each in (outage, lock_outage, cache_outage):
        each.record_answer()
    return memory.find(epoch, sent)


def limit_storage(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Let nobody store what belongs to a person, and no shared cache what may not be shared."""
    if is_personal_request(request):
        response.headers["Cache-Control"] = NO_STORE
    else:
        response.headers.setdefault("Cache-Control", PRIVATE)
    return response


logger = logging.getLogger(__name__)


class ForwardedForMiddleware:
    """Notes once, in the log and for `manage.py check`, that `X-Forwarded-For` was seen."""

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
    """Reads the rest of a body if the response came before all of it was read.

    Browsers listen only after sending everything. A server that closes the connection while octets
    are on their way resets it, and the proxy in front of it then answers 502 (RFC 9112, section
    9.6).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered, and read the rest of its body."""
        response = self.get_response(request)
        # A streamed response may still be reading the body.
        if not response.streaming:
            drain_request_body(request)
        return response


def drain_request_body(request: HttpRequest) -> None:
    """Read the rest of a body and discard it, up to a limit."""
    left = MAX_DRAINED_OCTETS
    with suppress(UnreadablePostError):
        while left > 0 and (piece := request.read(DRAIN_CHUNK_OCTETS)):
            left -= len(piece)


class SecurityPolicyMiddleware:
    """Says what pages may load, and who may use devices and responses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered, and add the policy to the response."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        if KEY_PATHS.match(request.path):
            # Otherwise its key would be in the request for each of its files.
            response.headers["Referrer-Policy"] = "strict-origin"
        is_open = response.headers.get("Access-Control-Allow-Origin") == "*"
        response.headers["Cross-Origin-Resource-Policy"] = (
            "cross-origin" if is_open else "same-origin"
        )
        return response

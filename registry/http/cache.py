"""Public responses in the memory of each server process, and who may store any response.

The memory fails closed. Only anonymous requests for something public are answered from it or fill
it, and a response is stored only if nobody was found while it was made.

Responses belong to an epoch, which is the version of the registry and the day: a publication is
visible to the next request, even if another process made it, and pages that mention days are right.
While the database is away, those of its last epoch are served.
"""

from __future__ import annotations

import gzip
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus
from threading import Lock
from typing import Any, Final, NamedTuple
from wsgiref.types import StartResponse

import brotli
from django.conf import settings
from django.contrib.messages import get_messages
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db import DEFAULT_DB_ALIAS, Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from registry import selectors
from registry.content_negotiation import choose_content_coding
from registry.database import (
    cache_outage,
    is_database_unavailable,
    is_lock_error,
    lock_outage,
    outage,
)
from registry.enums import Theme
from registry.http.conditional_requests import (
    CACHE_CONDITIONS,
    Environ,
    is_not_modified,
    make_content_etag,
    respond_conditionally,
    select_not_modified_headers,
)
from registry.replicas import reading_from

CacheKey = tuple[str, ...]
CacheEpoch = tuple[int, date]
"""One version of the registry, on one day."""

# Who may store a response: values of `Cache-Control`.

NO_STORE: Final = "no-store"
"""Nobody: it belongs to one person, or is not finished."""
PRIVATE: Final = "private"
"""A browser, but no shared cache."""
REVALIDATED: Final = "max-age=0, must-revalidate"
"""Whoever asks each time whether it is current: a publication is visible at once."""
PUBLIC: Final = f"public, {REVALIDATED}"
"""Like `REVALIDATED`, shared caches too."""
IMMUTABLE: Final = "public, max-age=86400, immutable"
"""Everybody: it never changes at its address, but may be hidden: one day (RFC 8246)."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""Everybody: it is signed, and neither changes nor is hidden."""
OUTDATED: Final = "no-cache"
"""It may lag behind the registry: a new one may come without an event in the journal."""
MAX_SHARED_STALE_SECONDS: Final = 3_600
"""A shared cache that cannot ask serves what it has for at most this long: it may be hidden now."""

# Which requests are public. A request is what the web server passes (PEP 3333): Django's `META`.

PUBLIC_PATHS: Final = re.compile(
    r"/(?:$|(?:about|accessibility|privacy|enquiries|guide|held|inspect)/"
    r"|(?:exports|api|resolve|uri-res)/"
    r"|(?:namespaces|requests|organizations|sightings|registries)[/.]"
    r"|(?:ns|robots\.txt|sitemap(?:-[0-9]{1,6})?\.xml|opensearch\.xml|site\.webmanifest|\.well-known/(?:security\.txt|api-catalog))$)"
)
"""Areas open to everybody; what is for one person is never cached (`is_cacheable_response`)."""
UNCACHED_PATHS: Final = re.compile(r"/(?:find|log)/")
"""Areas open to everybody whose answers change without an event in the journal, or are too many."""
PERSONAL_PATHS: Final = re.compile(r"/(?:accounts?|admin|api/v1/account)(?:/|$)")
"""Areas that contain only what belongs to the person who asks."""
UNBOUNDED_PATHS: Final = ("/resolve/", "/uri-res/", "/api/reference/")
"""Here clients make up the addresses, without end."""
CREDENTIAL_HEADERS: Final = ("HTTP_AUTHORIZATION", "HTTP_PROXY_AUTHORIZATION", "REMOTE_USER")
"""Headers, apart from cookies, that may identify a person."""
UNCACHEABLE_REQUEST_HEADERS: Final = (
    *CREDENTIAL_HEADERS,
    "HTTP_HX_REQUEST",
    "HTTP_IF_MATCH",
    "HTTP_IF_UNMODIFIED_SINCE",
)

# What is stored of a response.

CACHEABLE_STATUSES: Final = frozenset({200, 301, 303, 308, 404, 410})
UNCACHEABLE_DIRECTIVES: Final = re.compile(r"\b(?:no-store|no-cache|private)\b", re.IGNORECASE)
SHARED_VARY: Final = "Accept, Accept-Encoding, Authorization, Cookie, HX-Request"
"""Shared caches tell responses apart by these, and anonymous readers from all others."""
CACHEABLE_VARY: Final = frozenset({*SHARED_VARY.lower().split(", "), "accept-language"})
"""A response that varies by anything else is not cached. Requests differ in few of these: those
with credentials or of htmx are not cached, and cookies are part of the key.
"""
VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    "accept-language": ("HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE"),
    "accept": ("HTTP_ACCEPT",),
    "": (),
}
"""What is part of the key if `Vary` names a header, or neither; the most specific first."""
COMPRESSIBLE_MEDIA_TYPES: Final = re.compile(
    r"text/|application/(?:x-nd|[\w.-]+\+)?(?:json|xml)\b|image/svg"
)
MIN_COMPRESSED_RESPONSE_BYTES: Final = 500
COMPRESSORS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "br": lambda body: brotli.compress(body, quality=5),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
"""By content coding, the better compressor first; at these levels both take about as long."""
ENTRY_OVERHEAD_BYTES: Final = 2_000
"""Roughly how many octets a response takes besides its body."""
MAX_ENTRY_FRACTION: Final = 4
"""A response may take up at most one part in four."""
UNBOUNDED_FRACTION: Final = 8
"""One part in this many is for responses at addresses that clients can make up without end."""

# What a request is told in its environment.

MEMORY_KEY: Final = "registry.memory"
DATABASE_KEY: Final = "registry.database"
EPOCH_KEY: Final = "registry.epoch"
"""The epoch in which the memory was searched; None in an outage."""
WRITER_COOKIE: Final = "wrote"
WRITER_SECONDS: Final = 30
"""How long people who just wrote are served from the primary."""


def is_cacheable_request(environ: Environ) -> bool:
    """Whether this reads something that everybody who sends the same cookies gets alike.

    Names that differ only in encoding are different (RFC 8141, section 3.1), so the target is
    needed as it was sent where it may be a name.
    """
    path = environ.get("PATH_INFO") or "/"
    return (
        PUBLIC_PATHS.match(path) is not None
        and PERSONAL_PATHS.match(path) is None
        and is_anonymous_reading(environ)
        and (get_raw_target(environ) != "" or not path.startswith(UNBOUNDED_PATHS))
    )


def is_anonymous_reading(environ: Environ) -> bool:
    """Whether nothing in a request suggests a person, and the answer is a whole page.

    The one cookie that says nothing about a person has to be all that is sent, and written as
    browsers write it: Django might read anything else differently.
    """
    cookies = environ.get("HTTP_COOKIE")
    return (
        environ["REQUEST_METHOD"] in ("GET", "HEAD")
        and not any(header in environ for header in UNCACHEABLE_REQUEST_HEADERS)
        and (not cookies or cookies in {f"{settings.THEME_COOKIE_NAME}={each}" for each in Theme})
    )


def get_raw_target(environ: Environ) -> str:
    """Return the target as sent, empty if the server does not pass it."""
    target: str = environ.get("RAW_URI") or environ.get("REQUEST_URI") or ""
    return target


def make_cache_key(environ: Environ) -> CacheKey:
    """Return what tells one public request from another, apart from the headers in `Vary`."""
    return (
        environ.get("wsgi.url_scheme", ""),
        environ.get("HTTP_X_FORWARDED_PROTO", ""),
        environ.get("HTTP_HOST") or environ.get("SERVER_NAME", ""),
        get_raw_target(environ),
        environ.get("PATH_INFO") or "/",
        environ.get("QUERY_STRING", ""),
        environ.get("HTTP_COOKIE", ""),
    )


def is_personal_request(request: HttpRequest) -> bool:
    """Whether the response may belong to a person: then nobody stores it, not even their browser.

    It is enough for the request to claim a person, whether or not that is true, or for the response
    to begin a session. No query is made for it: without a session the person is known.
    """
    session, user = getattr(request, "session", None), getattr(request, "user", None)
    return (
        PERSONAL_PATHS.match(request.path_info) is not None
        or any(header in request.META for header in CREDENTIAL_HEADERS)
        or settings.SESSION_COOKIE_NAME in request.COOKIES
        or (session is not None and (session.modified or not session.is_empty()))
        or (user is not None and user.is_authenticated)
    )


def is_cacheable_response(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether everybody who sends the same cookies gets this response.

    No session, person, token or message was found while it was made. A request answered before
    anybody looked for a person is not known to be anonymous.
    """
    return (
        hasattr(request, "session")
        and hasattr(request, "user")
        and not is_personal_request(request)
        and "CSRF_COOKIE" not in request.META
        and not get_messages(request)
        and response.status_code in CACHEABLE_STATUSES
        and not response.streaming
        and not response.cookies
        and not UNCACHEABLE_DIRECTIVES.search(response.headers.get("Cache-Control", ""))
        and parse_vary(response.headers) <= CACHEABLE_VARY
        and not response.has_header("Content-Encoding")
        # Its entity tag is that of the coding in which the web server sends the file.
        and not response.has_header("X-Accel-Redirect")
    )


def parse_vary(headers: Environ) -> frozenset[str]:
    """Return the headers that `Vary` names, in lower case."""
    return frozenset(name.strip() for name in headers.get("Vary", "").lower().split(",")) - {""}


def share_with_networks(headers: dict[str, str]) -> None:
    """Let a shared cache serve a response for `REGISTRY_SHARED_CACHE_SECONDS` without asking.

    And for as long again while it revalidates (RFC 9111, section 5.2.2.10; RFC 5861); the latter
    applies to browsers too, so that they lag behind by no more. Responses that say more of their
    storage than that it is public stay as they are. All others name the same headers in `Vary`:
    otherwise nginx does not find them.
    """
    seconds = settings.REGISTRY_SHARED_CACHE_SECONDS
    if not seconds or headers.get("Cache-Control") not in (None, REVALIDATED):
        return
    stale = min(settings.REGISTRY_STALE_IF_ERROR_SECONDS, MAX_SHARED_STALE_SECONDS)
    headers["Cache-Control"] = (
        f"public, max-age=0, s-maxage={seconds}, stale-while-revalidate={seconds}, "
        f"stale-if-error={stale}"
    )
    by_language = ", Accept-Language" if "accept-language" in parse_vary(headers) else ""
    headers["Vary"] = f"{SHARED_VARY}{by_language}"


class ServedResponse(NamedTuple):
    """What one request gets; headers are never modified."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def response(self) -> HttpResponse:
        """The same as a response of Django."""
        response = HttpResponse(self.body, status=self.status, headers=self.headers)
        if "Content-Type" not in self.headers:
            del response.headers["Content-Type"]
        return response


@dataclass(frozen=True)
class CachedResponse:
    """What everybody who asks gets, in each content coding that was asked for."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_compressible: bool
    forms: dict[str, ServedResponse] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, response: HttpResponse, *, has_cookies: bool = False) -> CachedResponse:
        """Return what is cached of `response`, with an ETag and a `Cache-Control`.

        A response to a request with cookies is only for people who send the same ones, which a
        shared cache might not check.
        """
        is_compressible = bool(
            len(response.content) >= MIN_COMPRESSED_RESPONSE_BYTES
            and COMPRESSIBLE_MEDIA_TYPES.match(response.headers.get("Content-Type", ""))
        )
        if is_compressible:
            patch_vary_headers(response, ["Accept-Encoding"])
        headers = dict(response.headers.items())
        if not has_cookies:
            share_with_networks(headers)
        headers.setdefault("Cache-Control", PRIVATE if has_cookies else PUBLIC)
        if response.status_code == HTTPStatus.OK:
            headers.setdefault("ETag", make_content_etag(response.content, digits=32))
        return cls(response.status_code, headers, response.content, is_compressible)

    @property
    def size(self) -> int:
        """Roughly how many octets of memory it takes; compressed bodies count as one more."""
        return ENTRY_OVERHEAD_BYTES + len(self.body) * (2 if self.is_compressible else 1)

    def encode(self, coding: str) -> ServedResponse:
        """Return the body in a content coding, or as it is; it is compressed once."""
        if coding not in self.forms:
            headers, body = dict(self.headers), self.body
            if coding:
                body = COMPRESSORS[coding](body)
                headers["Content-Encoding"] = coding
                if "ETag" in headers:
                    # Another encoding has another strong validator (RFC 9110, section 8.8.3.3).
                    headers["ETag"] = re.sub(r'"\Z', f'-{coding}"', headers["ETag"])
            headers["Content-Length"] = str(len(body))
            self.forms[coding] = ServedResponse(self.status, headers, body)
        return self.forms[coding]

    def answer(self, environ: Environ) -> ServedResponse:
        """Return what one request gets."""
        coding = None
        if self.is_compressible:
            accepted = environ.get("HTTP_ACCEPT_ENCODING", "")
            coding = choose_content_coding(accepted, tuple(COMPRESSORS))
        form = self.encode(coding or "")
        if self.status == HTTPStatus.OK and is_not_modified(environ, form.headers):
            return ServedResponse(304, select_not_modified_headers(form.headers), b"")
        return form._replace(body=b"") if environ["REQUEST_METHOD"] == "HEAD" else form


class LRUCache:
    """Responses by key, bounded in octets; the least recently used go first."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = 0
        self.responses: OrderedDict[CacheKey, CachedResponse] = OrderedDict()

    def get(self, key: CacheKey) -> CachedResponse | None:
        """Return a response, and mark it as recently used."""
        response = self.responses.get(key)
        if response is not None:
            self.responses.move_to_end(key)
        return response

    def put(self, key: CacheKey, response: CachedResponse) -> None:
        """Store a response if it is small enough, replacing any previous one."""
        if response.size > self.room // MAX_ENTRY_FRACTION:
            return
        if key in self.responses:
            self.taken -= self.responses.pop(key).size
        self.responses[key] = response
        self.taken += response.size
        while self.taken > self.room:
            _key, dropped = self.responses.popitem(last=False)
            self.taken -= dropped.size

    def clear(self) -> None:
        """Remove all responses."""
        self.responses.clear()
        self.taken = 0


class ResponseCache:
    """The responses of one epoch; the first look-up in another one discards them."""

    def __init__(self, room: int) -> None:
        self.lock = Lock()
        self.epoch: CacheEpoch | None = None
        self.confirmed_at = -math.inf
        self.bounded = LRUCache(room)
        self.unbounded = LRUCache(room // UNBOUNDED_FRACTION)

    def find(self, epoch: CacheEpoch, environ: Environ) -> ServedResponse | None:
        """Return what the request gets in this epoch, or None if it has to be rendered."""
        with self.lock:
            if epoch != self.epoch:
                self.epoch = epoch
                self.bounded.clear()
                self.unbounded.clear()
            self.confirmed_at = time.monotonic()
            cached = self.get(environ)
        return cached.answer(environ) if cached else None

    def find_stale(self, environ: Environ) -> ServedResponse | None:
        """Return what the request would have got when the database last answered.

        How long it may replace an error is bounded (`stale-if-error`, RFC 5861, section 4).
        """
        with self.lock:
            cached = None if self.is_too_old() else self.get(environ)
        return cached.answer(environ) if cached else None

    def is_too_old(self) -> bool:
        """Whether the database confirmed the cached responses too long ago."""
        age = time.monotonic() - self.confirmed_at
        return age > settings.REGISTRY_STALE_IF_ERROR_SECONDS

    def can_serve_stale(self) -> bool:
        """Whether readers would get anything while the database is away."""
        return not self.is_too_old() and bool(self.bounded.responses)

    def get(self, environ: Environ) -> CachedResponse | None:
        """Return the cached response to a request."""
        key = make_cache_key(environ)
        for names in VARIANTS.values():
            variant = make_variant_key(key, names, environ)
            cached = self.bounded.get(variant) or self.unbounded.get(variant)
            if cached is not None:
                return cached
        return None

    def keep(self, epoch: CacheEpoch, environ: Environ, response: HttpResponse) -> ServedResponse:
        """Cache a response requested in `epoch`, unless that has ended; return what is sent.

        What was not found is kept apart, whatever its address.
        """
        cached = CachedResponse.of(response, has_cookies=bool(environ.get("HTTP_COOKIE")))
        varies = parse_vary(cached.headers)
        names = next(names for header, names in VARIANTS.items() if not header or header in varies)
        path, query = environ.get("PATH_INFO") or "/", environ.get("QUERY_STRING")
        is_unbounded = bool(query) or path.startswith(UNBOUNDED_PATHS) or cached.status != 200
        with self.lock:
            if epoch == self.epoch:
                (self.unbounded if is_unbounded else self.bounded).put(
                    make_variant_key(make_cache_key(environ), names, environ), cached
                )
        return cached.answer(environ)


def make_variant_key(key: CacheKey, names: tuple[str, ...], environ: Environ) -> CacheKey:
    """Return the key of the response to a request that varies by the headers `names`."""
    return (*key, *names, *(environ.get(name, "") for name in names))


def find_cached_response(memory: ResponseCache, environ: dict[str, Any]) -> ServedResponse | None:
    """Return what is cached for a request, and note in it which epoch was searched.

    If the database cannot be asked, that is what it said last.
    """
    try:
        alias, version = selectors.choose_database()
    except Error as error:
        if not (is_database_unavailable(error) or is_lock_error(error)):
            raise
        outage.record_error(error)
        environ[EPOCH_KEY], environ[DATABASE_KEY] = None, DEFAULT_DB_ALIAS
        return memory.find_stale(environ)
    for each in (outage, lock_outage, cache_outage):
        each.record_answer()
    epoch = version, timezone.localdate()
    environ[EPOCH_KEY], environ[DATABASE_KEY] = epoch, alias
    return memory.find(epoch, environ)


class PublicCacheMiddleware:
    """The first middleware: answers public requests from memory, or has them answered.

    Sets who may store every other response.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        room = settings.REGISTRY_CACHE_BYTES
        self.memory = ResponseCache(room) if room else None

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        environ = request.META
        environ[MEMORY_KEY] = self.memory
        is_public = is_cacheable_request(environ)
        if is_public and self.memory is not None:
            return self.answer_public_request(request, self.memory)
        if is_public or (is_anonymous_reading(environ) and UNCACHED_PATHS.match(request.path_info)):
            return limit_storage(*self.read_from(choose_database(), request))
        # A health check shows no version, and must not wait for a database that hangs.
        if not request.path_info.startswith("/health/"):
            selectors.note_reading_of_primary()
        return mark_writer(request, limit_storage(request, self.get_response(request)))

    def answer_public_request(
        self, request: HttpRequest, memory: ResponseCache
    ) -> HttpResponseBase:
        """Answer from memory, or cache what is missing; for that, the whole page is made."""
        environ = request.META
        if EPOCH_KEY not in environ:
            served = find_cached_response(memory, environ)
            if served is not None:
                return served.response
        epoch: CacheEpoch | None = environ[EPOCH_KEY]
        sent = dict(environ)
        request.method = environ["REQUEST_METHOD"] = "GET"
        for condition in CACHE_CONDITIONS:
            environ.pop(condition, None)
        answered, response = self.read_from(environ[DATABASE_KEY], request)
        environ.update(sent)
        request.method = sent["REQUEST_METHOD"]
        if (
            epoch is not None
            and isinstance(response, HttpResponse)
            and is_cacheable_response(answered, response)
        ):
            return memory.keep(epoch, sent, response).response
        response = respond_conditionally(request, limit_storage(answered, response))
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            response.content = b""
        return response

    def read_from(self, alias: str, request: HttpRequest) -> tuple[HttpRequest, HttpResponseBase]:
        """Have a request answered from one database, or by the primary if that fails.

        Also returns the request that was answered: a second attempt uses a new one.
        """
        with reading_from(alias):
            response = self.get_response(request)
        is_outage = response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        if alias == DEFAULT_DB_ALIAS or not is_outage:
            return request, response
        response.close()
        again = WSGIRequest(request.META)
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


def limit_storage(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Let nobody store what belongs to a person, and no shared cache what may not be shared."""
    if is_personal_request(request):
        response.headers["Cache-Control"] = NO_STORE
    else:
        response.headers.setdefault("Cache-Control", PRIVATE)
    return response


class CachingWSGIHandler:
    """Django's handler; cached responses are sent before Django makes a request of what came."""

    def __init__(self) -> None:
        self.handler = WSGIHandler()
        first = getattr(getattr(self.handler, "_middleware_chain", None), "__wrapped__", None)
        self.memory: ResponseCache | None = getattr(first, "memory", None)

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        served = self.find_served(environ)
        if served is None:
            return self.handler(environ, start_response)
        status = f"{served.status} {HTTPStatus(served.status).phrase}"
        start_response(status, list(served.headers.items()))
        return [served.body]

    def find_served(self, environ: dict[str, Any]) -> ServedResponse | None:
        """Return what the first middleware would answer from memory."""
        if self.memory is None or not is_cacheable_request(environ):
            return None
        # Django does this at the start of each request.
        connection.close_if_unusable_or_obsolete()
        return find_cached_response(self.memory, environ)

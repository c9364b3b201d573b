"""One worker's cache of public responses, bounded in octets; the least recently used go first."""

from __future__ import annotations

import gzip
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from threading import Lock
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone

from registry import selectors
from registry.content_negotiation import choose_content_coding
from registry.http.cache_policy import (
    PRIVATE,
    PUBLIC,
    REVALIDATED,
    SHARED_VARY,
    CacheKey,
    Environ,
    describe_public_storage,
    is_anonymous_request,
    is_unbounded,
    make_cache_key,
)
from registry.http.conditional_requests import (
    is_not_modified,
    make_content_etag,
    select_not_modified_headers,
)

CACHEABLE_STATUSES: Final = frozenset({200, 301, 303, 308, 404, 410})
CACHEABLE_VARY_HEADERS: Final = frozenset(
    {"accept", "accept-language", "accept-encoding", "authorization", "cookie", "hx-request"}
)
"""Headers that a cached response may vary by; a response that varies by others is not cached."""
UNCACHEABLE_DIRECTIVES: Final = re.compile(r"\b(?:no-store|no-cache|private)\b", re.IGNORECASE)
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


def parse_vary(vary: str) -> frozenset[str]:
    """Return the headers that `Vary` names, in lower case."""
    return frozenset(name.strip() for name in vary.lower().split(",")) - {""}


def is_cacheable_response(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether everybody who sends the same cookies gets this response."""
    varies = parse_vary(response.headers.get("Vary", ""))
    return (
        is_anonymous_request(request)
        and response.status_code in CACHEABLE_STATUSES
        and not response.streaming
        and not response.cookies
        and not UNCACHEABLE_DIRECTIVES.search(response.headers.get("Cache-Control", ""))
        and varies <= CACHEABLE_VARY_HEADERS
        and not response.has_header("Content-Encoding")
        # Its entity tag is that of the coding in which the web server sends the file.
        and not response.has_header("X-Accel-Redirect")
    )


def share_with_networks(headers: dict[str, str]) -> None:
    """Let a shared cache serve a response that says of its storage only that it is public.

    All responses at one address name the same headers in `Vary`: otherwise nginx does not find
    them.
    """
    if headers.get("Cache-Control") not in (None, REVALIDATED):
        return
    headers["Cache-Control"] = describe_public_storage()
    named = [name.strip() for name in headers.get("Vary", "").split(",") if name.strip()]
    by_name = {name.lower(): name for name in (*named, *SHARED_VARY)}
    headers["Vary"] = ", ".join(by_name[name] for name in sorted(by_name))


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
    """What everybody who asks gets: the body, compressed bodies, and the headers of each."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_packed: bool
    packed: dict[str, ServedResponse] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, response: HttpResponse, *, has_cookies: bool = False) -> CachedResponse:
        """Return what is cached of `response`, with an ETag and a `Cache-Control`.

        A response to a request with cookies is only for people who send the same ones, which a
        shared cache might not check.
        """
        headers = dict(response.headers.items())
        if not has_cookies and settings.REGISTRY_SHARED_CACHE_SECONDS:
            share_with_networks(headers)
        headers.setdefault("Cache-Control", PRIVATE if has_cookies else PUBLIC)
        is_packed = bool(
            len(response.content) >= MIN_COMPRESSED_RESPONSE_BYTES
            and COMPRESSIBLE_MEDIA_TYPES.match(headers.get("Content-Type", ""))
        )
        if is_packed and "accept-encoding" not in parse_vary(headers.get("Vary", "")):
            headers["Vary"] = ", ".join(filter(None, [headers.get("Vary"), "Accept-Encoding"]))
        if response.status_code == 200 and "ETag" not in headers:
            headers["ETag"] = make_content_etag(response.content, digits=32)
        return cls(response.status_code, headers, response.content, is_packed)

    @cached_property
    def varies_by(self) -> frozenset[str]:
        """The request headers that it depends on, in lower case."""
        return parse_vary(self.headers.get("Vary", ""))

    @property
    def size(self) -> int:
        """Roughly how many octets of memory it takes; compressed bodies count as one more."""
        return ENTRY_OVERHEAD_BYTES + len(self.body) * (2 if self.is_packed else 1)

    @cached_property
    def plain(self) -> ServedResponse:
        """The body as it is, with its headers."""
        return ServedResponse(
            self.status, self.headers | {"Content-Length": str(len(self.body))}, self.body
        )

    def pack(self, coding: str) -> ServedResponse:
        """Return the body in a content coding with its headers; it is compressed once."""
        if coding not in self.packed:
            headers = self.headers | {"Content-Encoding": coding}
            if "ETag" in headers:
                # Another encoding has another strong validator (RFC 9110, section 8.8.3.3).
                headers["ETag"] = re.sub(r'"\Z', f'-{coding}"', headers["ETag"])
            body = COMPRESSORS[coding](self.body)
            headers["Content-Length"] = str(len(body))
            self.packed[coding] = ServedResponse(self.status, headers, body)
        return self.packed[coding]

    def given_to(self, sent: Environ) -> ServedResponse:
        """Return what one request gets."""
        form = self.plain
        if self.is_packed:
            accepted = sent.get("HTTP_ACCEPT_ENCODING", "")
            coding = choose_content_coding(accepted, tuple(COMPRESSORS))
            form = self.pack(coding) if coding else form
        if self.status == 200 and is_not_modified(sent, form.headers):
            return ServedResponse(304, select_not_modified_headers(form.headers), b"")
        return form._replace(body=b"") if sent["REQUEST_METHOD"] == "HEAD" else form


MAX_ENTRY_FRACTION: Final = 4
"""A response may take up at most one part in four."""

CacheEpoch = tuple[int, date]
"""One version of the registry, on one day."""


class CacheEntry(Protocol):
    """What can be cached: the headers it varies by, and how much memory it takes."""

    @property
    def varies_by(self) -> frozenset[str]:
        """The request headers that it depends on, in lower case."""

    @property
    def size(self) -> int:
        """Roughly how many octets of memory it takes."""


E = TypeVar("E", bound=CacheEntry)


@dataclass(frozen=True, slots=True)
class VaryingHeaders:
    """The request headers by which responses at an address vary; cookies are part of the key."""

    by: tuple[str, ...]
    size: int = 500

    def key(self, key: CacheKey, sent: Environ) -> CacheKey:
        """Return the key of the response to a request with the headers `sent`."""
        return (*key, *(sent.get(f"HTTP_{name}", "") for name in self.by), "")

    def joined(self, answer: CacheEntry) -> VaryingHeaders:
        """Return what they vary by once `answer` is one of them."""
        names = {name.upper().replace("-", "_") for name in answer.varies_by}
        by = names - {"COOKIE", "ACCEPT_ENCODING"} | set(self.by)
        return VaryingHeaders(tuple(sorted(by)))


class LRUCache(Generic[E]):
    """Responses of one epoch; the first look-up in another epoch discards them."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = 0
        self.epoch: CacheEpoch | None = None
        self.things: OrderedDict[CacheKey, E | VaryingHeaders] = OrderedDict()
        self.lock = Lock()

    def find(self, epoch: CacheEpoch, key: CacheKey, sent: Environ) -> E | None:
        """Return the response cached in this epoch."""
        with self.lock:
            self.turn(epoch)
            varying = self.get(key)
            if not isinstance(varying, VaryingHeaders):
                return None
            answer = self.get(varying.key(key, sent))
            return None if isinstance(answer, VaryingHeaders) else answer

    def keep(self, epoch: CacheEpoch, key: CacheKey, sent: Environ, answer: E) -> None:
        """Cache a response requested in `epoch`, unless that has ended."""
        with self.lock:
            if epoch != self.epoch or answer.size > self.room // MAX_ENTRY_FRACTION:
                return
            known = self.get(key)
            varying = known if isinstance(known, VaryingHeaders) else VaryingHeaders(())
            varying = varying.joined(answer)
            self.put(key, varying)
            self.put(varying.key(key, sent), answer)
            while self.taken > self.room:
                self.drop(next(iter(self.things)))

    def has_answers(self, epoch: CacheEpoch | None) -> bool:
        """Whether anything was cached in this epoch."""
        with self.lock:
            return epoch is not None and epoch == self.epoch and bool(self.things)

    def turn(self, epoch: CacheEpoch) -> None:
        """Begin a new epoch, if this is one."""
        if epoch != self.epoch:
            self.epoch, self.taken = epoch, 0
            self.things.clear()

    def get(self, key: CacheKey) -> E | VaryingHeaders | None:
        """Return the entry, and mark it as recently used."""
        thing = self.things.get(key)
        if thing is not None:
            self.things.move_to_end(key)
        return thing

    def put(self, key: CacheKey, thing: E | VaryingHeaders) -> None:
        """Store an entry, replacing any previous one."""
        self.drop(key)
        self.things[key] = thing
        self.taken += thing.size

    def drop(self, key: CacheKey) -> None:
        """Remove an entry."""
        dropped = self.things.pop(key, None)
        self.taken -= dropped.size if dropped else 0


UNBOUNDED_FRACTION: Final = 8
"""One part in this many is for responses at addresses that clients can make up without end."""


def choose_cache_epoch() -> tuple[str, CacheEpoch]:
    """Return the database to read for an anonymous reader, and the epoch of their responses.

    That is the version of the registry there, and the day: pages mention days.
    """
    alias, version = selectors.choose_database()
    return alias, (version, timezone.localdate())


class ResponseCache:
    """Responses by request, as far as there is room."""

    def __init__(self, room: int) -> None:
        self.bounded = LRUCache[CachedResponse](room)
        self.unbounded = LRUCache[CachedResponse](room // UNBOUNDED_FRACTION)
        self.confirmed_epoch: CacheEpoch | None = None
        self.confirmed_at = -math.inf

    def find(self, epoch: CacheEpoch, sent: Environ) -> ServedResponse | None:
        """Return what the request gets, or None if it has to be rendered."""
        self.confirmed_epoch, self.confirmed_at = epoch, time.monotonic()
        return self.look_up(epoch, sent)

    def find_stale(self, sent: Environ) -> ServedResponse | None:
        """Return what the request would have got when the database last answered.

        How long it may replace an error is bounded (`stale-if-error`, RFC 5861, section 4).
        """
        if self.confirmed_epoch is None or self.is_too_old():
            return None
        return self.look_up(self.confirmed_epoch, sent)

    def is_too_old(self) -> bool:
        """Whether the database confirmed the cached responses too long ago."""
        age = time.monotonic() - self.confirmed_at
        return age > settings.REGISTRY_STALE_IF_ERROR_SECONDS

    def can_serve_stale(self) -> bool:
        """Whether readers would get anything while the database is away."""
        return not self.is_too_old() and self.bounded.has_answers(self.confirmed_epoch)

    def look_up(self, epoch: CacheEpoch, sent: Environ) -> ServedResponse | None:
        """Return what the request gets of what was cached in that epoch."""
        key = make_cache_key(sent)
        # What was not found is kept apart, whatever its address.
        caches = (self.unbounded,) if is_unbounded(sent) else (self.bounded, self.unbounded)
        for cache in caches:
            answer = cache.find(epoch, key, sent)
            if answer is not None:
                return answer.given_to(sent)
        return None

    def keep(self, epoch: CacheEpoch, sent: Environ, response: HttpResponse) -> ServedResponse:
        """Cache a response that everybody gets, and return what the request gets."""
        has_cookies = bool(sent.get("HTTP_COOKIE"))
        answer = CachedResponse.of(response, has_cookies=has_cookies)
        goes_aside = is_unbounded(sent) or answer.status != 200
        (self.unbounded if goes_aside else self.bounded).keep(
            epoch, make_cache_key(sent), sent, answer
        )
        return answer.given_to(sent)

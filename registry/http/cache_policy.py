"""Which requests may be answered from the cache, and under which key; what others may store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, parse_cookie

from registry.enums import Theme

# A request is what the web server passes (PEP 3333), which Django keeps as `META`.

Environ = Mapping[str, Any]
CacheKey = tuple[str, ...]

NO_STORE: Final = "no-store"
"""The `Cache-Control` of what belongs to one person, or is not finished."""
PRIVATE: Final = "private"
"""That of what a browser may store, but no shared cache."""
REVALIDATED: Final = "max-age=0, must-revalidate"
"""That of what is stored but revalidated each time: a publication is visible at once."""
IMMUTABLE: Final = "public, max-age=86400, immutable"
"""That of what never changes at its address, but may be hidden: one day (RFC 8246)."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""That of what is signed, and neither changes nor is hidden."""
OUTDATED: Final = "no-cache"
"""That of what may lag behind the registry: a new one may come without an event in the journal."""
PUBLIC: Final = f"public, {REVALIDATED}"
"""Like `REVALIDATED`, but shared caches may store it too."""
MAX_SHARED_STALE_SECONDS: Final = 3_600
"""A shared cache that cannot ask serves what it has for at most this long: it may be hidden now."""
SHARED_VARY: Final = ("Accept", "Accept-Encoding", "Authorization", "Cookie", "HX-Request")
"""Shared caches tell responses apart by these, and anonymous readers from all others."""

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
"""Requests with these headers are never answered from the cache."""


def describe_public_storage() -> str:
    """Return the `Cache-Control` of what everybody gets alike, if shared caches may serve it.

    `REGISTRY_SHARED_CACHE_SECONDS` lets a shared cache serve it without asking for this long, and
    for as long again while it revalidates (RFC 9111, section 5.2.2.10; RFC 5861). The latter
    applies to browsers too, so that they lag behind by no more than the shared cache.
    """
    seconds = settings.REGISTRY_SHARED_CACHE_SECONDS
    stale = min(settings.REGISTRY_STALE_IF_ERROR_SECONDS, MAX_SHARED_STALE_SECONDS)
    return (
        f"public, max-age=0, s-maxage={seconds}, stale-while-revalidate={seconds}, "
        f"stale-if-error={stale}"
    )


def is_cacheable_request(sent: Environ) -> bool:
    """Whether this reads something that everybody who sends the same cookies gets alike.

    Anything that may belong to a person bypasses the cache: it is neither looked up nor stored.
    """
    return (
        PUBLIC_PATHS.match(get_environ_path(sent)) is not None
        and PERSONAL_PATHS.match(get_environ_path(sent)) is None
        and is_reading_of_stranger(sent)
        and is_distinguishable(sent)
    )


def is_uncached_request(sent: Environ) -> bool:
    """Whether this reads something like that, of which nothing is stored here."""
    return UNCACHED_PATHS.match(get_environ_path(sent)) is not None and is_reading_of_stranger(sent)


def is_reading_of_stranger(sent: Environ) -> bool:
    """Whether nothing in a request suggests a person, and the answer is a whole page."""
    return (
        sent["REQUEST_METHOD"] in ("GET", "HEAD")
        and not any(header in sent for header in UNCACHEABLE_REQUEST_HEADERS)
        and has_harmless_cookies(sent)
    )


def is_distinguishable(sent: Environ) -> bool:
    """Whether names that differ only in encoding can be told apart by what the server passes."""
    return bool(get_raw_uri(sent)) or not get_environ_path(sent).startswith(UNBOUNDED_PATHS)


def get_raw_uri(sent: Environ) -> str:
    """Return the target as sent, empty if the server does not pass it."""
    target: str = sent.get("RAW_URI") or sent.get("REQUEST_URI") or ""
    return target


def has_harmless_cookies(sent: Environ) -> bool:
    """Whether each cookie is known to say nothing about a person; no cookies are harmless.

    Unknown cookies never count as harmless, since Django might read them differently: it accepts
    spaces, quotes and repeated names that the grammar (RFC 6265, section 4.2.1) does not allow. So
    the whole header has to be what a browser writes for known cookies with known values, and Django
    has to read exactly these in it.
    """
    header = sent.get("HTTP_COOKIE", "")
    if not header:
        return True
    pairs = header.split("; ")
    harmless = {f"{name}={value}" for name, value in list_harmless_cookies()}
    return (
        harmless.issuperset(pairs)
        and [f"{name}={value}" for name, value in parse_cookie(header).items()] == pairs
    )


def list_harmless_cookies() -> Iterator[tuple[str, str]]:
    """Yield the name and value of each cookie that is known to say nothing about a person."""
    for theme in Theme.values:
        yield settings.THEME_COOKIE_NAME, theme
    for code, _name in settings.LANGUAGES:
        yield settings.LANGUAGE_COOKIE_NAME, code


def make_cache_key(sent: Environ) -> CacheKey:
    """Return what tells one public request from another, apart from the headers in `Vary`.

    That includes the cookies, of which few are possible (`has_harmless_cookies`), and the target as
    sent: the path that Django passes on is decoded, and `%2C` and `,` are different names (RFC
    8141, section 3.1).
    """
    return (
        sent.get("wsgi.url_scheme", ""),
        sent.get("HTTP_X_FORWARDED_PROTO", ""),
        sent.get("HTTP_HOST") or sent.get("SERVER_NAME", ""),
        get_raw_uri(sent),
        get_environ_path(sent),
        sent.get("QUERY_STRING", ""),
        sent.get("HTTP_COOKIE", ""),
    )


def is_unbounded(sent: Environ) -> bool:
    """Whether there is no limit to the addresses of this kind."""
    return bool(sent.get("QUERY_STRING")) or get_environ_path(sent).startswith(UNBOUNDED_PATHS)


def get_environ_path(sent: Environ) -> str:
    """Return the path, its octets as Latin-1."""
    return sent.get("PATH_INFO") or "/"


def is_personal_request(request: HttpRequest) -> bool:
    """Whether the response may belong to a person: then nobody stores it, not even their browser.

    It is enough for the request to claim a person, whether or not that is true. No query is made
    for it: without a session the person is known, with one it does not matter.
    """
    return (
        PERSONAL_PATHS.match(request.path_info) is not None
        or any(header in request.META for header in CREDENTIAL_HEADERS)
        or settings.SESSION_COOKIE_NAME in request.COOKIES
        or has_session(request)
        or is_signed_in(request)
    )


def is_anonymous_request(request: HttpRequest) -> bool:
    """Whether Django found nobody while answering: no session, person, token or message.

    A request answered before anybody looked for a person is not known to be anonymous.
    """
    return (
        hasattr(request, "session")
        and hasattr(request, "user")
        and not is_personal_request(request)
        and "CSRF_COOKIE" not in request.META
        and not get_messages(request)
    )


def has_session(request: HttpRequest) -> bool:
    """Whether there is a session, even one begun by this very response."""
    session = getattr(request, "session", None)
    return session is not None and not (session.is_empty() and not session.modified)


def is_signed_in(request: HttpRequest) -> bool:
    """Whether somebody is signed in, by whatever means."""
    user = getattr(request, "user", None)
    return user is not None and bool(user.is_authenticated)

"""Which requests may be answered from the cache, and by which key; what others may keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, parse_cookie

from registry.enums import Theme

# A request is what the web server hands over (PEP 3333), which Django keeps as `META`.

Environ = Mapping[str, Any]
CacheKey = tuple[str, ...]

NO_STORE: Final = "no-store"
"""The `Cache-Control` of what belongs to one person, or is not finished."""
PRIVATE: Final = "private"
"""That of what a browser may keep, and no network."""
REVALIDATED: Final = "max-age=0, must-revalidate"
"""That of what is kept and asked for again each time: a publication shows at once."""
IMMUTABLE: Final = "public, max-age=86400, immutable"
"""That of what never changes at its address, and may yet be hidden: a day (RFC 8246)."""
OUTDATED: Final = "no-cache"
"""The same of what is behind the registry: a new one may come without a line in the journal."""
PUBLIC: Final = f"public, {REVALIDATED}"
"""The same of what networks may keep too."""
MAX_SHARED_STALE_SECONDS: Final = 3_600
"""For so long at most a network gives out what it has while it cannot ask: it may be hidden now."""
SHARED_VARY: Final = ("Accept", "Accept-Encoding", "Authorization", "Cookie", "HX-Request")
"""By these a network tells answers apart, and strangers from everybody else."""

PUBLIC_PATHS: Final = re.compile(
    r"/(?:$|(?:about|accessibility|privacy|enquiries|guide|held|inspect)/"
    r"|(?:exports|api|resolve|uri-res)/"
    r"|(?:namespaces|requests|organizations|sightings|registries)[/.]"
    r"|(?:ns|robots\.txt|sitemap(?:-[0-9]{1,6})?\.xml|opensearch\.xml|site\.webmanifest|\.well-known/(?:security\.txt|api-catalog))$)"
)
"""Areas that everybody reads; what is for one person is never stored (`is_cacheable_response`)."""

PERSONAL_PATHS: Final = re.compile(r"/(?:accounts?|admin|api/v1/account)(?:/|$)")
"""Areas that hold nothing but what belongs to whoever asks."""

UNBOUNDED_PATHS: Final = ("/resolve/", "/uri-res/", "/api/reference/")
"""Here whoever asks makes up the addresses, without end."""

CREDENTIAL_HEADERS: Final = ("HTTP_AUTHORIZATION", "HTTP_PROXY_AUTHORIZATION", "REMOTE_USER")
"""By which a request may say for whom it is made, cookies aside."""
UNCACHEABLE_REQUEST_HEADERS: Final = (
    *CREDENTIAL_HEADERS,
    "HTTP_HX_REQUEST",
    "HTTP_IF_MATCH",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_RANGE",
)
"""Headers with which a request is a matter of its own."""


def describe_public_storage() -> str:
    """Return the `Cache-Control` of what everybody is answered alike, where networks give it out.

    `REGISTRY_SHARED_CACHE_SECONDS` lets a network give it out without asking for so long, and as
    long again while it asks (RFC 9111, section 5.2.2.10; RFC 5861). Browsers are told the same of
    the latter, so that what they show is behind by no more than what the network has.
    """
    seconds = settings.REGISTRY_SHARED_CACHE_SECONDS
    stale = min(settings.REGISTRY_STALE_IF_ERROR_SECONDS, MAX_SHARED_STALE_SECONDS)
    return (
        f"public, max-age=0, s-maxage={seconds}, stale-while-revalidate={seconds}, "
        f"stale-if-error={stale}"
    )


def is_cacheable_request(sent: Environ) -> bool:
    """Whether this reads something that everybody who sends the same cookies is answered alike.

    Whatever else may belong to a person has no part in the memory: nothing is looked up for it,
    and nothing that it is answered is kept.
    """
    return (
        sent["REQUEST_METHOD"] in ("GET", "HEAD")
        and PUBLIC_PATHS.match(get_environ_path(sent)) is not None
        and PERSONAL_PATHS.match(get_environ_path(sent)) is None
        and not any(header in sent for header in UNCACHEABLE_REQUEST_HEADERS)
        and has_harmless_cookies(sent)
        and is_distinguishable(sent)
    )


def is_distinguishable(sent: Environ) -> bool:
    """Whether names that differ in encoding alone can be told apart by what the server says."""
    return bool(get_raw_uri(sent)) or not get_environ_path(sent).startswith(UNBOUNDED_PATHS)


def get_raw_uri(sent: Environ) -> str:
    """Return the target as it was sent, empty where the server does not hand it over."""
    target: str = sent.get("RAW_URI") or sent.get("REQUEST_URI") or ""
    return target


def has_harmless_cookies(sent: Environ) -> bool:
    """Whether each cookie is known to say nothing of a person; no cookies are harmless.

    Cookies that are not known are never taken for harmless, since Django and we might read them
    differently: it takes blanks, quotes and doubled names that the grammar (RFC 6265, section
    4.2.1) has no room for. So the whole header has to be what a browser writes for known cookies
    with known values, and Django has to read just these in it.
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
    """Yield the name and value of each cookie that is known to say nothing of a person."""
    for theme in Theme.values:
        yield settings.THEME_COOKIE_NAME, theme
    for code, _name in settings.LANGUAGES:
        yield settings.LANGUAGE_COOKIE_NAME, code


def make_cache_key(sent: Environ) -> CacheKey:
    """Return what tells one public request from another, headers that an answer varies by left out.

    The cookies belong to it, of which few are possible (`has_harmless_cookies`), and the target
    as it was sent: the path that Django hands on is decoded, and `%2C` and `,` are different names
    (RFC 8141, section 3.1).
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
    """Whether there are addresses of this kind without end."""
    return bool(sent.get("QUERY_STRING")) or get_environ_path(sent).startswith(UNBOUNDED_PATHS)


def get_environ_path(sent: Environ) -> str:
    """Return the path, its octets as Latin-1."""
    return sent.get("PATH_INFO") or "/"


def is_personal_request(request: HttpRequest) -> bool:
    """Whether the answer may belong to a person: nobody keeps it then, not their browser either.

    It is enough that the request says for whom it is made, be it true or not. Nothing is asked
    of the database for it: without a session the person is known, with one it does not matter.
    """
    return (
        PERSONAL_PATHS.match(request.path_info) is not None
        or any(header in request.META for header in CREDENTIAL_HEADERS)
        or settings.SESSION_COOKIE_NAME in request.COOKIES
        or has_session(request)
        or is_signed_in(request)
    )


def is_anonymous_request(request: HttpRequest) -> bool:
    """Whether Django found nobody while it answered: no session, person, token or message.

    A request that was answered before anybody looked for a person is not known to be anonymous.
    """
    return (
        hasattr(request, "session")
        and hasattr(request, "user")
        and not is_personal_request(request)
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

"""Which requests may be answered from memory, and how they are told apart.

A request is what the web server hands over (PEP 3333), which Django keeps as `META`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.http import parse_cookie

from registry.choices import Theme

Sent = Mapping[str, Any]
Key = tuple[str, ...]

PUBLIC: Final = re.compile(
    r"/(?:$|(?:about|accessibility|privacy|guide|inspect|exports|api|resolve|uri-res)/"
    r"|(?:namespaces|requests|organizations|sightings|registries)[/.]"
    r"|(?:ns|robots\.txt|sitemap\.xml)$)"
)
"""Areas that everybody reads. What in them is for one person is never kept (`is_for_all`)."""

PERSONAL: Final = re.compile(r"/(?:accounts?|admin|api/v1/account)(?:/|$)")
"""Areas that hold nothing but what belongs to whoever asks."""

MANIFOLD: Final = ("/resolve/", "/uri-res/", "/api/reference/")
"""Here whoever asks makes up the addresses, without end."""

CREDENTIALS: Final = ("HTTP_AUTHORIZATION", "HTTP_PROXY_AUTHORIZATION", "REMOTE_USER")
"""By which a request may say for whom it is made, cookies aside."""
DEMANDS: Final = (*CREDENTIALS, "HTTP_HX_REQUEST", "HTTP_IF_MATCH", "HTTP_RANGE")
"""Headers with which a request is a matter of its own."""


def is_public(sent: Sent) -> bool:
    """Whether this reads something that everybody who sends the same cookies is answered alike.

    Whatever else may belong to a person has no part in the memory: nothing is looked up for it,
    and nothing that it is answered is kept.
    """
    return (
        sent["REQUEST_METHOD"] in ("GET", "HEAD")
        and PUBLIC.match(path_of(sent)) is not None
        and PERSONAL.match(path_of(sent)) is None
        and not any(header in sent for header in DEMANDS)
        and has_harmless_cookies(sent)
        and is_told_apart(sent)
    )


def is_told_apart(sent: Sent) -> bool:
    """Whether names that differ in encoding alone can be told apart by what the server says."""
    return bool(as_sent(sent)) or not path_of(sent).startswith(MANIFOLD)


def as_sent(sent: Sent) -> str:
    """Return the target as it was sent, empty where the server does not hand it over."""
    target: str = sent.get("RAW_URI") or sent.get("REQUEST_URI") or ""
    return target


def has_harmless_cookies(sent: Sent) -> bool:
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
    harmless = {f"{name}={value}" for name, value in harmless_cookies()}
    return (
        harmless.issuperset(pairs)
        and [f"{name}={value}" for name, value in parse_cookie(header).items()] == pairs
    )


def harmless_cookies() -> Iterator[tuple[str, str]]:
    """Yield the name and value of each cookie that is known to say nothing of a person."""
    for theme in Theme.values:
        yield "theme", theme
    for code, _name in settings.LANGUAGES:
        yield settings.LANGUAGE_COOKIE_NAME, code


def key_of(sent: Sent) -> Key:
    """Return what tells one public request from another, headers that an answer varies by left out.

    The cookies belong to it, of which few are possible (`has_harmless_cookies`), and the target
    as it was sent: the path that Django hands on is decoded, and `%2C` and `,` are different names
    (RFC 8141, section 3.1).
    """
    return (
        sent.get("wsgi.url_scheme", ""),
        sent.get("HTTP_X_FORWARDED_PROTO", ""),
        sent.get("HTTP_HOST") or sent.get("SERVER_NAME", ""),
        as_sent(sent),
        path_of(sent),
        sent.get("QUERY_STRING", ""),
        sent.get("HTTP_COOKIE", ""),
    )


def is_manifold(sent: Sent) -> bool:
    """Whether there are addresses of this kind without end."""
    return bool(sent.get("QUERY_STRING")) or path_of(sent).startswith(MANIFOLD)


def path_of(sent: Sent) -> str:
    """Return the path, its octets as Latin-1."""
    return sent.get("PATH_INFO") or "/"

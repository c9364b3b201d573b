"""Which requests may be answered from memory, and how they are told apart.

A request is what the web server hands over (PEP 3333), which Django keeps as `META`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

Sent = Mapping[str, Any]
Key = tuple[str, ...]

PUBLIC: Final = re.compile(
    r"/(?:$|(?:about|accessibility|privacy|guide|inspect|exports|api|resolve|uri-res)/"
    r"|(?:namespaces|requests|organizations|sightings|registries)[/.]"
    r"|(?:ns|robots\.txt|sitemap\.xml)$)"
)
"""Areas that everybody reads. What in them is for one person is never kept (`is_for_all`)."""

MANIFOLD: Final = ("/resolve/", "/uri-res/", "/api/reference/")
"""Here whoever asks makes up the addresses, without end."""

DEMANDS: Final = ("HTTP_AUTHORIZATION", "HTTP_HX_REQUEST", "HTTP_IF_MATCH", "HTTP_RANGE")
"""Headers with which a request is a matter of its own."""


def is_public(sent: Sent) -> bool:
    """Whether this reads something that everybody is answered alike."""
    return (
        sent["REQUEST_METHOD"] in ("GET", "HEAD")
        and PUBLIC.match(path_of(sent)) is not None
        and not any(header in sent for header in DEMANDS)
        and is_told_apart(sent)
    )


def is_told_apart(sent: Sent) -> bool:
    """Whether names that differ in encoding alone can be told apart by what the server says."""
    return bool(as_sent(sent)) or not path_of(sent).startswith(MANIFOLD)


def as_sent(sent: Sent) -> str:
    """Return the target as it was sent, empty where the server does not hand it over."""
    target: str = sent.get("RAW_URI") or sent.get("REQUEST_URI") or ""
    return target


def is_personal(sent: Sent) -> bool:
    """Whether the browser brings something along that pages are different for."""
    brought = sent.get("HTTP_COOKIE", "")
    return bool(brought) and any(f"{name}=" in brought for name in personal_cookies())


def personal_cookies() -> tuple[str, ...]:
    """Return the cookies that pages look at: who reads, messages to them, and their colours."""
    return settings.SESSION_COOKIE_NAME, "messages", "theme"


def key_of(sent: Sent) -> Key:
    """Return what tells one request from another, headers that an answer varies by left out.

    The target as it was sent belongs to it: the path that Django hands on is decoded, and
    `%2C` and `,` are different names (RFC 8141, section 3.1).
    """
    return (
        sent.get("wsgi.url_scheme", ""),
        sent.get("HTTP_X_FORWARDED_PROTO", ""),
        sent.get("HTTP_HOST") or sent.get("SERVER_NAME", ""),
        as_sent(sent),
        path_of(sent),
        sent.get("QUERY_STRING", ""),
    )


def is_manifold(sent: Sent) -> bool:
    """Whether there are addresses of this kind without end."""
    return bool(sent.get("QUERY_STRING")) or path_of(sent).startswith(MANIFOLD)


def path_of(sent: Sent) -> str:
    """Return the path, its octets as Latin-1."""
    return sent.get("PATH_INFO") or "/"

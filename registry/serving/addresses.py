"""Which requests may be answered from memory, and how they are told apart."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest

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


def is_public(request: HttpRequest) -> bool:
    """Whether this reads something that everybody is answered alike."""
    return (
        request.method in ("GET", "HEAD")
        and PUBLIC.match(request.path_info) is not None
        and not any(header in request.META for header in DEMANDS)
    )


def is_personal(request: HttpRequest) -> bool:
    """Whether the browser brings something along that pages are different for."""
    cookies = request.META.get("HTTP_COOKIE", "")
    return bool(cookies) and any(name in request.COOKIES for name in personal_cookies())


def personal_cookies() -> tuple[str, ...]:
    """Return the cookies that pages look at: who reads, messages to them, and their colours."""
    return settings.SESSION_COOKIE_NAME, "messages", "theme"


def key_of(request: HttpRequest) -> tuple[str, ...]:
    """Return what tells one request from another, headers that an answer varies by left out.

    The target as it was sent belongs to it: the path that Django hands on is decoded, and
    `%2C` and `,` are different names (RFC 8141, section 3.1).
    """
    sent = request.META
    return (
        request.scheme or "",
        sent.get("HTTP_HOST") or sent.get("SERVER_NAME", ""),
        sent.get("RAW_URI", ""),
        request.path_info,
        sent.get("QUERY_STRING", ""),
    )


def is_manifold(request: HttpRequest) -> bool:
    """Whether there are addresses of this kind without end."""
    return bool(request.META.get("QUERY_STRING")) or request.path_info.startswith(MANIFOLD)

"""Middleware for what every request needs, whoever answers it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase, UnreadablePostError

from registry.http.checks import UNTRUSTED_PROXY, note_forwarded_for
from registry.key_paths import KEY_PATHS

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

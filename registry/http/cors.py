"""Cross-origin access: other sites' scripts read what is public, and write with a token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.conf import settings
from django.http import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

ALLOWED_REQUEST_HEADERS: Final = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
)
EXPOSED_RESPONSE_HEADERS: Final = "ETag, Idempotency-Replayed, Link, Location, Retry-After"
PREFLIGHT_MAX_AGE: Final = "86400"


def allow_cross_origin(
    request: Request, response: HttpResponseBase, methods: Iterable[str], *, hears: bool
) -> Any:
    """Return the answer, open to scripts of every site unless it was asked for by a session.

    `hears` says whether sessions are heard at all. What lets browsers lend their cookies,
    `Access-Control-Allow-Credentials`, is never sent.
    """
    if hears:
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if is_session_request(request):
            return response
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = EXPOSED_RESPONSE_HEADERS
    if request.method == "OPTIONS":
        response["Access-Control-Allow-Methods"] = ", ".join(methods)
        response["Access-Control-Allow-Headers"] = ALLOWED_REQUEST_HEADERS
        response["Access-Control-Max-Age"] = PREFLIGHT_MAX_AGE
    return response


def is_session_request(request: Request) -> bool:
    """Whether a session came along, and no token."""
    return (
        "Authorization" not in request.headers and settings.SESSION_COOKIE_NAME in request.COOKIES
    )

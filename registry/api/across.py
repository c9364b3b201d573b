"""Scripts of other sites: they read what anybody may, and write with a token, never by a cookie."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.conf import settings
from django.http import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

HEARD: Final = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
TOLD: Final = "ETag, Idempotency-Replayed, Link, Location, Retry-After"
DAY: Final = "86400"


def readable_elsewhere(
    request: Request, response: HttpResponseBase, methods: Iterable[str], *, hears: bool
) -> Any:
    """Return the answer, open to scripts of every site unless it was asked for by a session.

    `hears` says whether sessions are heard at all. What lets browsers lend their cookies,
    `Access-Control-Allow-Credentials`, is never sent.
    """
    if hears:
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if is_by_session(request):
            return response
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = TOLD
    if request.method == "OPTIONS":
        response["Access-Control-Allow-Methods"] = ", ".join(methods)
        response["Access-Control-Allow-Headers"] = HEARD
        response["Access-Control-Max-Age"] = DAY
    return response


def is_by_session(request: Request) -> bool:
    """Whether a session came along, and no token."""
    return (
        "Authorization" not in request.headers and settings.SESSION_COOKIE_NAME in request.COOKIES
    )

"""Cross-origin access: scripts of other sites read what is public, and write with a token.

`Access-Control-Allow-Credentials`, which would let browsers send cookies, is never sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)
ALLOWED_REQUEST_HEADERS: Final = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
)
EXPOSED_RESPONSE_HEADERS: Final = (
    "Content-Location, Deprecation, ETag, Idempotency-Replayed, Link, Location, RateLimit,"
    " RateLimit-Policy, Retry-After, Sunset"
)
PREFLIGHT_MAX_AGE: Final = "86400"


def allow_any_origin(response: R) -> R:
    """Return the response, readable by any page of any site.

    The header is sent whether or not the request names an origin: one cached response is for all.
    """
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = EXPOSED_RESPONSE_HEADERS
    return response


def add_preflight_headers(response: HttpResponseBase, methods: Iterable[str]) -> None:
    """Add to a response which headers and methods scripts of other sites may use."""
    response.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
    response.headers["Access-Control-Allow-Headers"] = ALLOWED_REQUEST_HEADERS
    response.headers["Access-Control-Max-Age"] = PREFLIGHT_MAX_AGE


def open_to_all_sites(
    view: Callable[Concatenate[HttpRequest, P], R],
) -> Callable[Concatenate[HttpRequest, P], R]:
    """Let any page of any site read what a view answers."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return allow_any_origin(view(request, *args, **kwargs))

    return answered


def allow_cross_origin(
    request: Request, response: HttpResponseBase, methods: Iterable[str], *, hears: bool
) -> Any:
    """Return the response of the API, open to all sites unless the request used a session.

    `hears` says whether sessions are accepted at all.
    """
    if hears:
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if is_session_request(request):
            return response
    allow_any_origin(response)
    if request.method == "OPTIONS":
        add_preflight_headers(response, methods)
    return response


def is_session_request(request: Request) -> bool:
    """Whether the request came with a session and no token."""
    return (
        "Authorization" not in request.headers and settings.SESSION_COOKIE_NAME in request.COOKIES
    )

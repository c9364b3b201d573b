"""Conditional requests (RFC 9110, section 13): clients are not sent again what they already have.

Django decides (`get_conditional_response`), here and in the cache. This module says what is
compared, and which headers come with the response.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import parse_http_date_safe, quote_etag

Environ = Mapping[str, Any]
"""What the web server passes of a request (PEP 3333), or its headers."""
BODY_HEADERS: Final = (
    "Content-Disposition",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Type",
    "X-Accel-Redirect",
)
CACHE_CONDITIONS: Final = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")
"""The conditions by which clients say what they have; the others are for writing."""


def make_content_etag(octets: bytes, *, is_weak: bool = False, digits: int = 64) -> str:
    """Return the entity tag of something that consists of exactly these octets."""
    strong = quote_etag(hashlib.sha256(octets).hexdigest()[:digits])
    return f"W/{strong}" if is_weak else strong


def respond_conditionally(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response, or what its `ETag` and `Last-Modified` turn it into for this request."""
    answer = evaluate_conditions(request, response.headers, response)
    if answer is None or answer is response:
        return response
    for name, text in select_not_modified_headers(response.headers).items():
        answer.headers.setdefault(name, text)
    return answer


def is_not_modified(sent: Environ, headers: Mapping[str, str]) -> bool:
    """Whether the client already has what would be answered with these headers."""
    if not any(condition in sent for condition in CACHE_CONDITIONS):
        return False
    etag = headers.get("ETag")
    if etag and sent.get("HTTP_IF_NONE_MATCH") == etag:
        # This is so nearly always, and building a request for Django takes time.
        return True
    request = HttpRequest()
    request.method, request.META = "GET", dict(sent)
    answer = evaluate_conditions(request, headers)
    return answer is not None and answer.status_code == 304


def evaluate_conditions(
    request: HttpRequest, headers: Mapping[str, str], response: HttpResponseBase | None = None
) -> HttpResponseBase | None:
    """Return a 304 or a 412 if the request's conditions call for it, else `response`."""
    changed_at = parse_http_date_safe(headers.get("Last-Modified", ""))
    # Django's stubs do not count streams as responses.
    whole = cast("HttpResponse | None", response)
    return get_conditional_response(request, headers.get("ETag"), changed_at, whole)


def select_not_modified_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a 304 (RFC 9110, section 15.4.5)."""
    return {name: text for name, text in headers.items() if name not in BODY_HEADERS}

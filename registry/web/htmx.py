"""Requests by which htmx asks for part of a page, and the response to a polling page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def is_htmx_request(request: HttpRequest) -> bool:
    """Whether htmx asks, which only needs part of the page."""
    return request.headers.get("HX-Request") == "true"


def answer_polling(*, is_over: bool) -> HttpResponse:
    """Answer a polling page: 204 to keep waiting, or reload because it is over."""
    return HttpResponse(headers={"HX-Refresh": "true"}) if is_over else HttpResponse(status=204)

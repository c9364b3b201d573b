"""Requests as htmx's middleware hands them on, and the answer to a page that waits."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request that may have been made by htmx, for a part of a page."""

    htmx: HtmxDetails


def answer_polling(*, is_over: bool) -> HttpResponse:
    """Answer a page that asks whether what it waits for is over: not yet, or be loaded anew."""
    return HttpResponseClientRefresh() if is_over else HttpResponse(status=204)

"""Requests as htmx's middleware passes them on, and the response to a polling page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request that may come from htmx and ask for part of a page."""

    htmx: HtmxDetails


def answer_polling(*, is_over: bool) -> HttpResponse:
    """Answer a polling page: 204 to keep waiting, or reload because it is over."""
    return HttpResponseClientRefresh() if is_over else HttpResponse(status=204)

"""Requests as htmx's middleware hands them on."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request that may have been made by htmx, for a part of a page."""

    htmx: HtmxDetails

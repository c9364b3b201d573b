"""Leading to the one spelling of an address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.urls import reverse


def moved(request: HttpRequest, view: str, *args: object) -> HttpResponsePermanentRedirect:
    """Lead to the one spelling of an address, with its query."""
    return HttpResponsePermanentRedirect(with_query(request, reverse(view, args=args)))


def with_query(request: HttpRequest, path: str) -> str:
    """Return a path with the query that was asked."""
    query = request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path

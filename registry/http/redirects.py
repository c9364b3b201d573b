"""Redirects: their targets, and which addresses are this site's own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils.http import MAX_URL_REDIRECT_LENGTH, url_has_allowed_host_and_scheme


def is_own_path(address: str) -> bool:
    """Whether `address`, as a form names it, is an absolute path of this site.

    Anything that begins otherwise is another site, a name that means nothing as an address, or no
    address.
    """
    return (
        address.startswith("/")
        and len(address) <= MAX_URL_REDIRECT_LENGTH
        and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    )


def redirect_to_canonical(
    request: HttpRequest, view: str, *args: object
) -> HttpResponsePermanentRedirect:
    """Redirect to the one spelling of an address, with its query."""
    return HttpResponsePermanentRedirect(keep_query(request, reverse(view, args=args)))


def keep_query(request: HttpRequest, path: str) -> str:
    """Return a path with the query of the request."""
    query = request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path

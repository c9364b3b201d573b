"""Redirects: to where they lead, and which addresses are this site's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils.http import MAX_URL_REDIRECT_LENGTH, url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt, csrf_protect


def is_own_path(address: str) -> bool:
    """Whether `address`, as a form names it, is an absolute path of this site.

    What begins otherwise is another site, a name that means nothing as an address, or no address.
    """
    return (
        address.startswith("/")
        and len(address) <= MAX_URL_REDIRECT_LENGTH
        and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    )


def redirect_to_canonical(
    request: HttpRequest, view: str, *args: object
) -> HttpResponsePermanentRedirect:
    """Lead to the one spelling of an address, with its query."""
    return HttpResponsePermanentRedirect(keep_query(request, reverse(view, args=args)))


def keep_query(request: HttpRequest, path: str) -> str:
    """Return a path with the query that was asked."""
    query = request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


View = Callable[..., HttpResponse]


def trust_same_origin(view: View) -> View:
    """Have a view trust a form whose browser says that it was sent from a page of ours.

    A page that everybody is given alike has no secret in it. Browsers name the origin of each
    form that is posted, and no page can make them say another; of one that does not, the token
    is asked for, as everywhere.
    """
    checked = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def asked(request: HttpRequest, **kwargs: str) -> HttpResponse:
        return view(request, **kwargs) if is_same_origin(request) else checked(request, **kwargs)

    return asked


def is_same_origin(request: HttpRequest) -> bool:
    """Whether the browser says that a page of this site sends the form."""
    here = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") in {here, *settings.CSRF_TRUSTED_ORIGINS}

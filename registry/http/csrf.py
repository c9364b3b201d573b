"""Forms on pages that are the same for everybody: the origin shows who may post them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

View = Callable[..., HttpResponse]


def trust_same_origin(view: View) -> View:
    """Have a view trust forms whose browser says that they were sent from this site.

    A page that is the same for everybody has no secret in it. Browsers name the origin of each form
    that is posted, and no page can make them name another; if it is missing, the token is required
    as everywhere.
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

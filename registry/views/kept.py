"""What somebody typed, kept over a sign-in or a conflict: leaving loses nothing."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

KEY = "typed"
LATER = "later"
PLACES_AT_MOST = 30


def keep(request: HttpRequest, place: str, names: Iterable[str]) -> None:
    """Keep what was posted under `names` for the page at the address `place`, and only that."""
    typed = {name: request.POST[name] for name in names if name in request.POST}
    request.session[KEY] = {"place": place, "typed": typed}


def kept(request: HttpRequest, place: str) -> dict[str, str] | None:
    """Return what was kept for the page at `place`, by name, or None."""
    found = request.session.get(KEY) or {}
    return found["typed"] if found.get("place") == place else None


def forget(request: HttpRequest, place: str) -> None:
    """Keep it no longer: it has been saved, or is on the page again."""
    if kept(request, place) is not None:
        del request.session[KEY]


def keep_and_sign_in(request: HttpRequest, names: Iterable[str]) -> HttpResponse:
    """Keep what was posted, and lead to the sign-in page and from there back to this one."""
    keep(request, request.path, names)
    messages.info(request, _("Sign in or make an account to go on. What you typed is kept."))
    response: HttpResponse = redirect_to_login(request.path)
    return response


def set_aside(request: HttpRequest, names: Iterable[str]) -> None:
    """Keep what was posted to this page until it is acted on, or the person signs out."""
    typed = {name: request.POST[name] for name in names if name in request.POST}
    others = [each for each in set_aside_before(request).items() if each[0] != request.path]
    request.session[LATER] = dict([*others[1 - PLACES_AT_MOST :], (request.path, typed)])


def set_aside_before(request: HttpRequest) -> dict[str, dict[str, str]]:
    """Return what was set aside, by the address of its page."""
    found: dict[str, dict[str, str]] = request.session.get(LATER) or {}
    return found


def take_up(request: HttpRequest) -> None:
    """Set aside no longer what was typed on this page: it has been acted on."""
    if request.path in set_aside_before(request):
        rest = {k: v for k, v in set_aside_before(request).items() if k != request.path}
        request.session[LATER] = rest

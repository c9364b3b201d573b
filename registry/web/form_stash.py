"""What somebody typed, kept during a sign-in or a conflict so that none of it is lost."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

STASH_SESSION_KEY = "typed"
LATER_SESSION_KEY = "later"
MAX_STASHED_PAGES = 30


def stash_form(request: HttpRequest, place: str, names: Iterable[str]) -> None:
    """Keep the fields `names` of the posted form, and only those, for the page at `place`."""
    typed = {name: request.POST[name] for name in names if name in request.POST}
    request.session[STASH_SESSION_KEY] = {"place": place, "typed": typed}


def read_stashed_form(request: HttpRequest, place: str) -> dict[str, str] | None:
    """Return what was kept for the page at `place`, by field name, or None."""
    found = request.session.get(STASH_SESSION_KEY) or {}
    return found["typed"] if found.get("place") == place else None


def clear_stashed_form(request: HttpRequest, place: str) -> None:
    """Drop what was kept: it has been saved, or is on the page again."""
    if read_stashed_form(request, place) is not None:
        del request.session[STASH_SESSION_KEY]


def stash_and_sign_in(request: HttpRequest, names: Iterable[str]) -> HttpResponse:
    """Keep what was posted, and send the person to sign in and then back to this page."""
    stash_form(request, request.path, names)
    messages.info(request, _("Sign in or make an account to go on. What you typed is kept."))
    response: HttpResponse = redirect_to_login(request.path)
    return response


def stash_for_later(request: HttpRequest, names: Iterable[str]) -> None:
    """Keep what was posted to this page until it is used or the person signs out."""
    typed = {name: request.POST[name] for name in names if name in request.POST}
    others = [each for each in read_stashed_for_later(request).items() if each[0] != request.path]
    request.session[LATER_SESSION_KEY] = dict(
        [*others[1 - MAX_STASHED_PAGES :], (request.path, typed)]
    )


def read_stashed_for_later(request: HttpRequest) -> dict[str, dict[str, str]]:
    """Return what was set aside, by the address of its page."""
    found: dict[str, dict[str, str]] = request.session.get(LATER_SESSION_KEY) or {}
    return found


def clear_stashed_for_later(request: HttpRequest) -> None:
    """Drop what was set aside for this page: it has been used."""
    if request.path in read_stashed_for_later(request):
        rest = {k: v for k, v in read_stashed_for_later(request).items() if k != request.path}
        request.session[LATER_SESSION_KEY] = rest

"""Error pages."""

from __future__ import annotations

import logging
import re
import secrets
import sys
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from registry import permissions, selectors
from registry.database import (
    cache_outage,
    is_cache_unavailable,
    is_database_unavailable,
    is_lock_error,
    is_read_only,
    is_writing_refused,
    lock_outage,
    outage,
)
from registry.forms.filters import MAX_SEARCH_LENGTH, inspect_url
from registry.http.formats import find_ending
from registry.http.problems import build_refusal
from registry.models import User
from registry.replicas import replicas
from registry.urn import nid as nids
from registry.urn.syntax import NID

logger = logging.getLogger(__name__)

MEANT_PAGES: Final = {"search": "home:find", "help": "guide:index"}
LOCKED_RETRY_SECONDS: Final = 5
OUTAGE_RETRY_SECONDS: Final = 30
"""Seconds after which to try again."""


def show_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that the browser sent something the site cannot read."""
    ending = find_error_ending(request)
    if ending:
        return build_refusal(ending, 400, _("Something in the request cannot be read."))
    return render(request, "400.html", status=400)


def show_forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say who may do what was requested, if the exception tells."""
    person = getattr(request, "user", None)
    missing = permissions.explain_missing_factor(person) if isinstance(person, User) else ""
    return render(request, "403.html", {"reason": missing or str(exception)}, status=403)


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Lead to what somebody meant by an address that is none of ours, or offer to look it up."""
    ending = find_ending(request.path)
    if ending:
        return build_refusal(ending, 404, _("There is nothing at this address."))
    words = ""
    if request.method in ("GET", "HEAD") and request.resolver_match is None:
        if address := find_meant_address(request):
            return redirect(address)
        words = " ".join(re.split(r"[/\s_-]+", request.path)).strip()
    return render(request, "404.html", {"words": words[:MAX_SEARCH_LENGTH]}, status=404)


def find_meant_address(request: HttpRequest) -> str:
    """Return where `/isbn`, `/urn:…`, `/search` or `/help` lead; empty for other addresses."""
    word = request.path.strip("/")
    query = request.META["QUERY_STRING"]
    if word[:4].lower() == "urn:":
        return inspect_url(f"{word}?{query}" if query else word)
    if page := MEANT_PAGES.get(word.lower()):
        return f"{reverse(page)}?{query}" if query else reverse(page)
    if re.fullmatch(NID, word) and (namespace := selectors.find_namespace(nids.canonical(word))):
        return namespace.get_absolute_url()
    return ""


def show_server_error(request: HttpRequest) -> HttpResponse:
    """Say that the error is ours, with a number that is also in the log.

    Django calls this view for every error, so it checks for temporary ones itself.
    """
    error = sys.exc_info()[1]
    if error is not None and is_lock_error(error):
        lock_outage.record_error(error)
        return show_unavailable(request, LOCKED_RETRY_SECONDS)
    if error is not None and is_database_unavailable(error):
        outage.record_error(error)
        return show_unavailable(request, OUTAGE_RETRY_SECONDS, explain_refused_writing(error))
    if error is not None and is_cache_unavailable(error):
        cache_outage.record_error(error)
        return show_unavailable(request, OUTAGE_RETRY_SECONDS)
    number = secrets.token_hex(4)
    # Django logs the error itself, which reports of it are made from, and passes the request on.
    vars(request)["error_number"] = number
    logger.warning("Error %s at %s", number, request.path)
    ending = find_error_ending(request)
    if ending:
        words = _("Something broke on our side. Its number in the log is %(number)s.") % {
            "number": number
        }
        return build_refusal(ending, 500, words)
    return render(request, "500.html", {"number": number}, status=500)


def explain_refused_writing(error: BaseException) -> str:
    """Return why nothing can be written while reading works; empty if that is not the case."""
    if is_read_only(error):
        return _("You cannot save changes at the moment: this server has a read-only copy.")
    if is_writing_refused(error):
        return _("You cannot save changes at the moment.")
    if replicas.is_any_answering():
        return _(
            "You cannot save changes at the moment: the server that stores them cannot be reached."
        )
    return ""


def show_unavailable(request: HttpRequest, seconds: int, refused_writing: str = "") -> HttpResponse:
    """Say that the outage is temporary, and when to try again (RFC 9110, section 10.2.3).

    `refused_writing` says why nothing can be written while everyone can still read.
    """
    ending = find_error_ending(request)
    if ending:
        why = refused_writing or _("The registry cannot be reached just now.")
        words = _("%(why)s Nothing was saved. Ask again later.") % {"why": why}
        response = build_refusal(ending, 503, words)
    else:
        context = {"is_writing": request.method == "POST", "refused_writing": refused_writing}
        response = render(request, "503.html", context, status=503)
    response.headers["Retry-After"] = str(seconds)
    return response


def find_error_ending(request: HttpRequest) -> str:
    """Return the format in which to report an error, empty for a page."""
    return "json" if request.path.startswith("/api/v1/") else find_ending(request.path)


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form was too old, and that going back keeps what was typed."""
    return render(request, "403.html", {"stale_form": True}, status=403)

"""Pages for what cannot be answered."""

from __future__ import annotations

import logging
import secrets
import sys
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from registry.database import (
    is_database_unavailable,
    is_lock_error,
    outage,
)
from registry.http.formats import find_ending
from registry.http.problems import build_refusal

logger = logging.getLogger(__name__)

LOCKED_RETRY_SECONDS: Final = 5
OUTAGE_RETRY_SECONDS: Final = 30
"""Seconds after which to ask again."""


def show_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that the browser sent something the site cannot read."""
    ending = find_error_ending(request)
    if ending:
        return build_refusal(ending, 400, _("Something in the request cannot be read."))
    return render(request, "400.html", status=400)


def show_forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say who may do what was asked, as far as the exception tells."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that there is nothing at this address."""
    ending = find_ending(request.path)
    if ending:
        return build_refusal(ending, 404, _("There is nothing at this address."))
    return render(request, "404.html", status=404)


def show_server_error(request: HttpRequest) -> HttpResponse:
    """Say that the fault is ours, with a number that also stands in the log.

    Django has this view answer for every error, so that it looks itself for those that pass.
    """
    error = sys.exc_info()[1]
    if is_lock_error(error):
        logger.warning("The database was locked for too long: %s %s", request.method, request.path)
        return show_unavailable(request, LOCKED_RETRY_SECONDS)
    if error is not None and is_database_unavailable(error):
        outage.record_error(error)
        return show_unavailable(request, OUTAGE_RETRY_SECONDS)
    number = secrets.token_hex(4)
    logger.error("Error %s at %s", number, request.path)
    ending = find_error_ending(request)
    if ending:
        words = _("The fault is ours. Its number in the log is %(number)s.") % {"number": number}
        return build_refusal(ending, 500, words)
    return render(request, "500.html", {"number": number}, status=500)


def show_unavailable(request: HttpRequest, seconds: int) -> HttpResponse:
    """Say that it will pass, and when to ask again (RFC 9110, section 10.2.3)."""
    ending = find_error_ending(request)
    if ending:
        words = _("The registry cannot be reached just now. Nothing was saved. Ask again later.")
        response = build_refusal(ending, 503, words)
    else:
        response = render(request, "503.html", {"is_writing": request.method == "POST"}, status=503)
    response.headers["Retry-After"] = str(seconds)
    return response


def find_error_ending(request: HttpRequest) -> str:
    """Return the form in which an error is told, empty for a page."""
    return "json" if request.path.startswith("/api/v1/") else find_ending(request.path)


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form was too old, and that going back keeps what was typed."""
    return render(request, "403.html", {"stale_form": True}, status=403)

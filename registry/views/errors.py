"""Pages for what cannot be answered."""

from __future__ import annotations

import logging
import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from registry.views.refusing import ending_of, refusal

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that the browser sent something the site cannot read."""
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say who may do what was asked, as far as the exception tells."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that there is nothing at this address."""
    ending = ending_of(request.path)
    if ending:
        return refusal(ending, 404, _("There is nothing at this address."))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that the fault is ours, with a number that also stands in the log."""
    number = secrets.token_hex(4)
    logger.error("Error %s at %s", number, request.path)
    ending = "json" if request.path.startswith("/api/v1/") else ending_of(request.path)
    if ending:
        words = _("The fault is ours. Its number in the log is %(number)s.") % {"number": number}
        return refusal(ending, 500, words)
    return render(request, "500.html", {"number": number}, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form was too old, and that going back keeps what was typed."""
    return render(request, "403.html", {"stale_form": True}, status=403)

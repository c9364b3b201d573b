"""Pages that say of entries of the transparency log whether they are proved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.http.cache_policy import OUTDATED
from registry.selectors.transparency_log import LoggedEntry


def render_with_proofs(
    request: HttpRequest, template: str, context: Mapping[str, Any], entries: Iterable[LoggedEntry]
) -> HttpResponse:
    """Render a page that names entries of the log.

    While one waits for the next head our memory has no part in it: the head comes without a line
    of the journal, by which alone what is kept there is made anew.
    """
    response = render(request, template, dict(context))
    if any(entry.is_awaited for entry in entries):
        response["Cache-Control"] = OUTDATED
    return response

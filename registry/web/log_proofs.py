"""Pages that say whether entries of the transparency log are proved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.http.cache import OUTDATED
from registry.selectors.transparency_log import LoggedEntry


def render_with_proofs(
    request: HttpRequest, template: str, context: Mapping[str, Any], entries: Iterable[LoggedEntry]
) -> HttpResponse:
    """Render a page that names entries of the log.

    While an entry waits for the next head, the page is not cached: a new head adds nothing to the
    journal, and only the journal invalidates our cache.
    """
    response = render(request, template, dict(context))
    if any(entry.is_awaited for entry in entries):
        response["Cache-Control"] = OUTDATED
    return response

"""The transparency log: its files, and its entries as pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry.forms.transparency_log import EarlierHeadForm
from registry.http.cache import FOR_EVER, PRIVATE, PUBLIC
from registry.http.cors import open_to_all_sites
from registry.http.methods import require_reading
from registry.journal.log_worker import KEY_PATH
from registry.journal.openness import journal_lines
from registry.models import Event
from registry.selectors.transparency_log import (
    PublishedHead,
    compare_earlier_head,
    find_published_head,
    find_published_key,
    is_signed_for_development,
    prove_entry,
    read_log_file,
)
from registry.transparency.errors import MalformedText
from registry.transparency.proof_files import MEDIA_TYPE
from registry.transparency.tiles import CHECKPOINT_PATH, parse_tile_path

OCTETS_MEDIA_TYPE: Final = "application/octet-stream"
FOR_SECONDS: Final = "public, max-age=5"


@require_reading
@open_to_all_sites
def serve_checkpoint(request: HttpRequest) -> HttpResponse:
    return serve_file(CHECKPOINT_PATH, MEDIA_TYPE, FOR_SECONDS)


@require_reading
@open_to_all_sites
def serve_key(request: HttpRequest) -> HttpResponse:
    """Serve the key that verifies the head."""
    return serve_file(KEY_PATH, MEDIA_TYPE, FOR_SECONDS)


@require_reading
@open_to_all_sites
def serve_tile(request: HttpRequest, path: str) -> HttpResponse:
    """Serve a tile or a bundle of entries; only addresses of these lead to files."""
    try:
        parse_tile_path(path)
    except MalformedText as error:
        raise Http404(str(error)) from None
    return serve_file(path, OCTETS_MEDIA_TYPE, FOR_EVER)


def serve_file(path: str, media_type: str, keep: str) -> HttpResponse:
    """Serve a file of the log; raise `Http404` if it does not exist."""
    octets = read_log_file(path)
    if octets is None:
        raise Http404(_("The log does not have this file."))
    return HttpResponse(octets, headers={"Content-Type": media_type, "Cache-Control": keep})


@require_reading
@open_to_all_sites
def serve_proof(request: HttpRequest, number: int) -> HttpResponse:
    """Serve the proof of an entry for people to keep."""
    published = find_published_head()
    proof = prove_entry(published, number) if published else None
    if proof is None:
        raise Http404(_("The head of the log does not have this entry yet."))
    headers = {
        "Content-Type": MEDIA_TYPE,
        "Content-Disposition": f'attachment; filename="entry-{number}.tlog-proof"',
        # A later head makes another proof, but this one remains as good.
        "Cache-Control": FOR_EVER,
    }
    return HttpResponse(str(proof), headers=headers)


@require_safe
def show_log(request: HttpRequest) -> HttpResponse:
    """Explain the log and how to verify it."""
    published = find_published_head()
    context = {
        "published": published,
        "key": find_published_key(),
        "is_development": published and is_signed_for_development(published),
    }
    return render_log_page(request, "log/index.html", context)


@require_safe
def show_consistency(request: HttpRequest) -> HttpResponse:
    """Compare a head that somebody kept with the log as it is now."""
    published = find_published_head()
    form = EarlierHeadForm(request.GET if "head" in request.GET else None)
    answer = None
    if form.is_valid() and published:
        answer = compare_earlier_head(form.cleaned_data["head"], published)
    context = {
        "form": form,
        "answer": answer,
        "published": published,
        "key": find_published_key(),
    }
    return render_log_page(
        request, "log/consistency.html", context, status=400 if form.errors else 200
    )


@require_safe
def show_entry(request: HttpRequest, number: int) -> HttpResponse:
    """Show an entry, what it is about, and how it is proved."""
    published = find_published_head()
    event = journal_lines().filter(number=number).first()
    entry = find_entry(published, event, number)
    if entry is None:
        raise Http404(_("The log has no such entry."))
    context = {
        "number": number,
        "event": event if event and event.is_open else None,
        "entry": json.dumps(json.loads(entry), indent=2, ensure_ascii=False),
        "published": published,
        "is_proved": bool(published and published.has_entry(number)),
        "key": find_published_key(),
    }
    return render_log_page(request, "log/entry.html", context)


def render_log_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """Render a public page that a new head changes without an event in the journal.

    Our own cache, which only events invalidate, does not keep it; other caches revalidate each
    time.
    """
    response = render(request, template, context, status=status)
    response["Cache-Control"] = PRIVATE if request.COOKIES else PUBLIC
    return response


def find_entry(published: PublishedHead | None, event: Event | None, number: int) -> str | None:
    """Return an entry as published, or as it will be within a minute."""
    if published and (proof := prove_entry(published, number)):
        return proof.extra.decode()
    return event.entry if event else None

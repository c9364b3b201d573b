"""URNs and other URIs found and marked in a pasted text; nothing is stored."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from registry import inspection, rate_limits
from registry.forms.inspect import FindForm
from registry.inspection import FoundPiece
from registry.web.inspect.views import list_inspect_tabs

MAX_FOUND_SHOWN: Final = 500
MAX_CHARACTERS_SHOWN: Final = 200_000
"""Longest text that is searched and drawn; programs can have any length searched."""


# This only answers and changes nothing, so another site has nothing to forge.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def show_found(request: HttpRequest) -> HttpResponse:
    """Ask for a text, and mark the URNs and other URIs in the one submitted."""
    if request.method != "POST":
        return render_found(request, FindForm())
    try:
        form = FindForm(request.POST)
    except RequestDataTooBig:
        return render_found(request, FindForm(), is_too_long=True, status=413)
    if not form.is_valid():
        return render_found(request, form, status=413 if form.is_too_large else 200)
    wait = rate_limits.begin_check(request.META, request.user.pk)
    if wait is not None:
        words = _(
            "You sent too many texts in a minute. Send this one again in %(seconds)d seconds."
        )
        form.add_error(None, words % {"seconds": wait})
        response = render_found(request, form, status=429)
        response["Retry-After"] = str(wait)
        return response
    text: str = form.cleaned_data["text"]
    shown = text if len(text) <= MAX_CHARACTERS_SHOWN else cut_text(text)
    pieces = inspection.split_at_uris(shown, MAX_FOUND_SHOWN, inspection.read_registered_nids())
    return render_found(request, form, pieces, is_cut=shown != text)


def cut_text(text: str) -> str:
    """Return the beginning of a long text, cut between two words."""
    beginning = text[:MAX_CHARACTERS_SHOWN]
    return beginning.rsplit(maxsplit=1)[0] if len(beginning.split(maxsplit=1)) > 1 else beginning


def render_found(
    request: HttpRequest,
    form: FindForm,
    pieces: tuple[FoundPiece, ...] | None = None,
    *,
    is_cut: bool = False,
    is_too_long: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Draw the page around the form, with the text and what was found in it, if any."""
    found = [piece for piece in pieces or () if piece.found]
    context = {
        "form": form,
        "pieces": pieces,
        "found": found,
        "urns": sum(piece.found.is_urn for piece in found if piece.found),
        "is_cut": is_cut or len(found) == MAX_FOUND_SHOWN,
        "is_too_long": is_too_long,
        "tabs": list_inspect_tabs("find"),
    }
    return render(request, "inspect/find.html", context, status=status)

"""Writing a change of facts: one page, and nothing that was typed is ever lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.choices import SMALL_CHANGES
from registry.forms.facts import FIELDS, FactsForm
from registry.models import RegistrationRequest, Round, User
from registry.pages.facts import LABELS, WRITING, Asked, Fact, differences
from registry.pages.surroundings import asked_for
from registry.views.editing import draft_of, written_by
from registry.views.htmx import HtmxRequest
from registry.views.kept import forget, keep, keep_and_sign_in, kept
from registry.views.rescue import is_autosave
from registry.workflow import Superseded

TYPED = ("seen", *(name for names in FIELDS.values() for name in names))


@require_http_methods(["GET", "POST"])
def edit(request: HtmxRequest, reference: str) -> HttpResponse:
    """Show what a change of facts asks for, and write it."""
    if not isinstance(request.user, User):
        return signed_out(request)
    written = written_by(request.user).filter(change__in=SMALL_CHANGES)
    registration_request = get_object_or_404(written, reference=reference.upper())
    draft = draft_of(registration_request)
    if draft is None:
        return closed(request, registration_request)
    form = form_of(request, draft)
    if request.htmx:
        return render(request, "requests/edit_facts_beside.html", around(form))
    if "theirs" in request.POST:
        forget(request, request.path)
        return redirect(request.path)
    if not form.is_bound or "by_hand" in request.POST or not form.is_valid():
        return show(request, form)
    return save(request, form) if request.method == "POST" else put_back(request, form)


def signed_out(request: HtmxRequest) -> HttpResponse:
    """Keep what was typed and lead to the sign-in page."""
    if is_autosave(request):
        return JsonResponse({"message": _("You were signed out.")}, status=401)
    return keep_and_sign_in(request, TYPED)


def form_of(request: HtmxRequest, draft: Round) -> FactsForm:
    """Return the form with what was posted, or kept from before, or stands in the draft."""
    typed: Mapping[str, Any] | None = kept(request, request.path)
    if request.method == "POST":
        posted = request.POST.copy()
        if "by_hand" in posted:
            posted["seen"] = str(draft.edition)
        typed = posted
    return FactsForm(typed, draft=draft)


def around(form: FactsForm) -> dict[str, Any]:
    """Return what stands beside the form, by what is typed in it now."""
    registration_request = form.draft.registration_request
    return {
        "registration_request": registration_request,
        "form": form,
        "asked": Asked(registration_request, form.facts_typed),
    }


def show(request: HtmxRequest, form: FactsForm) -> HttpResponse:
    """Show the page; where it saves itself, say what keeps it from being saved."""
    if is_autosave(request):
        wrong = [str(error) for errors in form.errors.values() for error in errors]
        return JsonResponse({"message": " ".join(wrong)}, status=422)
    registration_request = form.draft.registration_request
    context = around(form) | {
        "draft": form.draft,
        "last_round": registration_request.last_round,
        "asked_for": asked_for(registration_request),
        "is_kept": request.method == "GET" and form.is_bound,
        "nav_current": "mine",
    }
    return render(request, "requests/edit_facts.html", context)


def put_back(request: HtmxRequest, form: FactsForm) -> HttpResponse:
    """Show what was kept: as it was typed, or beside what was saved meanwhile."""
    if form.is_overtaken and form.facts != form.draft.facts:
        return conflict(request, form)
    return show(request, form)


def save(request: HtmxRequest, form: FactsForm) -> HttpResponse:
    """Save the valid form, and go where the button said."""
    try:
        draft = form.save()
    except Superseded:
        form.draft.refresh_from_db()
        return conflict(request, form)
    forget(request, request.path)
    if is_autosave(request):
        return JsonResponse({"saved_at": f"{draft.saved_at:%H:%M}", "seen": draft.edition})
    slug = draft.registration_request.slug
    if request.POST.get("go") == "next":
        return redirect("requests:send", slug)
    return redirect("requests:facts", slug)


def conflict(request: HtmxRequest, form: FactsForm) -> HttpResponse:
    """Show both: what was saved meanwhile, and what was typed."""
    if is_autosave(request):
        keep(request, request.path, TYPED)
        return JsonResponse({"compare": request.path}, status=409)
    typed = {name: form[name].value() for name in form.fields} | {"seen": form.draft.edition}
    context = {
        "registration_request": form.draft.registration_request,
        "form": FactsForm(typed, draft=form.draft),
        "page": WRITING,
        "draft": form.draft,
        "go": request.POST.get("go", ""),
        "differences": differences(form.draft.facts, form.facts),
        "nav_current": "mine",
    }
    return render(request, "requests/conflict.html", context, status=409)


def closed(request: HtmxRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Say that nothing can be written now, and give back what was typed."""
    if request.method == "GET":
        state = registration_request.get_state_display()
        messages.info(
            request,
            _("Nothing can be changed in it now: the request is in the state “%(state)s”.")
            % {"state": state},
        )
        return redirect(registration_request)
    if is_autosave(request):
        return JsonResponse({"compare": registration_request.get_absolute_url()}, status=409)
    names = FIELDS[registration_request.change]
    typed = [
        (Fact(name, LABELS[name]), request.POST[name]) for name in names if request.POST.get(name)
    ]
    context = {"registration_request": registration_request, "typed": typed}
    return render(request, "requests/closed.html", context, status=409)

"""Writing a change of facts: a single page, on which typed text is never lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry.enums import SMALL_CHANGES
from registry.forms.draft import FACT_FIELDS, FactsForm
from registry.models import RegistrationRequest, Round, User
from registry.presenters.facts import (
    FACT_LABELS,
    FACTS_PAGE,
    FactField,
    RequestedFacts,
    diff_fact_sections,
)
from registry.selectors.case import open_case
from registry.selectors.events import find_last_change_request
from registry.selectors.shown_states import find_shown_state
from registry.web.form_stash import (
    clear_stashed_form,
    read_stashed_form,
    stash_and_sign_in,
    stash_form,
)
from registry.web.htmx import is_htmx_request
from registry.web.requests.editor import (
    find_editable_draft,
    is_autosave_request,
    list_requests_to_edit,
)
from registry.workflow import ConcurrentChange

STASHED_FACT_FIELDS = ("seen", *(name for names in FACT_FIELDS.values() for name in names))


@require_http_methods(["GET", "POST"])
def edit_facts(request: HttpRequest, reference: str) -> HttpResponse:
    """Show what a change of facts asks for, and save it."""
    if not isinstance(request.user, User):
        return stash_facts_and_sign_in(request)
    written = list_requests_to_edit(request.user).filter(change__in=SMALL_CHANGES)
    registration_request = get_object_or_404(written, reference=reference.upper())
    draft = find_editable_draft(registration_request)
    if draft is None:
        return show_facts_closed(request, registration_request)
    form = build_facts_form(request, draft)
    if is_htmx_request(request):
        return render(request, "requests/edit_facts_beside.html", build_facts_context(form))
    if "theirs" in request.POST:
        clear_stashed_form(request, request.path)
        return redirect(request.path)
    if not form.is_bound or "by_hand" in request.POST or not form.is_valid():
        return render_facts(request, form)
    return (
        save_facts_page(request, form)
        if request.method == "POST"
        else restore_stashed_facts(request, form)
    )


def stash_facts_and_sign_in(request: HttpRequest) -> HttpResponse:
    """Keep what was typed and redirect to the sign-in page."""
    if is_autosave_request(request):
        return JsonResponse({"message": _("You were signed out.")}, status=401)
    return stash_and_sign_in(request, STASHED_FACT_FIELDS)


def build_facts_form(request: HttpRequest, draft: Round) -> FactsForm:
    """Return the form with what was posted, kept from before, or saved in the draft."""
    typed: Mapping[str, Any] | None = read_stashed_form(request, request.path)
    if request.method == "POST":
        posted = request.POST.copy()
        if "by_hand" in posted:
            posted["seen"] = str(draft.edition)
        typed = posted
    return FactsForm(typed, draft=draft)


def build_facts_context(form: FactsForm) -> dict[str, Any]:
    """Return what surrounds the form, based on what is typed in it now."""
    registration_request = form.draft.registration_request
    return {
        "registration_request": registration_request,
        "form": form,
        "asked": RequestedFacts(registration_request, form.facts_typed),
    }


def render_facts(request: HttpRequest, form: FactsForm) -> HttpResponse:
    """Show the page; if it saves itself, say what prevents saving."""
    if is_autosave_request(request):
        wrong = [str(error) for errors in form.errors.values() for error in errors]
        return JsonResponse({"message": " ".join(wrong)}, status=422)
    registration_request = form.draft.registration_request
    context = build_facts_context(form) | {
        "draft": form.draft,
        "last_round": registration_request.last_round,
        "asked_for": find_last_change_request(registration_request),
        "is_kept": request.method == "GET" and form.is_bound,
        "nav_current": "mine",
    }
    return render(request, "requests/edit_facts.html", context)


def restore_stashed_facts(request: HttpRequest, form: FactsForm) -> HttpResponse:
    """Show what was kept: as it was typed, or next to what was saved meanwhile."""
    if form.is_overtaken and form.facts != form.draft.facts:
        return show_facts_conflict(request, form)
    return render_facts(request, form)


def save_facts_page(request: HttpRequest, form: FactsForm) -> HttpResponse:
    """Save the valid form, and go where the button said."""
    try:
        draft = form.save()
    except ConcurrentChange:
        form.draft.refresh_from_db()
        return show_facts_conflict(request, form)
    clear_stashed_form(request, request.path)
    if is_autosave_request(request):
        return JsonResponse({"saved_at": f"{draft.saved_at:%H:%M}", "seen": draft.edition})
    slug = draft.registration_request.slug
    if request.POST.get("go") == "next":
        return redirect("requests:send", slug)
    return redirect("requests:facts", slug)


def show_facts_conflict(request: HttpRequest, form: FactsForm) -> HttpResponse:
    """Show both: what was saved meanwhile, and what was typed."""
    if is_autosave_request(request):
        stash_form(request, request.path, STASHED_FACT_FIELDS)
        return JsonResponse({"compare": request.path}, status=409)
    typed = {name: form[name].value() for name in form.fields} | {"seen": form.draft.edition}
    context = {
        "registration_request": form.draft.registration_request,
        "form": FactsForm(typed, draft=form.draft),
        "page": FACTS_PAGE,
        "draft": form.draft,
        "go": request.POST.get("go", ""),
        "differences": diff_fact_sections(form.draft.facts, form.facts),
        "nav_current": "mine",
    }
    return render(request, "requests/conflict.html", context, status=409)


def show_facts_closed(
    request: HttpRequest, registration_request: RegistrationRequest
) -> HttpResponse:
    """Say that nothing can be edited now, and show what was typed."""
    if request.method == "GET":
        state = find_shown_state(open_case(registration_request))
        messages.info(
            request,
            _("It cannot be changed now: the request is in the state “%(state)s”.")
            % {"state": state},
        )
        return redirect(registration_request)
    if is_autosave_request(request):
        return JsonResponse({"compare": registration_request.get_absolute_url()}, status=409)
    names = FACT_FIELDS[registration_request.change]
    typed = [
        (FactField(name, FACT_LABELS[name]), request.POST[name])
        for name in names
        if request.POST.get(name)
    ]
    context = {"registration_request": registration_request, "typed": typed}
    return render(request, "requests/closed.html", context, status=409)

"""Where a page of the draft cannot be saved: nothing that was typed is lost for it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from registry import selectors
from registry.forms.draft import DraftSnapshot, EditorForm
from registry.forms.remarks import (
    find_answer_fields,
    find_answered_numbers,
    get_answer_prefix,
)
from registry.models import RegistrationRequest
from registry.template import Page, diff, field
from registry.web.form_stash import stash_and_sign_in, stash_form
from registry.web.htmx import HtmxRequest


def is_autosave_request(request: HtmxRequest) -> bool:
    """Whether the page saves itself, and wants to be told in data."""
    return "X-Autosave" in request.headers


def stash_draft_and_sign_in(request: HtmxRequest, page: Page) -> HttpResponse:
    """Keep what was typed and lead to the sign-in page."""
    if is_autosave_request(request):
        return JsonResponse({"message": _("You were signed out.")}, status=401)
    return stash_and_sign_in(request, ["seen", *page.fields, *find_answer_fields(request.POST)])


def show_draft_closed(
    request: HtmxRequest, registration_request: RegistrationRequest, page: Page
) -> HttpResponse:
    """Say that the text cannot be written now, and give back what was typed."""
    if request.method == "GET":
        state = registration_request.get_state_display()
        messages.info(
            request,
            _("The text cannot be edited now: the request is in the state “%(state)s”.")
            % {"state": state},
        )
        return redirect(registration_request)
    if is_autosave_request(request):
        return JsonResponse({"compare": registration_request.get_absolute_url()}, status=409)
    typed = [(field(name), request.POST[name]) for name in page.fields if request.POST.get(name)]
    answers = [
        (number, text)
        for number in sorted(find_answered_numbers(request.POST))
        if (text := request.POST.get(f"{get_answer_prefix(number)}-text"))
    ]
    context = {"registration_request": registration_request, "typed": typed, "answers": answers}
    return render(request, "requests/closed.html", context, status=409)


def show_draft_conflict(request: HtmxRequest, form: EditorForm) -> HttpResponse:
    """Show both texts: the one that was saved meanwhile, and the one that was typed."""
    if is_autosave_request(request):
        stash_form(request, request.path, ["seen", *form.page.fields])
        return JsonResponse({"compare": request.path}, status=409)
    now = DraftSnapshot.of(form.draft, form.page)
    typed = {name: form[name].value() for name in form.fields} | {"seen": str(now)}
    context = selectors.build_check_context(form.draft.registration_request)
    mine = EditorForm(typed, page=form.page, draft=form.draft, context=context)
    return render(
        request,
        "requests/conflict.html",
        {
            "registration_request": form.draft.registration_request,
            "form": mine,
            "page": form.page,
            "draft": form.draft,
            "go": request.POST.get("go", ""),
            "answers": [(name, request.POST[name]) for name in find_answer_fields(request.POST)],
            "differences": diff(form.draft.template, form.text_typed),
            "nav_current": "mine",
        },
        status=409,
    )

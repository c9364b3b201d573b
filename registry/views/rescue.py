"""Where a page of the draft cannot be saved: nothing that was typed is lost for it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from registry import queries
from registry.forms.editor import EditorForm, Seen
from registry.forms.remarks import answer_fields, numbers_answered, prefix_of
from registry.models import RegistrationRequest
from registry.template import Page, diff, field
from registry.views.htmx import HtmxRequest
from registry.views.kept import keep, keep_and_sign_in


def is_autosave(request: HtmxRequest) -> bool:
    """Whether the page saves itself, and wants to be told in data."""
    return "X-Autosave" in request.headers


def signed_out(request: HtmxRequest, page: Page) -> HttpResponse:
    """Keep what was typed and lead to the sign-in page."""
    if is_autosave(request):
        return JsonResponse({"message": _("You were signed out.")}, status=401)
    return keep_and_sign_in(request, ["seen", *page.fields, *answer_fields(request.POST)])


def closed(
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
    if is_autosave(request):
        return JsonResponse({"compare": registration_request.get_absolute_url()}, status=409)
    typed = [(field(name), request.POST[name]) for name in page.fields if request.POST.get(name)]
    answers = [
        (number, text)
        for number in sorted(numbers_answered(request.POST))
        if (text := request.POST.get(f"{prefix_of(number)}-text"))
    ]
    context = {"registration_request": registration_request, "typed": typed, "answers": answers}
    return render(request, "requests/closed.html", context, status=409)


def conflict(request: HtmxRequest, form: EditorForm) -> HttpResponse:
    """Show both texts: the one that was saved meanwhile, and the one that was typed."""
    if is_autosave(request):
        keep(request, request.path, ["seen", *form.page.fields])
        return JsonResponse({"compare": request.path}, status=409)
    now = Seen.of(form.draft, form.page)
    typed = {name: form[name].value() for name in form.fields} | {"seen": str(now)}
    context = queries.context(form.draft.registration_request)
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
            "answers": [(name, request.POST[name]) for name in answer_fields(request.POST)],
            "differences": diff(form.draft.template, form.text_typed),
            "nav_current": "mine",
        },
        status=409,
    )

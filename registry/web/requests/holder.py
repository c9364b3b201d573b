"""What the holder says about a request: codes that confirm consent, and objections by letter."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry import workflow
from registry.enums import LIVE_STATES
from registry.forms.holder import CodeForm, ObjectionForm
from registry.models import RegistrationRequest
from registry.notifications.holder_links import OBJECTION_PURPOSE, read_holder_address
from registry.permissions import PublishedContact
from registry.selectors.holder_consent import find_missing_consent, list_standing_objections
from registry.web.requests.views import find_visible_request
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused, holder_words


@login_required
@require_http_methods(["GET", "POST"])
def show_word_confirmation(request: HttpRequest, reference: str) -> HttpResponse:
    """Accept the code from a letter by which somebody confirms the holder's consent."""
    person, registration_request = (
        get_signed_in_user(request),
        find_visible_request(request, reference),
    )
    wants_letter = "again" in request.POST
    form = CodeForm(request.POST if request.method == "POST" and not wants_letter else None)
    refusal = ""
    if wants_letter or form.is_valid():
        try:
            if wants_letter:
                holder_words.request_word_code(registration_request, person)
                messages.success(request, _("Another letter is on its way."))
                return redirect("requests:word", registration_request.slug)
            holder_words.confirm_word(registration_request, person, form.cleaned_data["code"])
        except ActionRefused as refused:
            refusal = str(refused)
            if form.is_bound:
                form.add_error("code", refusal)
        else:
            messages.success(
                request,
                _("Your word for %(what)s is confirmed.")
                % {"what": registration_request.reference},
            )
            return redirect(registration_request)
    context = {
        "registration_request": registration_request,
        "last_round": registration_request.last_round,
        "own": holder_words.find_own_confirmation(registration_request, person),
        "form": form,
        "refusal": "" if form.is_bound else refusal,
    }
    return render(request, "requests/word.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def show_contact_objection(request: HttpRequest, reference: str, word: str) -> HttpResponse:
    """Handle the link of a letter: the published contact objects, or withdraws the objection."""
    registration_request = get_object_or_404(
        RegistrationRequest.objects.public().select_related("namespace", "organization"),
        reference=reference.upper(),
    )
    if not read_holder_address(OBJECTION_PURPOSE, registration_request.pk, word):
        raise Http404
    contact = PublishedContact(registration_request)
    objections = [
        each for each in list_standing_objections(registration_request) if each.actor_id is None
    ]
    form, refusal = ObjectionForm(request.POST or None), ""
    verb = "withdraw_objection" if objections else "object"
    if form.is_valid():
        try:
            workflow.perform(
                registration_request, verb, actor=contact, comment=form.cleaned_data["comment"]
            )
        except ActionRefused as refused:
            refusal = str(refused)
        else:
            messages.success(request, _("Recorded. We are telling everybody concerned."))
            return redirect(registration_request)
    context = {
        "registration_request": registration_request,
        "last_round": registration_request.last_round,
        "transition": workflow.VERBS[verb],
        "form": form,
        "refusal": refusal,
        "is_live": registration_request.state in LIVE_STATES,
        "missing_word": find_missing_consent(registration_request),
    }
    return render(request, "requests/object.html", context)

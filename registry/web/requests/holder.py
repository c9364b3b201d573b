"""Objections by the button of a letter."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry import workflow
from registry.enums import LIVE_STATES
from registry.forms.consent import ObjectionForm
from registry.models import RegistrationRequest
from registry.notifications.holder_links import OBJECTION_PURPOSE, read_holder_address
from registry.permissions import PublishedContact
from registry.workflow import ActionRefused


@never_cache
@require_http_methods(["GET", "POST"])
def show_contact_objection(request: HttpRequest, reference: str, word: str) -> HttpResponse:
    """Handle the link of a letter: the published contact objects, or takes it back."""
    registration_request = get_object_or_404(
        RegistrationRequest.objects.public().select_related("namespace", "organization"),
        reference=reference.upper(),
    )
    if not read_holder_address(OBJECTION_PURPOSE, registration_request.pk, word):
        raise Http404
    contact = PublishedContact(registration_request)
    form, refusal = ObjectionForm(request.POST or None), ""
    if form.is_valid():
        try:
            workflow.perform(
                registration_request, "object", actor=contact, comment=form.cleaned_data["comment"]
            )
        except ActionRefused as refused:
            refusal = str(refused)
        else:
            messages.success(request, _("Recorded. We are telling everybody concerned."))
            return redirect(registration_request)
    context = {
        "registration_request": registration_request,
        "last_round": registration_request.last_round,
        "transition": workflow.VERBS["object"],
        "form": form,
        "refusal": refusal,
        "is_live": registration_request.state in LIVE_STATES,
    }
    return render(request, "requests/object.html", context)

"""Coming to a request as its expert, and stepping back from it."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from registry import rules, workflow
from registry.forms.act import StepForm
from registry.forms.assigning import RecuseForm
from registry.models import RegistrationRequest
from registry.pages.queue import why_not
from registry.views.acting import saw_an_older_revision, superseded
from registry.views.queue import find
from registry.workflow import VERBS

STEPPED: Final = {
    "assign": gettext_lazy("You have taken %(request)s. Read it, then decide below."),
    "recuse": gettext_lazy("You stepped back from %(request)s."),
}


def recuse_form(registration_request: RegistrationRequest) -> RecuseForm:
    """Return the form with which an expert steps back."""
    return RecuseForm(
        registration_request=registration_request,
        transition=VERBS["recuse"],
        action=reverse("review:recuse", args=[registration_request.slug]),
        auto_id="recuse_%s",
    )


@login_required
@require_POST
def take(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the expert on a request."""
    return step_on_or_off(request, reference, "assign")


@login_required
@require_POST
def recuse(request: HttpRequest, reference: str) -> HttpResponse:
    """Let the expert step back from a request, whether they had taken it or not."""
    return step_on_or_off(request, reference, "recuse")


def step_on_or_off(request: HttpRequest, reference: str, verb: str) -> HttpResponse:
    """Take the step and show the request; tell there what stood in the way."""
    person, registration_request = find(request, reference)
    transition = VERBS[verb]
    back = reverse("review:detail", args=[registration_request.slug])
    if saw_an_older_revision(request, registration_request):
        return superseded(request, registration_request, back)
    if verb == "assign" and rules.is_party(person, registration_request):
        raise PermissionDenied(why_not(registration_request, person))
    form = StepForm(request.POST, registration_request=registration_request, transition=transition)
    try:
        if form.is_valid():
            workflow.perform(registration_request, verb, actor=person, **form.cleaned_data)
            messages.success(request, STEPPED[verb] % {"request": registration_request})
    except workflow.Superseded:
        return superseded(request, registration_request, back)
    except workflow.Refused as refusal:
        messages.error(request, str(refusal))
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect(back)

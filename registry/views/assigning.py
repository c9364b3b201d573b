"""Coming to a request as its expert, declaring to have no conflict, and stepping back."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from registry import rules, workflow
from registry.forms.act import StepForm
from registry.forms.assigning import RecuseForm
from registry.models import RegistrationRequest, User
from registry.pages.next_step import why_not
from registry.reviewing import conflicts
from registry.views.acting import is_second_click, saw_an_older_revision, superseded
from registry.views.queue import find
from registry.workflow import VERBS

STEPPED: Final = {
    "assign": gettext_lazy("You have taken %(request)s. Read it, then decide below."),
    "declare": gettext_lazy("You declared to have no conflict. Read it, then decide below."),
    "recuse": gettext_lazy("You stepped back from %(request)s."),
}


def declaration(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse | None:
    """Ask whoever was put on a request for their conflicts; nothing where there is no need.

    Until then the text does not open for them, and nothing they post is heard.
    """
    if not rules.has_to_declare(person, registration_request):
        return None
    context = {
        "registration_request": registration_request,
        "declare": VERBS["declare"],
        "warnings": conflicts.warnings(person, registration_request),
        "recuse": recuse_form(registration_request),
    }
    status = 403 if request.method == "POST" else 200
    return render(request, "review/declare.html", context, status=status)


def recuse_form(registration_request: RegistrationRequest, typed: Any = None) -> RecuseForm:
    """Return the form with which an expert steps back."""
    return RecuseForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["recuse"],
        action=reverse("review:recuse", args=[registration_request.slug]),
        auto_id="recuse_%s",
    )


@login_required
@require_POST
def take(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the expert on a request."""
    person, registration_request = find(request, reference)
    if rules.is_party(person, registration_request):
        raise PermissionDenied(why_not(registration_request, person))
    return step_on_or_off(request, person, registration_request, "assign")


@login_required
@require_POST
def declare(request: HttpRequest, reference: str) -> HttpResponse:
    """Have an expert who was put on a request declare to have no conflict of interest."""
    person, registration_request = find(request, reference)
    return step_on_or_off(request, person, registration_request, "declare")


@login_required
@require_POST
def recuse(request: HttpRequest, reference: str) -> HttpResponse:
    """Let the expert step back from a request, whether they had taken it or not."""
    person, registration_request = find(request, reference)
    return step_on_or_off(request, person, registration_request, "recuse")


def step_on_or_off(
    request: HttpRequest, person: User, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Take the step and show the request; tell there what stood in the way."""
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request, verb)
    form = form_of(registration_request, verb, request.POST)
    try:
        if form.is_valid():
            act(person, registration_request, verb, form.cleaned_data)
            return stepped(request, registration_request, verb)
    except workflow.Superseded:
        return too_late(request, registration_request, verb)
    except workflow.Refused as refusal:
        messages.error(request, str(refusal))
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect("review:detail", registration_request.slug)


def form_of(registration_request: RegistrationRequest, verb: str, typed: Any) -> StepForm:
    """Return what is read of a step."""
    if verb == "recuse":
        return recuse_form(registration_request, typed)
    return StepForm(typed, registration_request=registration_request, transition=VERBS[verb])


def act(
    person: User, registration_request: RegistrationRequest, verb: str, said: dict[str, Any]
) -> None:
    """Take the step; stepping back may be for good."""
    if verb == "recuse":
        conflicts.step_back(registration_request, person, **said)
    else:
        workflow.perform(registration_request, verb, actor=person, **said)


def too_late(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    if is_second_click(request, registration_request, verb):
        return stepped(request, registration_request, verb)
    back = reverse("review:detail", args=[registration_request.slug])
    return superseded(request, registration_request, back)


def stepped(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say what was done, on the page of the request."""
    messages.success(request, STEPPED[verb] % {"request": registration_request})
    return redirect("review:detail", registration_request.slug)

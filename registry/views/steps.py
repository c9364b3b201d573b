"""Taking a step of the workflow that has no working screen of its own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import workflow
from registry.forms.act import StepForm
from registry.models import RegistrationRequest, User
from registry.pages.offered import is_repeated, own_page
from registry.views.acting import signed_in
from registry.views.requests import find
from registry.workflow import VERBS, Transition


@login_required
@require_http_methods(["GET", "POST"])
def act(request: HttpRequest, reference: str, verb: str) -> HttpResponse:
    """Say what follows from a step, and take it."""
    if verb not in VERBS:
        raise Http404(verb)
    transition, person = VERBS[verb], signed_in(request)
    registration_request = find(request, reference)
    if page := own_page(verb, registration_request.slug):
        return redirect(page)
    form = StepForm(
        request.POST or None, registration_request=registration_request, transition=transition
    )
    if form.is_valid() and is_repeated(
        registration_request, verb, person, form.cleaned_data["seen"]
    ):
        return done(request, registration_request, transition)
    if not is_possible(registration_request, transition, person):
        return too_late(request, registration_request, transition, form)
    status = 200
    if form.is_valid():
        try:
            workflow.perform(registration_request, verb, actor=person, **form.cleaned_data)
        except workflow.Superseded as refusal:
            # The faster of two clicks may have been at work while this one was read.
            registration_request.refresh_from_db()
            if is_repeated(registration_request, verb, person, form.cleaned_data["seen"]):
                return done(request, registration_request, transition)
            form.add_error(None, str(refusal))
            status = 409
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return done(request, registration_request, transition)
    return page_of(request, registration_request, transition, form, status)


def is_possible(
    registration_request: RegistrationRequest, transition: Transition, person: User
) -> bool:
    """Whether the state allows the step; raise `PermissionDenied` where the person may not."""
    if registration_request.state not in transition.sources:
        return False
    if not transition.by(person, registration_request):
        raise PermissionDenied(
            _("“%(label)s” is for %(role)s.") % {"label": transition.label, "role": transition.role}
        )
    return True


def too_late(
    request: HttpRequest,
    registration_request: RegistrationRequest,
    transition: Transition,
    form: StepForm,
) -> HttpResponse:
    """Say that the state does not allow the step; what was typed stays on the page."""
    words = _("“%(label)s” is not possible: the request is in the state “%(state)s”.") % {
        "label": transition.label,
        "state": registration_request.get_state_display(),
    }
    if not form.is_bound:
        messages.info(request, words)
        return redirect(registration_request)
    form.add_error(None, words)
    return page_of(request, registration_request, transition, form, 409)


def done(
    request: HttpRequest, registration_request: RegistrationRequest, transition: Transition
) -> HttpResponse:
    """Say that the step is taken, on the page of the request."""
    messages.success(
        request,
        _("“%(label)s” is recorded for %(reference)s.")
        % {"label": transition.label, "reference": registration_request.reference},
    )
    return redirect(registration_request)


def page_of(
    request: HttpRequest,
    registration_request: RegistrationRequest,
    transition: Transition,
    form: StepForm,
    status: int,
) -> HttpResponse:
    """Show the step with its consequence."""
    context: dict[str, Any] = {
        "registration_request": registration_request,
        "transition": transition,
        "form": form,
    }
    return render(request, "requests/act.html", context, status=status)

"""Taking a step of the workflow that has no working screen of its own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import workflow
from registry.forms.steps import (
    STASHED_STEP_FIELDS,
    STEP_FORMS,
    StepForm,
)
from registry.models import RegistrationRequest, User
from registry.presenters.available_steps import (
    describe_who_may,
    explain_unavailable_step,
    get_step_page,
    is_repeated_step,
)
from registry.web.form_stash import stash_and_sign_in
from registry.web.requests.views import find_visible_request
from registry.web.step_view import pop_stashed_form
from registry.workflow import VERBS, Transition


@require_http_methods(["GET", "POST"])
def take_step(request: HttpRequest, reference: str, verb: str) -> HttpResponse:
    """Say what follows from a step, and take it."""
    if verb not in VERBS:
        raise Http404(verb)
    person = request.user
    if not isinstance(person, User):
        return stash_step_and_sign_in(request)
    registration_request, transition = find_visible_request(request, reference), VERBS[verb]
    if page := get_step_page(verb, registration_request.slug):
        return redirect(page)
    form = build_step_form(request, registration_request, transition, person)
    if is_taken_twice(form, person):
        return redirect_after_step(request, form)
    if not is_possible_step(registration_request, transition, person):
        return show_step_too_late(request, form)
    return post_step(request, form, person) if form.is_valid() else render_step(request, form)


def post_step(request: HttpRequest, form: StepForm, person: User) -> HttpResponse:
    """Take the step, or show the page again with what stands in the way."""
    registration_request, verb = form.registration_request, form.transition.verb
    try:
        workflow.perform(registration_request, verb, actor=person, **form.cleaned_data)
    except workflow.ConcurrentChange as refusal:
        # The faster of two clicks may have been at work while this one was read.
        registration_request.refresh_from_db()
        if is_taken_twice(form, person):
            return redirect_after_step(request, form)
        form.add_error(None, str(refusal))
        return render_step(request, form, 409)
    except workflow.ActionRefused as refusal:
        form.add_error(None, str(refusal))
        return render_step(request, form)
    return redirect_after_step(request, form)


def stash_step_and_sign_in(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in page and back; what was typed is kept."""
    if request.method == "POST":
        return stash_and_sign_in(request, STASHED_STEP_FIELDS)
    response: HttpResponse = redirect_to_login(request.get_full_path())
    return response


def build_step_form(
    request: HttpRequest,
    registration_request: RegistrationRequest,
    transition: Transition,
    person: User,
) -> StepForm:
    """Return the form for the verb, with what was typed before the person signed in."""
    form = STEP_FORMS.get(transition.verb, StepForm)
    return form(
        request.POST or None,
        registration_request=registration_request,
        transition=transition,
        actor=person,
        initial=pop_stashed_form(request),
    )


def is_taken_twice(form: StepForm, person: User) -> bool:
    """Whether this was posted twice, and `person` has just taken this very step."""
    return form.is_valid() and is_repeated_step(
        form.registration_request, form.transition.verb, person, form.cleaned_data["seen"]
    )


def is_possible_step(
    registration_request: RegistrationRequest, transition: Transition, person: User
) -> bool:
    """Whether the state allows the step; raise `PermissionDenied` where the person may not."""
    if registration_request.state not in transition.sources:
        return False
    if not transition.by(person, registration_request):
        raise PermissionDenied(describe_who_may(transition, registration_request))
    return True


def show_step_too_late(request: HttpRequest, form: StepForm) -> HttpResponse:
    """Say that the state does not allow the step; what was typed stays on the page."""
    words = explain_unavailable_step(form.transition, form.registration_request)
    if not form.is_bound:
        messages.info(request, words)
        return redirect(form.registration_request)
    form.add_error(None, words)
    return render_step(request, form, 409)


def redirect_after_step(request: HttpRequest, form: StepForm) -> HttpResponse:
    """Say that the step is taken, on the page of the request; or of the draft that goes on."""
    registration_request, label = form.registration_request, form.transition.label
    told = {"label": label, "reference": registration_request.reference}
    messages.success(request, _("“%(label)s” is recorded for %(reference)s.") % told)
    heir = registration_request.reopened_as.order_by("pk").last()
    return redirect(heir if form.transition.verb == "reopen" and heir else registration_request)


def render_step(request: HttpRequest, form: StepForm, status: int = 200) -> HttpResponse:
    """Show the step with its consequence, and what stands in its way already."""
    context: dict[str, Any] = {
        "registration_request": form.registration_request,
        "transition": form.transition,
        "form": form,
        "obstacle": "" if form.is_bound else form.obstacle(),
    }
    return render(request, "requests/act.html", context, status=status)

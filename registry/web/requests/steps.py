"""Taking a step of the workflow that has no working screen of its own."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import permissions
from registry.enums import VerbKind
from registry.forms.steps import STASHED_STEP_FIELDS, StepForm, build_step_form
from registry.models import Event, RegistrationRequest, User
from registry.notifications import reminders
from registry.presenters.available_steps import describe_who_may, explain_unavailable_step
from registry.selectors.request_clock import KEEP_VERB
from registry.web.form_stash import stash_and_sign_in
from registry.web.requests.views import find_visible_request
from registry.web.step_view import get_signed_in_user, pop_stashed_form, take_step
from registry.workflow import VERBS, Transition
from registry.workflow.events import record_event


@require_http_methods(["GET", "POST"])
def show_step(request: HttpRequest, reference: str, verb: str) -> HttpResponse:
    """Show the consequences of a step, and take it."""
    if verb not in VERBS:
        raise Http404(verb)
    if not isinstance(request.user, User):
        return stash_step_and_sign_in(request)
    registration_request, transition = find_visible_request(request, reference), VERBS[verb]
    if transition.page:
        return redirect(transition.page, registration_request.slug)
    return take_step(
        request,
        registration_request,
        [verb],
        build_form=partial(build_form, request, registration_request, transition),
        render_page=partial(render_step, request),
        redirect_after=partial(redirect_after_step, request, registration_request),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def show_keep(request: HttpRequest, word: str) -> HttpResponse:
    """Ask the contact of a silent body whether its request goes on; a button says so.

    Opening the page does nothing: programs follow links in letters.
    """
    registration_request = reminders.find_request_to_keep(word)
    context = {"registration_request": registration_request}
    if registration_request is None:
        return render(request, "requests/keep.html", context, status=404)
    if request.method == "POST":
        with transaction.atomic():
            record_event(registration_request, actor=permissions.CLOCK, verb=KEEP_VERB)
        messages.success(request, _("It is kept open. Thank you."))
        return redirect(registration_request)
    return render(request, "requests/keep.html", context)


def stash_step_and_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and back; what was typed is kept."""
    if request.method == "POST":
        return stash_and_sign_in(request, STASHED_STEP_FIELDS)
    response: HttpResponse = redirect_to_login(request.get_full_path())
    return response


def build_form(
    request: HttpRequest, registration_request: RegistrationRequest, transition: Transition
) -> StepForm | HttpResponse:
    """Return the form for the verb, with what was typed before signing in.

    If the state does not allow the step, return the response that says so.
    """
    person = get_signed_in_user(request)
    form = build_step_form(
        registration_request,
        transition,
        person,
        request.POST or None,
        initial=pop_stashed_form(request),
    )
    if not is_possible_step(registration_request, transition, person):
        return show_step_too_late(request, form)
    if VerbKind.EXPERT_DECISION in transition.kinds:
        # Only there is it read back before it is recorded.
        return redirect(transition.find_page(registration_request), registration_request.slug)
    return form


def is_possible_step(
    registration_request: RegistrationRequest, transition: Transition, person: User
) -> bool:
    """Whether the state allows the step; raise `PermissionDenied` if the person may not take it."""
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


def redirect_after_step(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Say that the step was taken, on the page of the request or the draft that continues it."""
    told = {"label": VERBS[event.verb].label, "reference": registration_request.reference}
    messages.success(request, _("“%(label)s” is recorded for %(reference)s.") % told)
    heirs = registration_request.reopened_as.filter(reference=event.data.get("as"))
    return redirect((heirs.first() if "as" in event.data else None) or registration_request)


def render_step(request: HttpRequest, form: StepForm, status: int = 200) -> HttpResponse:
    """Show the step with its consequence and any obstacles."""
    context: dict[str, Any] = {
        "registration_request": form.registration_request,
        "transition": form.transition,
        "form": form,
        "obstacle": "" if form.is_bound else form.obstacle(),
    }
    return render(request, "requests/act.html", context, status=status)

"""Experts take a request, declare conflicts and step back; the lead assigns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from registry import permissions
from registry.actions import advisers
from registry.enums import EXPERT_STATES, Words
from registry.forms.review import AdviserForm, RotaForm
from registry.forms.steps import StepForm, build_step_form
from registry.journal.event_messages import describe_event
from registry.models import Event, RegistrationRequest, User
from registry.presenters.reviewers import Reviewers, explain_no_decision
from registry.selectors.case import open_case
from registry.selectors.experts import find_next_expert
from registry.selectors.review_queue import find_queued_request
from registry.selectors.shown_states import find_shown_state
from registry.web.review.queue import find_request_as_expert
from registry.web.step_view import find_public_request, get_signed_in_user, take_step
from registry.workflow import VERBS, ActionRefused, Transition
from registry.workflow.conditions import may_assign_anybody

ASSIGNMENT_MESSAGES: Final = {
    "assign": gettext_lazy("You have taken %(request)s. Read it, then decide below."),
    "recuse": gettext_lazy("You stepped back from %(request)s."),
}


def build_recuse_form(
    registration_request: RegistrationRequest, person: User, posted: Any = None
) -> StepForm:
    """Return the form with which an expert steps back, next to other forms of a page."""
    return build_step_form(
        registration_request, VERBS["recuse"], person, posted, auto_id="recuse_%s"
    )


@login_required
@require_POST
def take_request(request: HttpRequest, reference: str) -> HttpResponse:
    """Assign the expert to a request they chose."""
    person, registration_request = find_request_as_expert(request, reference)
    if permissions.is_party(person, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, person))
    return take_assignment_step(
        request,
        registration_request,
        "assign",
        partial(build_bare_form, request, registration_request, VERBS["assign"]),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def recuse_from_request(request: HttpRequest, reference: str) -> HttpResponse:
    """Let the expert step back from a request; the lead has a page to take another off."""
    if request.method != "POST" or "leaver" in request.POST:
        return take_lead_step(request, reference, "recuse", for_another=True)
    person, registration_request = find_request_as_expert(request, reference)
    build_form = partial(build_recuse_form, registration_request, person, request.POST)
    return take_assignment_step(request, registration_request, "recuse", build_form)


def build_bare_form(
    request: HttpRequest, registration_request: RegistrationRequest, transition: Transition
) -> StepForm:
    """Return the form of a button: it has no fields."""
    return StepForm(request.POST, registration_request=registration_request, transition=transition)


def take_assignment_step(
    request: HttpRequest,
    registration_request: RegistrationRequest,
    verb: str,
    build_form: Callable[[], StepForm],
) -> HttpResponse:
    """Take the step and show the request, or say there why it was refused."""
    return take_step(
        request,
        registration_request,
        [verb],
        build_form=build_form,
        render_page=partial(redirect_with_errors, request),
        redirect_after=partial(redirect_after_assignment, request, registration_request),
        back=reverse("review:detail", args=[registration_request.slug]),
    )


def redirect_with_errors(
    request: HttpRequest, form: StepForm, status: int, page: str = "review:detail"
) -> HttpResponse:
    """Show the refusal on another page of the request: this form has no page of its own."""
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect(page, form.registration_request.slug)


def redirect_after_assignment(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Report what was done, on the request's page."""
    messages.success(request, ASSIGNMENT_MESSAGES[event.verb] % {"request": registration_request})
    return redirect("review:detail", registration_request.slug)


LEAD_STEP_TITLES: Final[dict[str, Words]] = {
    "assign": VERBS["assign"].label,
    "recuse": gettext_lazy("Take an expert off"),
}
LEAD_STEP_CONSEQUENCES: Final[dict[str, Words]] = {
    "assign": gettext_lazy(
        "The expert is told, and declares with their first act that they have no conflict."
    ),
    "recuse": gettext_lazy(
        "The expert leaves the request, and a decision of theirs on it counts no more: if it was "
        "approved or reported by it, it goes back to review."
    ),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assign_chosen_expert(request: HttpRequest, reference: str) -> HttpResponse:
    """Assign an expert of the lead's choice, or whom the standards body names."""
    return take_lead_step(request, reference, "assign")


@login_required
@require_POST
def assign_next_on_rota(request: HttpRequest, reference: str) -> HttpResponse:
    """Assign the next expert on the rota to a request."""
    person, registration_request = find_request_as_expert(request, reference)
    require_lead(person, registration_request, "assign")
    return take_step(
        request,
        registration_request,
        ["assign"],
        build_form=partial(build_rota_form, request, registration_request),
        render_page=partial(redirect_with_errors, request, page="review:assign"),
        redirect_after=partial(redirect_after_lead_step, request, registration_request),
        back=reverse("review:assign", args=[registration_request.slug]),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_adviser_invitation(request: HttpRequest, reference: str) -> HttpResponse:
    """Invite somebody by mail address to advise in public, as the lead."""
    person, registration_request = find_request_as_expert(request, reference)
    if not permissions.may_lead(person, registration_request):
        raise PermissionDenied(advisers.explain_no_invitation())
    form = AdviserForm(request.POST or None)
    if form.is_valid():
        try:
            advisers.invite_adviser(registration_request, lead=person, **form.cleaned_data)
        except ActionRefused as refusal:
            form.add_error("address", str(refusal))
        else:
            words = _("A letter goes to %(address)s.") % {"address": form.cleaned_data["address"]}
            messages.success(request, words)
            return redirect(registration_request)
    context = {
        "registration_request": registration_request,
        "tabs": list_lead_tabs(registration_request, "invite"),
        "form": form,
    }
    return render(request, "review/invite.html", context)


def build_rota_form(request: HttpRequest, registration_request: RegistrationRequest) -> RotaForm:
    """Return the form of the rota button."""
    return RotaForm(
        request.POST, registration_request=registration_request, transition=VERBS["assign"]
    )


def take_lead_step(request: HttpRequest, reference: str, verb: str, **kwargs: Any) -> HttpResponse:
    """Show a decision of the lead on a request, and take the step.

    `kwargs` are for its form.
    """
    person, registration_request = find_public_request(request, reference, lambda _person: None)
    takes_it = verb == "assign" and permissions.may_join(person, registration_request)
    if takes_it and not permissions.is_lead(person):
        return redirect("review:detail", registration_request.slug)
    require_lead(person, registration_request, verb)

    def build_form() -> StepForm | HttpResponse:
        if registration_request.state not in VERBS[verb].sources:
            return redirect_lead_step_unavailable(request, registration_request, verb)
        transition, posted = VERBS[verb], request.POST or None
        return build_step_form(registration_request, transition, person, posted, **kwargs)

    return take_step(
        request,
        registration_request,
        [verb],
        build_form=build_form,
        render_page=partial(render_lead_step, request, person),
        redirect_after=partial(redirect_after_lead_step, request, registration_request),
        back=reverse(f"review:{verb}", args=[registration_request.slug]),
    )


def render_lead_step(
    request: HttpRequest, person: User, form: StepForm, status: int
) -> HttpResponse:
    """Draw the page of one of the lead's steps."""
    verb, registration_request = form.transition.verb, form.registration_request
    context = {
        "registration_request": registration_request,
        "verb": verb,
        "title": LEAD_STEP_TITLES[verb],
        "tabs": list_lead_tabs(registration_request, verb),
        "follows": LEAD_STEP_CONSEQUENCES[verb],
        "form": form,
        "company": Reviewers.of(find_queued_request(person, registration_request)),
        "next": find_next_expert(registration_request) if verb == "assign" else None,
        "leads": permissions.is_lead(person),
    }
    return render(request, "review/lead_step.html", context, status=status)


def list_lead_tabs(registration_request: RegistrationRequest, current: str) -> list[dict[str, Any]]:
    """Return what the lead can do in this state, as tabs for their component."""
    titles = {
        verb: title
        for verb, title in LEAD_STEP_TITLES.items()
        if registration_request.state in VERBS[verb].sources
    }
    if registration_request.state in EXPERT_STATES:
        titles["invite"] = _("Invite somebody to advise")
    return [
        {
            "title": title,
            "url": reverse(f"review:{name}", args=[registration_request.slug]),
            "current": name == current,
        }
        for name, title in titles.items()
    ]


def require_lead(person: User, registration_request: RegistrationRequest, verb: str) -> None:
    """Refuse people who are not leads or have a stake in the request; tell them who may.

    The standards body may assign an expert where none can judge.
    """
    names_anybody = verb == "assign" and may_assign_anybody(person, registration_request)
    if not (names_anybody or permissions.may_lead(person, registration_request)):
        raise PermissionDenied(
            _("“%(label)s” is for a lead expert who is not party to the request.")
            % {"label": LEAD_STEP_TITLES[verb]}
        )


def redirect_lead_step_unavailable(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say on the request's page that its state does not allow the step."""
    messages.info(
        request,
        _("“%(label)s” is not possible: the request is in the state “%(state)s”.")
        % {
            "label": LEAD_STEP_TITLES[verb],
            "state": find_shown_state(open_case(registration_request)),
        },
    )
    return redirect("review:detail", registration_request.slug)


def redirect_after_lead_step(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Report what was done, in the journal's words, on the lead's tab of the queue."""
    told = {"request": registration_request, "what": describe_event(event)}
    messages.success(request, _("Recorded for %(request)s: you %(what)s.") % told)
    if permissions.is_lead(get_signed_in_user(request)):
        return redirect(reverse("review:index") + "?tab=lead")
    return redirect(registration_request)

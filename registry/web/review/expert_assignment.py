"""Experts take a request, declare and step back; the lead assigns, hands over and extends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from registry import permissions, workflow
from registry.actions import conflicts_of_interest, expert_assignment
from registry.forms.steps import (
    ExpertForm,
    ExtendForm,
    HandOverForm,
    RecuseForm,
    StepForm,
)
from registry.journal.event_messages import describe_event
from registry.models import RegistrationRequest, User
from registry.presenters.reviewers import (
    Reviewers,
    explain_no_decision,
    list_active_assignments,
    list_expert_choices,
)
from registry.web.review.queue import find_request_as_expert
from registry.web.step_view import (
    is_revision_outdated,
    is_second_click,
    read_revision_seen,
    show_superseded,
)
from registry.workflow import VERBS

ASSIGNMENT_MESSAGES: Final = {
    "assign": gettext_lazy("You have taken %(request)s. Read it, then decide below."),
    "declare": gettext_lazy("You declared to have no conflict. Read it, then decide below."),
    "recuse": gettext_lazy("You stepped back from %(request)s."),
}


def show_declaration(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse | None:
    """Ask whoever was put on a request for their conflicts; nothing where there is no need.

    Until then the text does not open for them, and nothing they post is heard.
    """
    if not permissions.has_to_declare(person, registration_request):
        return None
    context = {
        "registration_request": registration_request,
        "declare": VERBS["declare"],
        "warnings": conflicts_of_interest.list_conflict_hints(person, registration_request),
        "recuse": build_recuse_form(registration_request),
    }
    status = 403 if request.method == "POST" else 200
    return render(request, "review/declare.html", context, status=status)


def build_recuse_form(registration_request: RegistrationRequest, typed: Any = None) -> RecuseForm:
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
def take_request(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the expert on a request."""
    person, registration_request = find_request_as_expert(request, reference)
    if permissions.is_party(person, registration_request):
        raise PermissionDenied(explain_no_decision(registration_request, person))
    return take_assignment_step(request, person, registration_request, "assign")


@login_required
@require_POST
def post_declaration(request: HttpRequest, reference: str) -> HttpResponse:
    """Have an expert who was put on a request declare to have no conflict of interest."""
    person, registration_request = find_request_as_expert(request, reference)
    return take_assignment_step(request, person, registration_request, "declare")


@login_required
@require_POST
def recuse_from_request(request: HttpRequest, reference: str) -> HttpResponse:
    """Let the expert step back from a request, whether they had taken it or not."""
    person, registration_request = find_request_as_expert(request, reference)
    return take_assignment_step(request, person, registration_request, "recuse")


def take_assignment_step(
    request: HttpRequest, person: User, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Take the step and show the request; tell there what stood in the way."""
    if is_revision_outdated(request, registration_request):
        return show_assignment_too_late(request, registration_request, verb)
    form = build_assignment_form(registration_request, verb, request.POST)
    try:
        if form.is_valid():
            perform_assignment_step(person, registration_request, verb, form.cleaned_data)
            return redirect_after_assignment(request, registration_request, verb)
    except workflow.ConcurrentChange:
        return show_assignment_too_late(request, registration_request, verb)
    except workflow.ActionRefused as refusal:
        messages.error(request, str(refusal))
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect("review:detail", registration_request.slug)


def build_assignment_form(
    registration_request: RegistrationRequest, verb: str, typed: Any
) -> StepForm:
    """Return what is read of a step."""
    if verb == "recuse":
        return build_recuse_form(registration_request, typed)
    return StepForm(typed, registration_request=registration_request, transition=VERBS[verb])


def perform_assignment_step(
    person: User, registration_request: RegistrationRequest, verb: str, said: dict[str, Any]
) -> None:
    """Take the step; stepping back may be for good."""
    if verb == "recuse":
        conflicts_of_interest.step_back_from_request(registration_request, person, **said)
    else:
        workflow.perform(registration_request, verb, actor=person, **said)


def show_assignment_too_late(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    if is_second_click(request, registration_request, verb):
        return redirect_after_assignment(request, registration_request, verb)
    back = reverse("review:detail", args=[registration_request.slug])
    return show_superseded(request, registration_request, back)


def redirect_after_assignment(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say what was done, on the page of the request."""
    messages.success(request, ASSIGNMENT_MESSAGES[verb] % {"request": registration_request})
    return redirect("review:detail", registration_request.slug)


LEAD_STEP_TITLES: Final[dict[str, str | Promise]] = {
    "assign": gettext_lazy("Put an expert on it"),
    "reassign": gettext_lazy("Hand over to another expert"),
    "extend": gettext_lazy("Extend the date"),
}
LEAD_STEP_CONSEQUENCES: Final[dict[str, str | Promise]] = {
    "assign": gettext_lazy("The expert is told, and declares to have no conflict before deciding."),
    "reassign": VERBS["reassign"].consequence,
    "extend": VERBS["extend"].consequence,
}
StepFormBuilder = Callable[[RegistrationRequest, Any], StepForm]


def build_expert_form(registration_request: RegistrationRequest, typed: Any) -> ExpertForm:
    """Return the form for putting somebody on a request."""
    return ExpertForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["assign"],
        experts=list_expert_choices(registration_request),
    )


def build_hand_over_form(registration_request: RegistrationRequest, typed: Any) -> HandOverForm:
    """Return the form for handing a request from one expert to another."""
    return HandOverForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["reassign"],
        experts=list_expert_choices(registration_request),
        leavers=[each.expert for each in list_active_assignments(registration_request)],
    )


def build_extend_form(registration_request: RegistrationRequest, typed: Any) -> ExtendForm:
    """Return the form for putting the decision off."""
    return ExtendForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["extend"],
        promised_by=registration_request.promised_by,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assign_chosen_expert(request: HttpRequest, reference: str) -> HttpResponse:
    """Put an expert of the lead's choice on a request."""
    return take_lead_step(request, reference, "assign", build_expert_form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over_request(request: HttpRequest, reference: str) -> HttpResponse:
    """Hand a request from one expert to another."""
    return take_lead_step(request, reference, "reassign", build_hand_over_form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def extend_decision_date(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the promised date off, with a public reason."""
    return take_lead_step(request, reference, "extend", build_extend_form)


@login_required
@require_POST
def assign_next_on_rota(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the next expert of the rota on a request."""
    person, registration_request = find_request_as_expert(request, reference)
    require_lead(person, registration_request, "assign")
    if is_revision_outdated(request, registration_request):
        return show_lead_step_too_late(request, registration_request, "assign")
    seen = read_revision_seen(request)
    try:
        event = expert_assignment.assign_next_expert(
            registration_request, actor=person, seen=-1 if seen is None else seen
        )
    except workflow.ConcurrentChange:
        return show_lead_step_too_late(request, registration_request, "assign")
    except workflow.ActionRefused as refusal:
        messages.error(request, str(refusal))
    else:
        if event:
            return redirect_after_lead_step(request, registration_request)
        messages.error(request, explain_no_free_expert())
    return redirect("review:assign", registration_request.slug)


def take_lead_step(
    request: HttpRequest, reference: str, verb: str, make: StepFormBuilder
) -> HttpResponse:
    """Show what the lead decides of a request, and take the step."""
    person, registration_request = find_request_as_expert(request, reference)
    require_lead(person, registration_request, verb)
    if is_revision_outdated(request, registration_request):
        return show_lead_step_too_late(request, registration_request, verb)
    if registration_request.state not in VERBS[verb].sources:
        return redirect_lead_step_unavailable(request, registration_request, verb)
    form = make(registration_request, request.POST or None)
    if form.is_valid():
        try:
            workflow.perform(registration_request, verb, actor=person, **form.cleaned_data)
        except workflow.ConcurrentChange:
            return show_lead_step_too_late(request, registration_request, verb)
        except workflow.ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect_after_lead_step(request, registration_request)
    return render_lead_step(request, registration_request, verb, form)


def render_lead_step(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str, form: StepForm
) -> HttpResponse:
    """Draw the page of one step of the lead."""
    context = {
        "registration_request": registration_request,
        "verb": verb,
        "title": LEAD_STEP_TITLES[verb],
        "tabs": list_lead_tabs(registration_request, verb),
        "follows": LEAD_STEP_CONSEQUENCES[verb],
        "form": form,
        "company": Reviewers.of(registration_request, expert_assignment.map_absent_experts()),
        "next": expert_assignment.find_next_expert(registration_request)
        if verb == "assign"
        else None,
    }
    return render(request, "review/lead_step.html", context)


def list_lead_tabs(registration_request: RegistrationRequest, current: str) -> list[dict[str, Any]]:
    """Return the steps of the lead that the state allows, for the component of that name."""
    return [
        {
            "title": title,
            "url": reverse(f"review:{verb}", args=[registration_request.slug]),
            "current": verb == current,
        }
        for verb, title in LEAD_STEP_TITLES.items()
        if registration_request.state in VERBS[verb].sources
    ]


def require_lead(person: User, registration_request: RegistrationRequest, verb: str) -> None:
    """Refuse whoever does not lead, or has a stake in the request; say who may."""
    if not permissions.may_lead(person, registration_request):
        raise PermissionDenied(
            _("“%(label)s” is for a lead expert who is not party to the request.")
            % {"label": LEAD_STEP_TITLES[verb]}
        )


def redirect_lead_step_unavailable(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that the state does not allow the step, on the page of the request."""
    messages.info(
        request,
        _("“%(label)s” is not possible: the request is in the state “%(state)s”.")
        % {"label": LEAD_STEP_TITLES[verb], "state": registration_request.get_state_display()},
    )
    return redirect("review:detail", registration_request.slug)


def show_lead_step_too_late(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    if is_second_click(request, registration_request, verb):
        return redirect_after_lead_step(request, registration_request)
    back = reverse(f"review:{verb}", args=[registration_request.slug])
    return show_superseded(request, registration_request, back)


def redirect_after_lead_step(
    request: HttpRequest, registration_request: RegistrationRequest
) -> HttpResponse:
    """Say what was done, in the words of the journal, on the lead's tab of the queue."""
    told = {
        "request": registration_request,
        "what": describe_event(registration_request.events.latest("number")),
    }
    messages.success(request, _("Recorded for %(request)s: you %(what)s.") % told)
    return redirect(reverse("review:index") + "?tab=lead")


def explain_no_free_expert() -> str:
    """Return what to do where the rota finds nobody."""
    return _(
        "The rota finds nobody: every designated expert is away, has a stake in the request, or "
        "was on it already. Choose by hand, or take it yourself."
    )

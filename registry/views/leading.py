"""The lead expert hands out work: by hand, by the rota, from one to another, and until when."""

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

from registry import rules, workflow
from registry.forms.act import StepForm
from registry.forms.assigning import ExpertForm, ExtendForm, HandOverForm
from registry.models import RegistrationRequest, User
from registry.pages.choosing import choices
from registry.pages.company import Company, active
from registry.reviewing import absences, rota
from registry.telling import what
from registry.views.acting import (
    is_second_click,
    revision_seen,
    saw_an_older_revision,
    superseded,
)
from registry.views.queue import find
from registry.workflow import VERBS

TITLES: Final[dict[str, str | Promise]] = {
    "assign": gettext_lazy("Put an expert on it"),
    "reassign": gettext_lazy("Hand over to another expert"),
    "extend": gettext_lazy("Extend the date"),
}
FOLLOWS: Final[dict[str, str | Promise]] = {
    "assign": gettext_lazy("The expert is told, and declares to have no conflict before deciding."),
    "reassign": VERBS["reassign"].consequence,
    "extend": VERBS["extend"].consequence,
}
MakeForm = Callable[[RegistrationRequest, Any], StepForm]


def expert_form(registration_request: RegistrationRequest, typed: Any) -> ExpertForm:
    """Return the form for putting somebody on a request."""
    return ExpertForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["assign"],
        experts=choices(registration_request),
    )


def hand_over_form(registration_request: RegistrationRequest, typed: Any) -> HandOverForm:
    """Return the form for handing a request from one expert to another."""
    return HandOverForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["reassign"],
        experts=choices(registration_request),
        leavers=[each.expert for each in active(registration_request)],
    )


def extend_form(registration_request: RegistrationRequest, typed: Any) -> ExtendForm:
    """Return the form for putting the decision off."""
    return ExtendForm(
        typed,
        registration_request=registration_request,
        transition=VERBS["extend"],
        promised_by=registration_request.promised_by,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assign(request: HttpRequest, reference: str) -> HttpResponse:
    """Put an expert of the lead's choice on a request."""
    return lead(request, reference, "assign", expert_form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reassign(request: HttpRequest, reference: str) -> HttpResponse:
    """Hand a request from one expert to another."""
    return lead(request, reference, "reassign", hand_over_form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def extend(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the promised date off, with a public reason."""
    return lead(request, reference, "extend", extend_form)


@login_required
@require_POST
def by_rota(request: HttpRequest, reference: str) -> HttpResponse:
    """Put the next expert of the rota on a request."""
    person, registration_request = find(request, reference)
    ask_for_the_lead(person, registration_request, "assign")
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request, "assign")
    seen = revision_seen(request)
    try:
        event = rota.assign(registration_request, actor=person, seen=-1 if seen is None else seen)
    except workflow.Superseded:
        return too_late(request, registration_request, "assign")
    except workflow.Refused as refusal:
        messages.error(request, str(refusal))
    else:
        if event:
            return done(request, registration_request)
        messages.error(request, nobody_is_free())
    return redirect("review:assign", registration_request.slug)


def lead(request: HttpRequest, reference: str, verb: str, make: MakeForm) -> HttpResponse:
    """Show what the lead decides of a request, and take the step."""
    person, registration_request = find(request, reference)
    ask_for_the_lead(person, registration_request, verb)
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request, verb)
    if registration_request.state not in VERBS[verb].sources:
        return not_now(request, registration_request, verb)
    form = make(registration_request, request.POST or None)
    if form.is_valid():
        try:
            workflow.perform(registration_request, verb, actor=person, **form.cleaned_data)
        except workflow.Superseded:
            return too_late(request, registration_request, verb)
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return done(request, registration_request)
    return show(request, registration_request, verb, form)


def show(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str, form: StepForm
) -> HttpResponse:
    """Draw the page of one step of the lead."""
    context = {
        "registration_request": registration_request,
        "verb": verb,
        "title": TITLES[verb],
        "tabs": tabs(registration_request, verb),
        "follows": FOLLOWS[verb],
        "form": form,
        "company": Company.of(registration_request, absences.away_today()),
        "next": rota.next_expert(registration_request) if verb == "assign" else None,
    }
    return render(request, "review/leading.html", context)


def tabs(registration_request: RegistrationRequest, current: str) -> list[dict[str, Any]]:
    """Return the steps of the lead that the state allows, for the component of that name."""
    return [
        {
            "title": title,
            "url": reverse(f"review:{verb}", args=[registration_request.slug]),
            "current": verb == current,
        }
        for verb, title in TITLES.items()
        if registration_request.state in VERBS[verb].sources
    ]


def ask_for_the_lead(person: User, registration_request: RegistrationRequest, verb: str) -> None:
    """Refuse whoever does not lead, or has a stake in the request; say who may."""
    if not rules.may_lead(person, registration_request):
        raise PermissionDenied(
            _("“%(label)s” is for a lead expert who is not party to the request.")
            % {"label": TITLES[verb]}
        )


def not_now(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that the state does not allow the step, on the page of the request."""
    messages.info(
        request,
        _("“%(label)s” is not possible: the request is in the state “%(state)s”.")
        % {"label": TITLES[verb], "state": registration_request.get_state_display()},
    )
    return redirect("review:detail", registration_request.slug)


def too_late(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    if is_second_click(request, registration_request, verb):
        return done(request, registration_request)
    back = reverse(f"review:{verb}", args=[registration_request.slug])
    return superseded(request, registration_request, back)


def done(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Say what was done, in the words of the journal, on the lead's tab of the queue."""
    told = {
        "request": registration_request,
        "what": what(registration_request.events.latest("number")),
    }
    messages.success(request, _("Recorded for %(request)s: you %(what)s.") % told)
    return redirect(reverse("review:index") + "?tab=lead")


def nobody_is_free() -> str:
    """Return what to do where the rota finds nobody."""
    return _(
        "The rota finds nobody: every designated expert is away, has a stake in the request, or "
        "was on it already. Choose by hand, or take it yourself."
    )

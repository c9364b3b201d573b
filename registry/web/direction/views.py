"""The standards body's working screens: what waits, and one report or appeal."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import permissions, workflow
from registry.enums import State
from registry.forms.direction import RulingForm
from registry.journal.event_messages import describe_events
from registry.models import Event, RegistrationRequest, User
from registry.presenters import direction
from registry.selectors.events import list_latest_rulings
from registry.selectors.holder_consent import explain_missing_consent
from registry.verbs import VerbKind
from registry.web.step_view import (
    find_public_request,
    get_signed_in_user,
    pop_stashed_form,
    require_sign_in,
    take_step,
)
from registry.workflow import VERBS

MAX_LATEST_RULINGS: Final = 10


@login_required
@require_http_methods(["GET", "HEAD"])
def list_standards_body_work(request: HttpRequest) -> HttpResponse:
    """What waits for the standards body, and what it decided last."""
    person = get_signed_in_user(request)
    require_standards_body(person)
    context = {
        "asking": direction.build_recognition_rows(),
        "reported": direction.build_ruling_rows(person, State.REPORTED),
        "appealed": direction.build_ruling_rows(person, State.APPEALED),
        "latest": describe_events(list_latest_rulings()[:MAX_LATEST_RULINGS]),
    }
    return render(request, "direction/index.html", context)


def require_standards_body(person: User) -> None:
    """Refuse whoever does not speak for the standards body, and say who may."""
    if not permissions.may_recognise(person):
        raise PermissionDenied(
            _("Direction is for the standards body. Your account does not have that role.")
        )


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in("verb", "comment")
def show_ruling(request: HttpRequest, reference: str) -> HttpResponse:
    """One request: report or appeal, the text, what was decided before, and the decision."""
    person, registration_request = find_public_request(request, reference, require_standards_body)
    if request.method == "POST":
        return post_ruling(request, person, registration_request)
    form = build_ruling_form(registration_request, person, initial=pop_stashed_form(request))
    return render_ruling(request, person, registration_request, form)


def build_ruling_form(
    registration_request: RegistrationRequest, person: User, *args: object, **kwargs: object
) -> RulingForm | None:
    """Return the form with the decisions open to `person`, none where there are none."""
    offers = [
        each
        for each in workflow.available_transitions(registration_request, person)
        if VerbKind.RULING in each.kinds
    ]
    if not offers:
        return None
    return RulingForm(*args, registration_request=registration_request, offers=offers, **kwargs)


def explain_no_ruling(registration_request: RegistrationRequest, person: User) -> str:
    """Return why the standards body does not decide on a request now."""
    if registration_request.state not in direction.STATES_AWAITING_RULING:
        state = registration_request.get_state_display()
        return _("It is not with the standards body: its state is “%(state)s”.") % {"state": state}
    return direction.explain_other_ruling(permissions.name_stake(person, registration_request))


def post_ruling(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the decision that was chosen, or show the page again with what stands in the way."""

    def build_form() -> RulingForm:
        form = build_ruling_form(registration_request, person, request.POST)
        if form is None:
            raise PermissionDenied(explain_no_ruling(registration_request, person))
        return form

    return take_step(
        request,
        registration_request,
        [request.POST.get("verb", "")],
        build_form=build_form,
        render_page=partial(render_ruling, request, person, registration_request),
        redirect_after=partial(redirect_after_ruling, request, registration_request),
        back=reverse("direction:detail", args=[registration_request.slug]),
    )


def redirect_after_ruling(
    request: HttpRequest, registration_request: RegistrationRequest, event: Event
) -> HttpResponse:
    """Say that the decision is taken, on the lists."""
    told = {"request": registration_request, "label": VERBS[event.verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("direction:index")


def render_ruling(
    request: HttpRequest,
    person: User,
    registration_request: RegistrationRequest,
    form: RulingForm | None,
    status: int = 200,
) -> HttpResponse:
    """Draw the page of one request."""
    context = {
        "registration_request": registration_request,
        "hearing": direction.RulingContext(registration_request),
        "form": form,
        "why_not": "" if form else explain_no_ruling(registration_request, person),
        "missing_word": explain_missing_consent(registration_request),
    }
    return render(request, "direction/detail.html", context, status=status)

"""The standards body's working screens: what waits, and one report or appeal."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from registry import rules, workflow
from registry.choices import State
from registry.forms.direction import RulingForm
from registry.models import RegistrationRequest, User
from registry.pages import direction
from registry.queries.holder import missing_holder_word
from registry.telling import told
from registry.views.acting import (
    find_public,
    is_second_click,
    saw_an_older_revision,
    sign_in_first,
    signed_in,
    superseded,
    typed_before,
)
from registry.workflow import VERBS

LATEST: Final = 10
RULINGS: Final = ("direct", "send_back", "refuse", "remand", "uphold")


@login_required
@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """What waits for the standards body, and what it decided last."""
    person = signed_in(request)
    ask_for_the_body(person)
    context = {
        "asking": direction.asking(),
        "reported": direction.rows(person, State.REPORTED),
        "appealed": direction.rows(person, State.APPEALED),
        "latest": told(direction.latest()[:LATEST]),
    }
    return render(request, "direction/index.html", context)


def ask_for_the_body(person: User) -> None:
    """Refuse whoever does not speak for the standards body, and say who may."""
    if not rules.may_recognise(person):
        raise PermissionDenied(
            _("Direction is for the standards body. Your account does not have that role.")
        )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_first("verb", "comment")
def detail(request: HttpRequest, reference: str) -> HttpResponse:
    """One request: report or appeal, the text, what was decided before, and the decision."""
    person, registration_request = find_public(request, reference, ask_for_the_body)
    if request.method == "POST":
        return decide(request, person, registration_request)
    form = form_for(registration_request, person, initial=typed_before(request))
    return show(request, registration_request, form)


def form_for(
    registration_request: RegistrationRequest, person: User, *args: object, **kwargs: object
) -> RulingForm | None:
    """Return the form with the decisions open to `person`, none where there are none."""
    offers = [
        each for each in workflow.offers(registration_request, person) if each.verb in RULINGS
    ]
    if not offers:
        return None
    return RulingForm(*args, registration_request=registration_request, offers=offers, **kwargs)


def why_not(registration_request: RegistrationRequest) -> str:
    """Return why the standards body does not decide on a request now."""
    if registration_request.state not in direction.WAITING:
        state = registration_request.get_state_display()
        return _("It is not with the standards body: its state is “%(state)s”.") % {"state": state}
    return direction.another_decides(vars(registration_request)["stake"])


def decide(
    request: HttpRequest, person: User, registration_request: RegistrationRequest
) -> HttpResponse:
    """Take the decision that was chosen, or show the page again with what stands in the way."""
    if saw_an_older_revision(request, registration_request):
        return too_late(request, registration_request)
    form = form_for(registration_request, person, request.POST)
    if form is None:
        raise PermissionDenied(why_not(registration_request))
    if form.is_valid():
        try:
            workflow.perform(registration_request, actor=person, **form.cleaned_data)
        except workflow.Superseded:
            return too_late(request, registration_request)
        except workflow.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return recorded(request, registration_request, form.cleaned_data["verb"])
    return show(request, registration_request, form)


def too_late(request: HttpRequest, registration_request: RegistrationRequest) -> HttpResponse:
    """Say that somebody was faster, unless it was the same person's first click."""
    verb = request.POST.get("verb", "")
    if is_second_click(request, registration_request, verb):
        return recorded(request, registration_request, verb)
    back = reverse("direction:detail", args=[registration_request.slug])
    return superseded(request, registration_request, back)


def recorded(
    request: HttpRequest, registration_request: RegistrationRequest, verb: str
) -> HttpResponse:
    """Say that the decision is taken, on the lists."""
    told = {"request": registration_request, "label": VERBS[verb].label}
    messages.success(request, _("Recorded for %(request)s: %(label)s.") % told)
    return redirect("direction:index")


def show(
    request: HttpRequest, registration_request: RegistrationRequest, form: RulingForm | None
) -> HttpResponse:
    """Draw the page of one request."""
    context = {
        "registration_request": registration_request,
        "hearing": direction.Hearing(registration_request),
        "form": form,
        "why_not": "" if form else why_not(registration_request),
        "missing_word": missing_holder_word(registration_request),
    }
    return render(request, "direction/detail.html", context)
